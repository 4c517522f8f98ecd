import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Person } from "../accounts/queries.ts";
import type { Transaction } from "../database/database.ts";
import { actionItems, auditEntries, auditValues, demoMailbox, mails, people } from "../database/schema/index.ts";

/** An address that a person had until it was corrected, to the microsecond as PostgreSQL writes it, and whether nobody has an account with it since. */
interface EarlierAddress {
  email: string;
  until: string;
  isFree: boolean;
}

/** The addresses that a person had before the one of now. */
export async function earlierAddresses(transaction: Transaction, personId: string): Promise<EarlierAddress[]> {
  const email = sql<string>`lower(${auditValues.values}->'before'->>'email')`;
  return transaction
    .select({ email, until: sql<string>`${auditEntries.at}::text`, isFree: isNull(people.id).mapWith(Boolean) })
    .from(auditValues)
    .innerJoin(auditEntries, eq(auditEntries.id, auditValues.entryId))
    .leftJoin(people, eq(people.email, email))
    .where(and(eq(auditValues.aboutId, personId), eq(auditEntries.action, "correct email")));
}

/** That a mail went out stays, without to whom, also to an address that was corrected since. What was not sent yet is not sent. */
export async function eraseMails(
  transaction: Transaction,
  emails: string[],
  person: Person | undefined,
  earlier: EarlierAddress[],
): Promise<number> {
  const recipient = sql`lower(${mails.recipient})`;
  const who = sql`lower(${actionItems.who})`;
  const { rowCount } = await transaction
    .update(mails)
    .set({ recipient: "erased", content: null, attachments: [], lastError: null })
    .where(
      or(
        inArray(recipient, emails),
        person ? eq(mails.personId, person.id) : undefined,
        ...earlier.map(({ email, until }) =>
          and(eq(recipient, email), sql`${mails.createdAt} <= ${until}::timestamptz`),
        ),
      ),
    );
  await transaction
    .delete(actionItems)
    .where(
      or(
        inArray(who, emails),
        ...earlier.map(({ email, until }) => and(eq(who, email), sql`${actionItems.since} <= ${until}::timestamptz`)),
      ),
    );
  await transaction.delete(demoMailbox).where(inArray(sql`lower(${demoMailbox.recipient})`, emails));
  return rowCount ?? 0;
}
