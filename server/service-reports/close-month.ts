import { and, eq } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import type { BoardFigures, CertificateData, ReportData } from "../../contract/report-data.ts";
import { daysAfter } from "../../contract/proration.ts";
import type { Transaction } from "../database/database.ts";
import { serviceReports } from "../database/schema/index.ts";
import { countRetention, readCertificate } from "./facts-of-retention.ts";
import {
  readChangesOfMonth,
  readComing,
  readContractOfMonth,
  readFilingsOfMonth,
  readOpenActions,
} from "./facts-of-contract.ts";
import { closeOf, coverageOfMonth, readCountedDays } from "./facts-of-coverage.ts";
import { readIncidentsOfMonth } from "./facts-of-incidents.ts";
import type { Month } from "./month-of.ts";

/** A customer, as its reports name it. */
export interface ReportedCustomer {
  id: string;
  name: string;
  /** Its partner; null if it has none. */
  partner: { id: string; name: string } | null;
}

/** Reads everything for a month's report and certificate; the transaction gives one consistent view of the data. */
export async function closeMonth(
  transaction: Transaction,
  customer: ReportedCustomer,
  month: Month,
): Promise<{ data: ReportData; certificate: CertificateData; partnerId: string | null }> {
  const { id } = customer;
  const counted = await readCountedDays(transaction, id, month);
  const coverage = coverageOfMonth(counted, month);
  const missing = (coverage?.lines ?? []).filter((line) => line.missing > 0);
  const certificate = await readCertificate(
    transaction,
    customer,
    month,
    missing.map(({ missing: count, name }) => `${count} × ${name}`),
  );
  const data: ReportData = {
    customer: customer.name,
    partner: customer.partner?.name ?? null,
    month: month.day,
    timeZone: month.timeZone,
    from: month.from.toISOString(),
    until: month.until.toISOString(),
    coverage,
    ...(await readIncidentsOfMonth(transaction, id, month)),
    actions: await readOpenActions(transaction, customer, brand.name, month, closeOf(counted, month)),
    retention: countRetention(certificate),
    changes: await readChangesOfMonth(transaction, id, month),
    contract: await readContractOfMonth(transaction, id, month),
    filings: await readFilingsOfMonth(transaction, id, month),
    coming: await readComing(transaction, id, month),
    before: await readBefore(transaction, id, month),
  };
  return { data, certificate, partnerId: customer.partner?.id ?? null };
}

/** Starts where the previous report closed: after a change of time zone no hour is in two reports, or in none. */
export async function fromLastClose(transaction: Transaction, organisationId: string, month: Month): Promise<Month> {
  const [before] = await transaction
    .select({ closedAt: serviceReports.closedAt })
    .from(serviceReports)
    .where(isOfMonthBefore(organisationId, month));
  return { ...month, from: before?.closedAt ?? month.from };
}

async function readBefore(
  transaction: Transaction,
  organisationId: string,
  month: Month,
): Promise<BoardFigures | null> {
  const [before] = await transaction
    .select({ data: serviceReports.data })
    .from(serviceReports)
    .where(isOfMonthBefore(organisationId, month));
  return before ? boardFigures(before.data) : null;
}

const isOfMonthBefore = (organisationId: string, { day }: Month) =>
  and(
    eq(serviceReports.organisationId, organisationId),
    eq(serviceReports.month, `${daysAfter(day, -1).slice(0, 7)}-01`),
  );

/** The figures of the first page, from a report's data. */
export function boardFigures({ coverage, incidents, promises, actions, retention }: ReportData): BoardFigures {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const lines = coverage?.lines ?? [];
  const contracted = sum(lines.map((line) => line.contracted));
  const connected = sum(lines.map((line) => line.connected));
  const unknown = sum(lines.map((line) => line.unknown));
  const there = contracted - sum(lines.map((line) => line.missing));
  const isNotKnown = contracted === 0 || (unknown > 0 && unknown === there);
  return {
    // Rounded down, so that 100 means all. Null if no device's state is known: then none can be called unwatched.
    watchedPercent: isNotKnown ? null : Math.floor((100 * connected) / contracted),
    incidents: sum(Object.values(incidents.opened)),
    promisesKept: sum(promises.rows.map(({ kept }) => kept)),
    promisesBroken: sum(promises.rows.map(({ broken }) => broken)),
    openActions: actions.length,
    sourcesHeld180: retention.held180,
  };
}
