import { sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { type attempts, paymentEvents } from "../database/schema/index.ts";

type PaymentEvent = Pick<typeof paymentEvents.$inferSelect, "eventKey" | "source" | "outcome" | "raw">;

/** Messages kept of one attempt: whoever may send them can't fill the table. */
const messagesMax = 50;

/** Keeps what was said or answered about an attempt, each once. Answers whether it is new, and kept. */
export async function keepEvent(
  database: Database | Transaction,
  { id }: typeof attempts.$inferSelect,
  { eventKey, source, outcome, raw }: PaymentEvent,
): Promise<boolean> {
  const { rowCount } = await database.execute(sql`
    insert into ${paymentEvents} (event_key, attempt_id, source, outcome, raw)
    select ${eventKey}, ${id}, ${source}, ${outcome}, ${JSON.stringify(raw)}::jsonb
    where ${source} = 'verify' or (select count(*) from ${paymentEvents} where attempt_id = ${id}) < ${messagesMax}
    on conflict (event_key) do nothing`);
  return rowCount === 1;
}
