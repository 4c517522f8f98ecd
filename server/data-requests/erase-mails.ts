import { and, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Person } from "../accounts/queries.ts";
import { forgetValues } from "../audit/forget-values.ts";
import type { Transaction } from "../database/database.ts";
import { actionItems, auditEntries, auditValues, demoMailbox, mails, people } from "../database/schema/index.ts";
import { addressSince, formerAddress } from "./address-since.ts";

/**
 * A person's former address, when it was corrected (to the microsecond, as PostgreSQL writes it), and whether no
 * account has it now.
 */
interface EarlierAddress {
  email: string;
  until: string;
  isFree: boolean;
}

/** The addresses that a person had before the current one. */
export async function earlierAddresses(transaction: Transaction, personId: string): Promise<EarlierAddress[]> {
  return transaction
    .select({
      email: formerAddress,
      until: sql<string>`${auditEntries.at}::text`,
      isFree: isNull(people.id).mapWith(Boolean),
    })
    .from(auditValues)
    .innerJoin(auditEntries, eq(auditEntries.id, auditValues.entryId))
    .leftJoin(people, eq(people.email, formerAddress))
    .where(and(eq(auditValues.aboutId, personId), eq(auditEntries.action, "correct email")));
}

/**
 * Removes the recipient from records of mails, including mails to a former address, and drops unsent ones. Deletes
 * entries of action queues that name the person, with what was typed about them. Returns the number of mails.
 */
export async function eraseMails(
  transaction: Transaction,
  actorId: string,
  { email, person, earlier }: { email: string; person: Person | undefined; earlier: EarlierAddress[] },
): Promise<number> {
  const theirsSince = addressSince(email, person ? [person.id] : []);
  const isTo = (address: SQL, at: typeof mails.createdAt | typeof actionItems.since) =>
    or(
      and(eq(address, email), gt(at, theirsSince)),
      ...earlier.map((former) => and(eq(address, former.email), sql`${at} <= ${former.until}::timestamptz`)),
    );
  const { rowCount } = await transaction
    .update(mails)
    .set({ recipient: "erased", content: null, attachments: [], lastError: null })
    .where(
      or(isTo(sql`lower(${mails.recipient})`, mails.createdAt), person ? eq(mails.personId, person.id) : undefined),
    );
  const items = await transaction
    .delete(actionItems)
    .where(isTo(sql`lower(${actionItems.who})`, actionItems.since))
    .returning({ id: actionItems.id });
  await forgetValues(
    transaction,
    actorId,
    "action",
    items.map(({ id }) => id),
  );
  await transaction.delete(demoMailbox).where(eq(sql`lower(${demoMailbox.recipient})`, email));
  return rowCount ?? 0;
}
