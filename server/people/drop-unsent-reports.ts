import { and, asc, eq, inArray, isNotNull, isNull, like, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { mails, people, serviceReports } from "../database/schema/index.ts";

/**
 * Drops the mails of a customer's reports that wait in the outbox for people of the partner it leaves. A mail being
 * sent right now still goes out: this does not wait for a mail server.
 */
export async function dropUnsentReports(
  transaction: Transaction,
  { customerId, partnerId }: { customerId: string; partnerId: string | null },
): Promise<void> {
  if (partnerId === null) return;
  // Locked, so that a transaction that is writing a report's mails is waited for.
  const reports = await transaction
    .select({ id: serviceReports.id })
    .from(serviceReports)
    .where(eq(serviceReports.organisationId, customerId))
    .orderBy(asc(serviceReports.id))
    .for("no key update");
  if (reports.length === 0) return;
  const theirs = transaction.select({ id: people.id }).from(people).where(eq(people.organisationId, partnerId));
  const unsent = transaction
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        isNull(mails.sentAt),
        isNotNull(mails.content),
        inArray(mails.personId, theirs),
        like(mails.eventKey, "service-report:%"),
        inArray(
          sql`split_part(${mails.eventKey}, ':', 2)`,
          reports.map(({ id }) => id),
        ),
      ),
    )
    .for("update", { skipLocked: true });
  await transaction
    .update(mails)
    .set({ content: null, lastError: "customer left this partner before it could be sent" })
    .where(inArray(mails.id, unsent));
}
