import { and, asc, desc, eq, exists, gte, lt, lte, not, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { coverageReasons } from "../../contract/coverage-words.ts";
import { contractNumber } from "../../contract/numbers.ts";
import { daysAfter } from "../../contract/proration.ts";
import type { ContractChangeOfMonth, OpenAction, ReportData } from "../../contract/report-data.ts";
import type { Database, Transaction } from "../database/database.ts";
import { contractChanges, contractLines, contracts, trueUps } from "../database/schema/index.ts";
import { actionsAskedOf } from "../incidents/open-incidents.ts";
import { obligationsMetIn } from "../obligations/open-obligations.ts";
import { onboardingOf } from "../onboarding/read-onboarding.ts";
import type { CountedDay } from "./facts-of-coverage.ts";
import type { Month } from "./month-of.ts";

type Reader = Database | Transaction;

/** The contract that ran on the last day of the month; if several did, the one that ends last. */
export async function readContractOfMonth(database: Reader, organisationId: string, month: Month) {
  const last = daysAfter(month.next, -1);
  const [found] = await database
    .select({ serial: contracts.serial, endsOn: contracts.endsOn })
    .from(contracts)
    .where(
      and(
        eq(contracts.organisationId, organisationId),
        lte(contracts.startsOn, last),
        gte(contracts.endsOn, month.day),
      ),
    )
    .orderBy(desc(contracts.endsOn))
    .limit(1);
  return found ? { number: contractNumber(found.serial), endsOn: found.endsOn } : null;
}

const times = sql.raw("' × '");

export async function readChangesOfMonth(
  database: Reader,
  organisationId: string,
  { from, until }: Month,
): Promise<ContractChangeOfMonth[]> {
  const changes = await database
    .select({
      kind: contractChanges.kind,
      on: contractChanges.effectiveOn,
      serial: contracts.serial,
      devices: sql<string[]>`case when ${contractChanges.kind} = 'remove'
        then array(select ${contractChanges.quantity} || ${times} || device_type from contract_lines line
          where line.contract_id = ${contracts.id} and line.series = ${contractChanges.series} order by line.id limit 1)
        else array(select line.quantity || ${times} || line.device_type from contract_lines line
          where line.change_id = ${contractChanges.id} order by line.device_type, line.id) end`,
    })
    .from(contractChanges)
    .innerJoin(contracts, eq(contracts.id, contractChanges.contractId))
    .where(
      and(
        eq(contracts.organisationId, organisationId),
        gte(contractChanges.createdAt, from),
        lt(contractChanges.createdAt, until),
      ),
    )
    .orderBy(asc(contractChanges.createdAt), asc(contractChanges.id));
  return changes.map(({ kind, on, serial, devices }) => ({ kind, on, contract: contractNumber(serial), devices }));
}

export async function readFilingsOfMonth(
  database: Reader,
  organisationId: string,
  { from, until }: Month,
): Promise<ReportData["filings"]> {
  const met = await obligationsMetIn(database, organisationId, from, until);
  return met.map(({ title, incidentNumber, ...rest }) => ({ ...rest, obligation: title, incident: incidentNumber }));
}

/** What was open at the close, and who had to act. No people are named, because a report is never changed. */
export async function readOpenActions(
  database: Reader,
  organisation: { id: string; name: string },
  seller: string,
  month: Month,
  close: CountedDay | undefined,
): Promise<OpenAction[]> {
  // One connection runs one query at a time.
  const asked = await readAsked(database, organisation.id, month);
  const items = await readOpenItems(database, organisation.id, month);
  return [...asked, ...notConnected(close), ...items].map(({ side, ...action }) => ({
    ...action,
    side,
    owner: side === "customer" ? organisation.name : seller,
  }));
}

type Action = Omit<OpenAction, "owner">;

async function readAsked(database: Reader, organisationId: string, { until }: Month): Promise<Action[]> {
  const asked = await actionsAskedOf(database, organisationId, until);
  return asked.map(({ number, text, askedAt }) => ({
    what: `${number}: ${text || "answer what was asked"}`,
    side: "customer",
    since: askedAt.toISOString(),
  }));
}

async function readOpenItems(database: Reader, organisationId: string, { until }: Month): Promise<Action[]> {
  const { open } = await onboardingOf(database, organisationId, until);
  return open.map(({ title, side }) => ({
    what: `Onboarding: ${title}`,
    side: side === "yours" ? "customer" : "service",
    since: null,
  }));
}

/** Why contracted devices were not connected at the last count, by line. */
const notConnected = (close: CountedDay | undefined): Action[] =>
  (close?.lines ?? []).flatMap(({ name, reasons }) =>
    reasons.map(({ reason, devices }) => ({
      what: `${devices} × ${name}: ${coverageReasons[reason].says} ${coverageReasons[reason].next}`,
      side: coverageReasons[reason].side,
      since: null,
    })),
  );

/** What comes in the next weeks: contracts that end, devices billed beyond them, and devices that begin. */
export async function readComing(
  database: Reader,
  organisationId: string,
  month: Month,
): Promise<ReportData["coming"]> {
  const { next } = month;
  const ends = await readEnds(database, organisationId, month);
  const bills = await database
    .select({
      on: trueUps.billOn,
      serial: contracts.serial,
      extra: trueUps.extra,
      deviceType: trueUps.deviceType,
    })
    .from(trueUps)
    .innerJoin(contracts, eq(contracts.id, trueUps.contractId))
    .where(and(eq(contracts.organisationId, organisationId), eq(trueUps.state, "announced"), gte(trueUps.billOn, next)))
    .orderBy(asc(trueUps.billOn), asc(trueUps.id));
  // Excludes lines that continue their series with fewer devices, and lines removed before their first day.
  const before = alias(contractLines, "before");
  const goesOn = exists(
    database
      .select()
      .from(before)
      .where(
        and(
          eq(before.series, contractLines.series),
          lt(before.startsOn, contractLines.startsOn),
          lte(before.startsOn, before.endsOn),
        ),
      ),
  );
  const begins = await database
    .select({ on: contractLines.startsOn, quantity: contractLines.quantity, deviceType: contractLines.deviceType })
    .from(contractLines)
    .innerJoin(contracts, eq(contracts.id, contractLines.contractId))
    .where(
      and(
        eq(contracts.organisationId, organisationId),
        gte(contractLines.startsOn, next),
        lte(contractLines.startsOn, contractLines.endsOn),
        not(goesOn),
      ),
    )
    .orderBy(asc(contractLines.startsOn), asc(contractLines.id));
  return [
    ...ends,
    ...bills.map(({ on, serial, extra, deviceType }) => ({
      on,
      what: `${extra} × ${deviceType} beyond ${contractNumber(serial)} are billed, unless it is disputed.`,
    })),
    ...begins.map(({ on, quantity, deviceType }) => ({ on, what: `${quantity} × ${deviceType} begin.` })),
  ].toSorted((one, other) => (one.on < other.on ? -1 : 1));
}

/** Contracts that end within 90 days after the month, and whether they were renewed, or are by choice, by its close. */
async function readEnds(
  database: Reader,
  organisationId: string,
  { next, until }: Month,
): Promise<ReportData["coming"]> {
  const renewals = alias(contracts, "renewals");
  const ends = await database
    .select({
      serial: contracts.serial,
      endsOn: contracts.endsOn,
      renewedBy: renewals.serial,
      isChosen: sql<boolean>`coalesce(${contracts.renewalChosenAt} < ${until}, false) and ${holdsAnything(database)}`,
    })
    .from(contracts)
    .leftJoin(renewals, and(eq(renewals.renews, contracts.id), lt(renewals.createdAt, until)))
    .where(
      and(
        eq(contracts.organisationId, organisationId),
        lt(contracts.startsOn, next),
        gte(contracts.endsOn, next),
        lte(contracts.endsOn, daysAfter(next, 90)),
      ),
    )
    .orderBy(asc(contracts.endsOn), asc(contracts.id));
  return ends.map(({ serial, endsOn, renewedBy, isChosen }) => ({
    on: endsOn,
    what: `${contractNumber(serial)} ends. ${
      renewedBy
        ? `It goes on in ${contractNumber(renewedBy)}.`
        : isChosen
          ? "It renews by itself, as was chosen, once that is paid."
          : "Nothing renews unless somebody buys it."
    }`,
  }));
}

/** Condition on contracts: one that holds nothing on its last day has nothing to renew. */
const holdsAnything = (database: Reader) =>
  exists(
    database
      .select()
      .from(contractLines)
      .where(and(eq(contractLines.contractId, contracts.id), eq(contractLines.endsOn, contracts.endsOn))),
  );
