import { type SQL, sql } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { invoiceWaits } from "../e-invoices/of-invoice.ts";
import type { Services } from "../services.ts";

/** A document takes seconds; after this long its first tries are over. */
const graceMinutes = 10;
const atOnce = 1000;

/**
 * Opens entries for proposals and invoices that were not made in time; they leave the queue once their file exists. An
 * entry closed since the document was due stays closed.
 */
export async function showLateDocuments({ database, now }: Services): Promise<void> {
  const before = sql`${earlier(now(), { minutes: graceMinutes }).toISOString()}::timestamptz`;
  const isNew = (queue: string) => sql`not exists (select from action_items
    where queue = ${queue} and subject_id = late.id and (closed_at is null or closed_at > late.due))`;
  // Each statement in its own transaction, so that the last one sees documents made meanwhile.
  const execute = (statement: SQL) => database.transaction((transaction) => transaction.execute(statement));
  await execute(sql`
    select open_action_item('proposals', id, called, whose, 'The proposal of this quote is not made yet.', due)
    from (select id, organization_name as whose,
        called_quote(serial) as called,
        greatest(created_at, revised_at, rates_confirmed_at) as due
      from quotes where proposal_file is null and created_at < ${before}) as late
    where due < ${before} and ${isNew("proposals")} order by due limit ${atOnce}`);
  await execute(sql`
    select open_action_item('invoices', id, called, whose, 'The invoice of this order is not made yet.', due)
    from (select invoices.id, organisation_name as whose, number as called, issued_at as due
      from invoices join orders on orders.id = order_id
      where file is null and issued_at < ${before} and not ${invoiceWaits}) as late
    where ${isNew("invoices")} order by due limit ${atOnce}`);
  // A document may have been made during the search, before its entry was there to be settled.
  await execute(sql`
    select settle_action_item(queue, subject_id) from action_items where closed_at is null
      and (queue = 'proposals' and exists (select from quotes where id = subject_id and proposal_file is not null)
        or queue = 'invoices' and exists (select from invoices where id = subject_id and file is not null))`);
}
