import { and, eq } from "drizzle-orm";
import { incidentNumber } from "../../contract/numbers.ts";
import type { Input } from "../../contract/operations.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { incidents } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { addFacts, readFacts } from "./facts.ts";
import { findIncident, holdIncident } from "./find-incident.ts";
import { isLadderRunning } from "./ladder.ts";
import { replay } from "./replay.ts";
import { settleIncident } from "./settle-incident.ts";

/** Merges an incident into another one of the same customer. @throws Failure not_found, conflict */
export async function mergeIncident(
  services: Services,
  scope: Scope<"any">,
  { id, fact_id, into }: Input<"admin/incidents/merge">,
): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const from = await findIncident(transaction, scope, id);
    const [target] = await transaction
      .select({ id: incidents.id })
      .from(incidents)
      .where(and(eq(incidents.serial, Number(into.slice(2))), eq(incidents.organisationId, from.organisationId)));
    if (!target) throw notFound(`${into}, of the same customer,`);
    if (target.id === id) throw new Failure("conflict", "An incident can't be merged into itself.");
    // Always in the same order, so that two opposite merges don't deadlock.
    for (const each of [id, target.id].toSorted()) await holdIncident(transaction, each);
    const [facts, others] = [await readFacts(transaction, id), await readFacts(transaction, target.id)];
    if (facts.some(({ eventKey }) => eventKey === fact_id)) return `It goes on in ${into}.`;
    const other = replay(others).state;
    if (other === "merged") throw new Failure("conflict", `${into} goes on in another one itself.`);
    // Merged into an ended incident, this one would no longer be counted or warned about.
    if (other === "resolved" || other === "closed")
      throw new Failure("conflict", `${into} has ended. Reopen it first, or merge it into this one.`);
    const { state, openAsks } = replay(facts);
    const number = incidentNumber(from.serial);
    if (["resolved", "closed", "merged"].includes(state))
      throw new Failure("conflict", `${number} has ended. Reopen it, then merge it.`);
    // The question could no longer be answered, and an answer being typed would be lost.
    if (openAsks.length > 0)
      throw new Failure(
        "conflict",
        `A question of ${number} waits for the customer’s answer. Note the answer or take the question back, then merge it.`,
      );
    // A contact who opens the target would not count as reached here, and the calls would be listed in a room that
    // nobody opens.
    if (await isLadderRunning(transaction, id))
      throw new Failure(
        "conflict",
        `Nobody of the ladder of ${number} was reached yet, and not everybody was mailed. Note in its room whom you reach by telephone, or merge ${into} into it.`,
      );
    const told = { occurredAt: services.now(), by: "us" as const, personId: scope.actor.personId };
    const [merged] = await addFacts(transaction, id, services.now(), [
      { id: fact_id, news: "merged", ...told, payload: { into }, eventKey: fact_id },
    ]);
    if (!merged) throw new Failure("conflict", "This was sent before for another incident. Please reload the page.");
    await addFacts(transaction, target.id, services.now(), [
      {
        news: "commented",
        ...told,
        payload: { text: `${incidentNumber(from.serial)} goes on here.` },
        eventKey: `merge:${fact_id}`,
      },
    ]);
    await transaction.update(incidents).set({ mergedInto: target.id }).where(eq(incidents.id, id));
    await settleIncident(services, transaction, from);
    await settleIncident(services, transaction, await holdIncident(transaction, target.id));
    await audit(transaction, scope.actor.personId, "merge incident", `incident:${id}`, { into });
    return `It goes on in ${into}.`;
  });
}
