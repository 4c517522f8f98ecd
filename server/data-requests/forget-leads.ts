import { and, asc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { forgetValues } from "../audit/forget-values.ts";
import type { Transaction } from "../database/database.ts";
import { actionItems, leadNotes, leads, mails, notices, people } from "../database/schema/index.ts";

/** The leads' address, and the quotes whose leads are meant too. */
interface Whose {
  email: string;
  quotes: string[];
}

/**
 * Erases what staff wrote about a person's leads: notes, next steps and reasons, in the audit log, in notices and in
 * unsent mails. Returns the number of notes.
 */
export async function forgetLeads(transaction: Transaction, actorId: string, whose: Whose): Promise<number> {
  // The lock waits for notes being written now, which are erased too. Joined leads first, as everywhere.
  const found = await transaction
    .select({ id: leads.id })
    .from(leads)
    .where(or(eq(leads.userEmail, whose.email), inArray(leads.quoteId, whose.quotes)))
    .orderBy(isNull(leads.joinedTo), asc(leads.id))
    .for("update");
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const notes = await transaction.delete(leadNotes).where(inArray(leadNotes.leadId, ids));
  await transaction
    .update(leads)
    .set({ nextStep: "", nextStepOn: null, lostReason: "", version: sql`${leads.version} + 1` })
    .where(inArray(leads.id, ids));
  await forgetValues(transaction, actorId, "lead", ids);
  const isOfThem = (key: typeof mails.eventKey | typeof notices.eventKey) =>
    inArray(sql`split_part(${key}, ':', 2)`, ids);
  const ours = transaction
    .select({ id: people.id })
    .from(people)
    .where(inArray(people.role, ["admin", "adminChild"]));
  await transaction
    .delete(notices)
    .where(
      and(
        inArray(notices.personId, ours),
        inArray(notices.kind, ["lead assigned", "lead due"]),
        isOfThem(notices.eventKey),
      ),
    );
  await transaction
    .update(mails)
    .set({ content: null, lastError: null })
    .where(
      and(
        isNull(mails.sentAt),
        sql`split_part(${mails.eventKey}, ':', 1) in ('lead', 'lead-reminder')`,
        isOfThem(mails.eventKey),
      ),
    );
  return notes.rowCount ?? 0;
}

/** Erases what staff typed when they closed action items about the proposals of these quotes. */
export async function forgetActions(transaction: Transaction, actorId: string, { quotes }: Whose): Promise<void> {
  const found = await transaction
    .select({ id: actionItems.id })
    .from(actionItems)
    .where(and(eq(actionItems.queue, "proposals"), inArray(actionItems.subjectId, quotes)));
  await forgetValues(
    transaction,
    actorId,
    "action",
    found.map(({ id }) => id),
  );
}
