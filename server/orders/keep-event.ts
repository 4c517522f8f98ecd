import { sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { type attempts, paymentEvents } from "../database/schema/index.ts";

type PaymentEvent = Pick<typeof paymentEvents.$inferSelect, "eventKey" | "source" | "outcome" | "raw">;

/**
 * Messages of one kind kept per attempt, so that nobody who can send them can fill the table. Of one kind, as those about
 * refunds and disputes are not signed: a buyer who made up enough of the one would have the other dropped unread.
 */
const messagesMax = 50;

/** Keeps each message or answer about an attempt once. Returns false if it was kept before or the limit is reached. */
export async function keepEvent(
  database: Database | Transaction,
  { id }: typeof attempts.$inferSelect,
  { eventKey, source, outcome, raw }: PaymentEvent,
): Promise<boolean> {
  const { rowCount } = await database.execute(sql`
    insert into ${paymentEvents} (event_key, attempt_id, source, outcome, raw)
    select ${eventKey}, ${id}, ${source}, ${outcome}, ${JSON.stringify(raw)}::jsonb
    where ${source} = 'verify' or (select count(*) from ${paymentEvents}
      where attempt_id = ${id} and outcome = ${outcome}) < ${messagesMax}
    on conflict (event_key) do nothing`);
  return rowCount === 1;
}
