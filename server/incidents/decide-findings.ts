import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull } from "drizzle-orm";
import type { FindingFate } from "../../contract/incident-states.ts";
import type { Input } from "../../contract/operations.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { engineFindings, findingDecisions, incidents, organisations } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import { addFacts } from "./facts.ts";
import { holdIncident } from "./find-incident.ts";
import { settleIncident } from "./settle-incident.ts";

type Decision = Omit<typeof findingDecisions.$inferInsert, "findingId" | "organisationId" | "decidedAt">;

/** The reason of a decision that the engine's own people took. */
export const closedInEngine = "Closed in the engine";

/** Records one decision for all these findings; earlier decisions stay in the table and no longer hold. */
export async function decide(
  transaction: Transaction,
  now: Date,
  findings: readonly { id: string; organisationId: string }[],
  decision: Decision,
): Promise<void> {
  const ids = findings.map(({ id }) => id);
  await transaction
    .update(findingDecisions)
    .set({ holds: false })
    .where(and(inArray(findingDecisions.findingId, ids), findingDecisions.holds));
  await transaction
    .insert(findingDecisions)
    .values(findings.map(({ id, organisationId }) => ({ ...decision, findingId: id, organisationId, decidedAt: now })));
  await transaction.update(engineFindings).set({ decided: decision.fate }).where(inArray(engineFindings.id, ids));
}

/**
 * Locks findings in the order of their ids, so that concurrent decisions take turns. Call it before writing anything
 * that refers to the customer's organisation, which is the order in which merging customers takes its locks.
 */
export const holdFindings = (transaction: Transaction, ids: readonly string[]) =>
  transaction
    .select({ id: engineFindings.id, organisationId: engineFindings.organisationId })
    .from(engineFindings)
    .where(inArray(engineFindings.id, [...ids]))
    .orderBy(engineFindings.id)
    .for("update");

/** @throws Failure not_found */
async function lockFindings(transaction: Transaction, ids: readonly string[], organisationId?: string) {
  const unique = [...new Set(ids)];
  const found = await holdFindings(transaction, unique);
  const [first] = found;
  if (!first || found.length < unique.length) throw notFound("One of these findings");
  const owner = organisationId ?? first.organisationId;
  if (found.some((each) => each.organisationId !== owner)) throw notFound("One of these findings");
  return { found, organisationId: owner };
}

/**
 * Closes findings as benign, attaches them to an incident, or opens them again. A repeated call with the same decision
 * changes nothing.
 * @throws Failure not_found, conflict
 */
export async function decideFindings(
  services: Services,
  { actor }: Scope<"any">,
  { findings, fate, incident, reason }: Input<"admin/findings/decide">,
): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const { found, organisationId } = await lockFindings(transaction, findings);
    const incidentId = fate === "attached" ? await findTarget(transaction, organisationId, incident ?? "") : null;
    const said = found.length === 1 ? "Decided." : `${found.length} findings are decided.`;
    const decision = { fate, incidentId, reason, personId: actor.personId };
    if (await isDecided(transaction, found, decision)) return said;
    await decide(transaction, services.now(), found, decision);
    if (incidentId) await noteAttached(services, transaction, actor.personId, incidentId, found.length);
    await audit(transaction, actor.personId, "decide findings", `organisation:${organisationId}`, {
      fate,
      findings: found.length,
      ...(incident && { incident }),
    });
    return said;
  });
}

/** Whether exactly this decision holds for all these findings, undisputed. */
async function isDecided(
  transaction: Transaction,
  found: readonly { id: string }[],
  {
    fate,
    incidentId,
    reason,
    personId,
  }: { fate: FindingFate; incidentId: string | null; reason: string; personId: string },
): Promise<boolean> {
  const holding = and(
    inArray(
      findingDecisions.findingId,
      found.map(({ id }) => id),
    ),
    findingDecisions.holds,
    eq(findingDecisions.fate, fate),
    incidentId === null ? isNull(findingDecisions.incidentId) : eq(findingDecisions.incidentId, incidentId),
    eq(findingDecisions.reason, reason),
    eq(findingDecisions.personId, personId),
    isNull(findingDecisions.disputedAt),
  );
  return (await transaction.$count(findingDecisions, holding)) === found.length;
}

async function findTarget(transaction: Transaction, organisationId: string, number: string): Promise<string> {
  const serial = /^I-(\d{1,12})$/.exec(number)?.[1];
  const [target] = await transaction
    .select({ id: incidents.id })
    .from(incidents)
    .where(and(eq(incidents.serial, Number(serial ?? -1)), eq(incidents.organisationId, organisationId)));
  if (!target) throw invalidField("incident", "This customer has no incident of that number.");
  return target.id;
}

async function noteAttached(
  services: Services,
  transaction: Transaction,
  personId: string,
  incidentId: string,
  findings: number,
): Promise<void> {
  const held = await holdIncident(transaction, incidentId);
  const now = services.now();
  const text = findings === 1 ? "1 finding" : `${findings} findings`;
  await addFacts(transaction, incidentId, now, [
    {
      news: "attached",
      occurredAt: now,
      by: "us",
      personId,
      payload: { findings, text },
      eventKey: `attached:${randomUUID()}`,
    },
  ]);
  const { replayed } = await settleIncident(services, transaction, held);
  if (["closed", "merged"].includes(replayed.state))
    throw new Failure("conflict", `${incidentNumber(held.serial)} has ended. Reopen it first.`);
}

/** Attaches findings to an incident that was just opened from them. @throws Failure not_found */
export async function attachFindings(
  services: Services,
  transaction: Transaction,
  personId: string,
  { incidentId, organisationId, ids }: { incidentId: string; organisationId: string; ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return;
  const { found } = await lockFindings(transaction, ids, organisationId);
  await decide(transaction, services.now(), found, { fate: "attached", incidentId, reason: "Opened of it", personId });
}

/** Records that the customer disputes a decision, and notifies our team. @throws Failure not_found, conflict */
export async function disputeFinding(
  services: Services,
  scope: Scope<"organisation">,
  { id, reason }: Input<"user/findings/dispute">,
): Promise<string> {
  const { personId } = scope.actor;
  await services.limiter.consume("incidentByAccount", personId);
  const organisationId = organisationOf(scope);
  await services.database.transaction(async (transaction) => {
    const [finding] = await transaction
      .select({
        id: engineFindings.id,
        title: engineFindings.title,
        organisationId: engineFindings.organisationId,
        fate: engineFindings.fate,
        name: organisations.name,
      })
      .from(engineFindings)
      .innerJoin(organisations, eq(organisations.id, engineFindings.organisationId))
      .where(and(eq(engineFindings.id, id), eq(engineFindings.organisationId, organisationId)))
      .for("update", { of: engineFindings });
    if (!finding) throw notFound("This finding");
    if (finding.fate === "open") throw new Failure("conflict", "Nothing is decided about this finding: it is open.");
    const [held] = await transaction
      .select()
      .from(findingDecisions)
      .where(and(eq(findingDecisions.findingId, id), findingDecisions.holds));
    // The engine's own people closed it, so there is no decision yet to dispute: record one first.
    if (!held)
      await decide(transaction, services.now(), [finding], {
        fate: "benign",
        reason: closedInEngine,
        personId: null,
      });
    const [disputed] = await transaction
      .update(findingDecisions)
      .set({ dispute: reason, disputedBy: personId, disputedAt: services.now() })
      .where(and(eq(findingDecisions.findingId, id), findingDecisions.holds, isNull(findingDecisions.disputedAt)))
      .returning({ id: findingDecisions.id });
    if (!disputed) throw new Failure("conflict", "This is disputed already. We look at it again.");
    const facts = { organizationName: finding.name, title: finding.title, email: scope.actor.email };
    await notify(transaction, "finding disputed", disputed.id, facts, { organisationId });
    await audit(transaction, personId, "dispute finding", `organisation:${organisationId}`, { title: finding.title });
  });
  return "Thank you. An analyst looks at it again, and tells you.";
}
