import { and, desc, eq, getTableColumns, gt, isNull, ne, sql } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { incidentStates, isOpen } from "../../contract/incident-states.ts";
import { limits } from "../../contract/limits.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { AttackReport } from "../../contract/ladders.ts";
import type { Answer } from "../../contract/operations.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { incidentFacts, incidents, mails } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { addFacts, type NewFact } from "./facts.ts";
import { holdIncident, type IncidentRow } from "./find-incident.ts";
import { findOnward, goesOn } from "./joined-incidents.ts";
import { readCalls, readLadder, startLadder } from "./ladder.ts";
import { openIncident } from "./open-incident.ts";
import { askOnCall } from "./tell-on-call.ts";
import { settleIncident } from "./settle-incident.ts";
import { tellReported } from "./tell-people.ts";

/**
 * Opens a P1 incident and calls the ladder, once however often the button is pressed. A later report is added to that
 * incident and makes it a P1 again.
 */
export async function reportAttack(
  services: Services,
  scope: Scope<"organisation">,
  report: AttackReport,
): Promise<Answer<"user/under-attack/post">> {
  const organisationId = organisationOf(scope);
  const now = services.now();
  await services.limiter.consume("incidentByAccount", scope.actor.personId);
  const reported: NewFact = {
    news: "reported",
    occurredAt: now,
    by: "customer",
    personId: scope.actor.personId,
    payload: { severity: "P1", text: wordsOf(report) },
    eventKey: report.id,
  };
  const opened = await services.database.transaction(async (transaction) => {
    // Concurrent reports take turns.
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`attack ${organisationId}`}, 0))`);
    const taken = await findReported(transaction, organisationId, report.id);
    if (taken) return findOnward(transaction, taken);
    const held = await holdAttack(transaction, organisationId, earlier(now, { minutes: limits.attackOnceMinutes }));
    if (held) {
      const [added] = await addFacts(transaction, held.id, now, [reported]);
      const { replayed } = await settleIncident(services, transaction, held);
      if (added) {
        await tellReported(services, transaction, held, replayed.severity, added);
        if (replayed.severity !== held.severity) await askOnCall(services, transaction, held.id);
        await audit(transaction, scope.actor.personId, "report attack", `incident:${held.id}`);
      }
      return { ...held, severity: replayed.severity };
    }
    const { incident, isNew } = await openIncident(services, transaction, {
      id: report.id,
      organisationId,
      title: "Under attack, as the customer reports",
      source: "under_attack",
      severity: "P1",
      openedAt: now,
      openedBy: scope.actor.personId,
      report: { what: report.what, since: report.since, call: report.call },
      facts: [reported],
    });
    if (isNew) {
      await startLadder(services, transaction, incident);
      await askOnCall(services, transaction, incident.id);
      await audit(transaction, scope.actor.personId, "report attack", `incident:${incident.id}`);
    }
    return incident;
  });
  return { message: standingOf(opened), incident_id: opened.id, number: incidentNumber(opened.serial) };
}

const wordsOf = ({ what, since, call }: AttackReport) => `${what}\nSince: ${since}\nTo call: ${call}`;

/** The answer to a report, from the state of its incident, which may have ended if the report was sent again late. */
function standingOf({ serial, severity, state }: Pick<IncidentRow, "serial" | "severity" | "state">): string {
  const number = incidentNumber(serial);
  if (isOpen(state)) return `${number} is open as a ${severity}. We are on it.`;
  const ended = incidentStates[state].toLowerCase();
  return `This report is part of ${number}, which is ${ended}. If the attack goes on, telephone us and report it anew.`;
}

/** The incident that this report opened or was added to, if it was received before. */
async function findReported(transaction: Transaction, organisationId: string, reportId: string) {
  const [found] = await transaction
    .select(getTableColumns(incidents))
    .from(incidentFacts)
    .innerJoin(incidents, eq(incidents.id, incidentFacts.incidentId))
    .where(
      and(
        eq(incidents.organisationId, organisationId),
        eq(incidentFacts.news, "reported"),
        eq(incidentFacts.eventKey, reportId),
      ),
    );
  return found ?? null;
}

/** The newest reported attack that still goes on, and the incident into which it was merged, if any. */
async function findAttack(database: Transaction | Services["database"], organisationId: string, since: Date) {
  const [attack] = await database
    .select()
    .from(incidents)
    .where(
      and(
        eq(incidents.organisationId, organisationId),
        eq(incidents.source, "under_attack"),
        gt(incidents.openedAt, since),
        goesOn,
      ),
    )
    .orderBy(desc(incidents.openedAt))
    .limit(1);
  return attack ? { attack, incident: await findOnward(database, attack) } : null;
}

/**
 * Locks the incident in which an attack goes on; null if none does. While this waited for the lock it may have ended or
 * been merged: then it looks again.
 */
async function holdAttack(transaction: Transaction, organisationId: string, since: Date): Promise<IncidentRow | null> {
  for (;;) {
    const found = await findAttack(transaction, organisationId, since);
    if (!found) return null;
    const held = await holdIncident(transaction, found.incident.id);
    if (isOpen(held.state)) return held;
  }
}

/** How long an attack that nobody has closed is shown before another one is asked about. */
const shownDays = 7;

/** What the page shows before and after the button. */
export async function readAttack(
  services: Services,
  scope: Scope<"organisation">,
): Promise<Answer<"user/under-attack">> {
  const { database } = services;
  const organisationId = organisationOf(scope);
  const found = await findAttack(database, organisationId, earlier(services.now(), { days: shownDays }));
  return {
    ladder: await readLadder(database, organisationId),
    incident: found && {
      id: found.incident.id,
      number: incidentNumber(found.incident.serial),
      title: found.incident.title,
      severity: found.incident.severity,
      state: found.incident.state,
      opened_at: found.attack.openedAt.toISOString(),
    },
    calls: found ? await readCallsOf(database, found.incident, found.attack) : [],
    mail_is_down: await isMailDown(services),
  };
}

/** The calls of the incident in which the attack goes on, or the attack's own if that one has none. */
async function readCallsOf(database: Services["database"], incident: IncidentRow, attack: IncidentRow) {
  const calls = await readCalls(database, incident.id);
  return calls.length > 0 || incident.id === attack.id ? calls : readCalls(database, attack.id);
}

/**
 * Whether mail seems to be down: a mail of the last hour was tried in vain, and none went out in the last 5 minutes.
 */
async function isMailDown({ database, now }: Services): Promise<boolean> {
  const recent = earlier(now(), { hours: 1 });
  const [failing] = await database
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(isNull(mails.sentAt), ne(mails.tries, 0), gt(mails.createdAt, recent), sql`${mails.content} is not null`),
    )
    .limit(1);
  if (!failing) return false;
  const [sent] = await database
    .select({ id: mails.id })
    .from(mails)
    .where(and(gt(mails.createdAt, recent), gt(mails.sentAt, earlier(now(), { minutes: 5 }))))
    .limit(1);
  return sent === undefined;
}
