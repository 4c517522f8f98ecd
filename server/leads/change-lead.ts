import { and, eq, exists, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import type { LeadChange } from "../../contract/lead-inbox.ts";
import { leadNumber } from "../../contract/numbers.ts";
import { leadStages, leadStates } from "../../contract/lead-states.ts";
import { isChild } from "../../contract/roles.ts";
import { audit, auditBeside } from "../audit/audit.ts";
import type { Actor, Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { leadNotes, leads, people } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import { refuseUnlessSame } from "../failures/sent-before.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import { fields, overtaken } from "./overtaken.ts";

type LeadRecord = typeof leads.$inferSelect;

/**
 * Sets state, owner, next step and GSTIN of a lead.
 * @throws Failure not_found; forbidden for what a child account may not do; conflict if somebody changed it meanwhile
 */
export async function changeLead(services: Services, { actor }: Scope<"any">, change: LeadChange): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const lead = await lockLead(transaction, actor, change.id);
    if (lead.version !== change.version) throw await overtaken(transaction, lead, change.version);
    const next = {
      state: change.state,
      lostReason: change.state === "lost" ? change.lost_reason : "",
      ownerId: change.owner_id,
      nextStep: change.next_step,
      nextStepOn: change.next_step_on,
      gstin: change.gstin,
    };
    const changed = changedFields(lead, next);
    if (changed.length === 0) return;
    if (next.ownerId !== lead.ownerId) await refuseOwner(transaction, actor, next.ownerId);
    if (changed.includes("nextStepOn") && next.nextStepOn && next.nextStepOn < writtenDay(services.now()))
      throw invalidField("next_step_on", "This day is over. Please choose today or a later one.");
    const version = lead.version + 1;
    await transaction
      .update(leads)
      .set({ ...next, version, furthest: furthestOf(lead, next.state) })
      .where(eq(leads.id, lead.id));
    const names = await namesOf(transaction, [lead.ownerId, next.ownerId]);
    const tell = (which: Field[]) => {
      const shown = (from: typeof next) =>
        Object.fromEntries(which.map((field) => [fields[field].told, tellField(from, field, names)]));
      return { before: shown(lead), after: shown(next) };
    };
    const typed = changed.filter((field) => fields[field].isTyped);
    const detail = { version, ...tell(changed.filter((field) => !fields[field].isTyped)) };
    if (typed.length === 0) await audit(transaction, actor.personId, "change lead", `lead:${lead.id}`, detail);
    else
      await auditBeside(
        transaction,
        actor.personId,
        "change lead",
        { kind: "lead", id: lead.id },
        {
          values: tell(typed),
          detail,
        },
      );
    if (changed.includes("ownerId") && next.ownerId !== null) await tellOwner(transaction, lead, next.ownerId, actor);
  });
}

/** A person who takes a lead is not notified of it. */
const tellOwner = (transaction: Transaction, lead: LeadRecord, ownerId: string, { personId }: Actor) =>
  notify(
    transaction,
    "lead assigned",
    `${lead.id}:${lead.version}`,
    { leadId: lead.id, leadNumber: leadNumber(lead.serial), organizationName: lead.organization },
    { people: [ownerId], except: personId },
  );

/**
 * Adds a note to a lead. Repeating the same note changes nothing.
 * @throws Failure not_found; forbidden for a child account that does not own the lead; conflict for an id that another
 * note has
 */
export async function noteLead(
  services: Services,
  { actor }: Scope<"any">,
  note: { id: string; note_id: string; text: string },
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const lead = await lockLead(transaction, actor, note.id);
    const [kept] = await transaction
      .insert(leadNotes)
      .values({
        id: note.note_id,
        leadId: lead.id,
        authorId: actor.personId,
        text: note.text,
        createdAt: services.now(),
      })
      .onConflictDoNothing()
      .returning();
    if (!kept) {
      const [known] = await transaction.select().from(leadNotes).where(eq(leadNotes.id, note.note_id));
      return refuseUnlessSame(known, { leadId: lead.id, text: note.text });
    }
    // The audit log outlives the lead, so the note's text is kept with the lead only.
    await audit(transaction, actor.personId, "note lead", `lead:${lead.id}`);
  });
}

/**
 * Locks a lead that the actor may change until the transaction ends.
 * @throws Failure not_found; conflict for a lead joined into another one; forbidden for a child account that does not
 * own it
 */
async function lockLead(transaction: Transaction, actor: Actor, id: string): Promise<LeadRecord> {
  const [lead] = await transaction.select().from(leads).where(eq(leads.id, id)).for("update");
  if (!lead) throw notFound("This lead");
  if (isChild(actor.role) && lead.ownerId !== actor.personId)
    throw new Failure("forbidden", "You can change only leads that are assigned to you.");
  if (lead.joinedTo) throw new Failure("conflict", "This lead was joined into another one. Please open that one.");
  return lead;
}

/** The furthest stage that a lead has reached on the way from new to won. */
export const furthestOf = ({ furthest }: Pick<LeadRecord, "furthest">, state: LeadRecord["state"]): number =>
  Math.max(
    furthest,
    leadStages.findIndex((stage) => stage === state),
  );

type Field = keyof typeof fields;

const changedFields = (before: Pick<LeadRecord, Field>, after: Pick<LeadRecord, Field>): Field[] =>
  (Object.keys(fields) as Field[]).filter((field) => before[field] !== after[field]);

function tellField(from: Pick<LeadRecord, Field>, field: Field, names: Map<string, string>): string {
  if (field === "state") return leadStates[from.state];
  if (field === "ownerId") return names.get(from.ownerId ?? "") ?? "nobody";
  return from[field] ?? "";
}

/** @throws Failure forbidden for a child account; invalid for a person who is not staff or may not sign in */
export async function refuseOwner(transaction: Transaction, actor: Actor, ownerId: string | null): Promise<void> {
  if (isChild(actor.role)) throw new Failure("forbidden", "Only an administrator assigns leads.");
  if (ownerId === null) return;
  const [owner] = await transaction
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.id, ownerId), inArray(people.role, ["admin", "adminChild"]), ...atWork));
  if (!owner) throw invalidField("owner_id", "This person can't own leads any more. Please choose somebody else.");
}

const atWork = [isNotNull(people.joinedAt), isNull(people.suspendedAt)];

/** The people who can own leads, and those who can't any more and have left some behind, by name. */
export async function listOwners({ database }: Services, _scope: Scope<"any">) {
  const isAtWork = sql<boolean>`${and(...atWork)}`;
  const ownsSome = exists(
    database
      .select({ id: leads.id })
      .from(leads)
      .where(and(eq(leads.ownerId, people.id), isNull(leads.joinedTo))),
  );
  const found = await database
    .select({ id: people.id, firstName: people.firstName, lastName: people.lastName, email: people.email, isAtWork })
    .from(people)
    .where(and(inArray(people.role, ["admin", "adminChild"]), or(isAtWork, ownsSome)))
    .orderBy(people.firstName, people.lastName, people.id);
  const named = (those: typeof found) =>
    those.map(({ id, firstName, lastName, email }) => ({ id, name: `${firstName} ${lastName}`, email }));
  return {
    owners: named(found.filter((person) => person.isAtWork)),
    former: named(found.filter((person) => !person.isAtWork)),
  };
}

export async function namesOf(transaction: Transaction, ids: (string | null)[]): Promise<Map<string, string>> {
  const found = await transaction
    .select({ id: people.id, firstName: people.firstName, lastName: people.lastName })
    .from(people)
    .where(
      inArray(
        people.id,
        ids.filter((id) => id !== null),
      ),
    );
  return new Map(found.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]));
}
