import { eq } from "drizzle-orm";
import { messages } from "../../contract/messages.ts";
import type { OrganizationChange, PersonChange } from "../../contract/staff-people.ts";
import { findPerson, lockOrganisation, lockPerson } from "../accounts/queries.ts";
import type { Scope } from "../access/scope.ts";
import { audit, auditPerson } from "../audit/audit.ts";
import { organisations, people } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/**
 * Changes a person's name and phone and returns the resulting version; unchanged values change nothing.
 * @throws Failure not_found; conflict, with the saved values, when somebody changed them meanwhile
 */
export async function changePerson(services: Services, { actor }: Scope<"any">, change: PersonChange): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const known = await findPerson(transaction, change.id);
    // Buying locks the organisation too: an order copies its buyer's name.
    if (known) await lockOrganisation(transaction, known.organisationId);
    const person = await lockPerson(transaction, change.id);
    if (!person || person.erasedAt) throw notFound("This person");
    const next = { firstName: change.firstName, lastName: change.lastName, phone: change.phoneNo };
    const changed = differences(person, next);
    if (changed.length === 0) return person.version;
    const wire = { firstName: "firstName", lastName: "lastName", phone: "phoneNo" };
    if (person.version !== change.version) throw overtaken(messages.personChanged, person, changed, wire);
    await transaction
      .update(people)
      .set({ ...next, version: person.version + 1 })
      .where(eq(people.id, person.id));
    const values = { before: pick(person, changed), after: pick(next, changed) };
    await auditPerson(transaction, actor.personId, "change person", person.id, { values });
    return person.version + 1;
  });
}

/**
 * Changes an organisation's name and its data for future invoices, and returns the resulting version; issued invoices
 * stay as they are.
 * @throws Failure not_found; conflict, with the saved values, when somebody changed it meanwhile
 */
export async function changeOrganisation(
  services: Services,
  { actor }: Scope<"any">,
  { id, version, ...next }: OrganizationChange,
): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const organisation = await lockOrganisation(transaction, id);
    if (!organisation) throw notFound("This organization");
    const changed = differences(organisation, next);
    if (changed.length === 0) return organisation.version;
    if (organisation.version !== version) throw overtaken(messages.organizationChanged, organisation, changed);
    await transaction
      .update(organisations)
      .set({ ...next, version: version + 1 })
      .where(eq(organisations.id, id));
    const detail = { before: pick(organisation, changed), after: pick(next, changed) };
    await audit(transaction, actor.personId, "change organisation", `organisation:${id}`, detail);
    return version + 1;
  });
}

const differences = <Values extends object>(before: Values, after: Values): (keyof Values & string)[] =>
  (Object.keys(after) as (keyof Values & string)[]).filter((field) => before[field] !== after[field]);

const pick = <Values extends object>(from: Values, fields: (keyof Values & string)[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, from[field]]));

/** Says what is saved now, under the fields' names in the API. */
function overtaken<Values extends object>(
  sentence: string,
  saved: Values,
  fields: (keyof Values & string)[],
  wire: Partial<Record<keyof Values & string, string>> = {},
): Failure {
  const now = fields.map((field) => [wire[field] ?? field, `Now: ${String(saved[field] ?? "") || "nothing"}`]);
  return new Failure("conflict", sentence, { fields: Object.fromEntries(now) });
}
