import { eq } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import type { NewFact } from "../../contract/obligations.ts";
import { factKinds, type FactValue, fits } from "../../contract/regulator-facts.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import { audit } from "../audit/audit.ts";
import { regulatorFacts } from "../database/schema/index.ts";
import { invalidFields } from "../failures/failure.ts";
import { refuseUnlessSame } from "../failures/sent-before.ts";
import type { Services } from "../services.ts";
import { findIncident, type IncidentScope } from "../incidents/find-incident.ts";
import { clocksDiffer } from "../incidents/told-time.ts";

/** An earlier year is taken for a typing error. */
const earliest = new Date("2000-01-01T00:00:00Z");

/**
 * Stores a fact that a person attests about an incident, with who and when. A repeated id is stored once.
 * @throws Failure not_found; invalid for a value that the fact can't have, or a time in the future; conflict for an id
 * that another fact has
 */
export async function attestFact(services: Services, scope: IncidentScope, fact: NewFact): Promise<void> {
  const now = services.now();
  refuseWrong(fact, now);
  // Every fact is kept for good, and read whenever the clocks are counted.
  if (scope.reach === "organisation") await services.limiter.consume("incidentByAccount", scope.actor.personId);
  await services.database.transaction(async (transaction) => {
    const incident = await findIncident(transaction, scope, fact.id);
    const { personId } = scope.actor;
    const [written] = await transaction
      .insert(regulatorFacts)
      .values({
        id: fact.factId,
        organisationId: incident.organisationId,
        incidentId: incident.id,
        kind: fact.kind,
        value: takenAs(fact.value, now),
        enteredBy: personId,
        createdAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: regulatorFacts.id });
    if (!written) {
      const [known] = await transaction.select().from(regulatorFacts).where(eq(regulatorFacts.id, fact.factId));
      const value = takenAs(fact.value, known?.createdAt ?? now);
      return refuseUnlessSame(known, { incidentId: incident.id, kind: fact.kind, value });
    }
    await audit(transaction, personId, "attest fact", `organisation:${incident.organisationId}`, {
      incident: incidentNumber(incident.serial),
      fact: factKinds[fact.kind].label,
      // Words may be about people: they are kept with the incident only.
      ...(!("words" in fact.value) && { value: JSON.stringify(takenAs(fact.value, now)) }),
    });
  });
}

/** A time from a clock that runs slightly fast counts as now. */
const takenAs = (value: FactValue, now: Date): FactValue =>
  "at" in value && new Date(value.at) > now ? { ...value, at: now.toISOString() } : value;

function refuseWrong({ kind, value }: NewFact, now: Date): void {
  const refuse = (message: string) => invalidFields({ value: message });
  if (!fits(kind, value)) throw refuse("This is no answer to the question");
  if (!("at" in value)) return;
  const at = new Date(value.at);
  if (at > later(now, clocksDiffer)) throw refuse("This time has not come yet");
  if (at < earliest) throw refuse("Please check the year");
}
