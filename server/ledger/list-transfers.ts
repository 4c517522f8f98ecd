import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { rupees } from "../../contract/money.ts";
import { type Transfer, transferList, type TransferQuery } from "../../contract/receivables.ts";
import type { Scope } from "../access/scope.ts";
import type { Database } from "../database/database.ts";
import { joined, listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { orders, receipts, transfers } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/** The refund vouchers of a receipt as JSON, computed for the rows shown only. */
const vouchersOfReceipt = sql<{ number: string; paise: number; file: string | null }[]>`(
  select coalesce(json_agg(json_build_object('number', back.number, 'paise', (back.content->>'totalPaise')::bigint,
    'file', back.file) order by back.id), '[]') from refund_vouchers back where back.receipt_id = ${receipts.id})`;

/**
 * The open document that asks for exactly this sum, if there is only one. A person looks at it; nothing is matched by
 * it. Two rows are enough to see that it is not unique.
 */
const suggestion = sql<string | null>`case when ${transfers.state} = 'seen' then (
  select min(coalesce(nullif(owing.invoice_number, ''), asked.number))
  from (select * from orders where is_unsettled and open_paise = ${transfers.amountPaise} limit 2) as owing
    left join proformas asked on asked.order_id = owing.id and asked.state = 'open'
  having count(*) = 1) end`;

/**
 * The excess of an order's transfers that is still here. Refunds since the invoice count against it first, and it is at
 * most the order's credit.
 */
const onTopOfOrder = sql`least(greatest(0, -(${orders.owedPaise} + ${orders.amissPaise})),
  (select sum(every.excess_paise) from transfers every where every.order_id = ${orders.id})
  - (select coalesce(sum(back.amount_paise), 0) from refunds back join invoices on invoices.order_id = back.order_id
    where back.order_id = ${orders.id} and back.attempt_id is null and back.state = 'done'
      and back.ended_at >= invoices.issued_at))`;

/** A transfer's share of that excess: earlier transfers' excess counts as refunded first. */
const excessHere = sql<number>`case when ${transfers.excessPaise} > 0 and ${orders.id} is not null then
  least(${transfers.excessPaise}, greatest(0, ${onTopOfOrder}
    - (select coalesce(sum(later.excess_paise), 0) from transfers later
      where later.order_id = ${orders.id} and later.id > ${transfers.id})))
  else 0 end`;

/** How much of a transfer was taken off its order again, as it belongs to another one, in paise. */
export const movedPaiseOf = sql<number>`(
  select coalesce(sum(moved.amount_paise), 0)::bigint from refunds moved where moved.moved_from = ${transfers.id})`;

const fields = {
  id: transfers.id,
  utr: transfers.utr,
  state: transfers.state,
  amountPaise: transfers.amountPaise,
  excessPaise: transfers.excessPaise,
  excessHerePaise: excessHere,
  receivedOn: sql<string>`${transfers.receivedOn}::text`,
  payer: transfers.payer,
  narration: transfers.narration,
  orderId: transfers.orderId,
  orderNumber: transfers.orderNumber,
  organisationName: joined(orders.organisationName),
  receiptNumber: joined(receipts.number),
  receiptFile: joined(receipts.file),
  vouchers: vouchersOfReceipt,
  suggestion,
  movedPaise: movedPaiseOf,
  asideBecause: transfers.asideBecause,
};

const allTransfers = listFrom(transferList, {
  table: transfers,
  fields,
  joins: sql`left join orders on orders.id = ${transfers.orderId}
    left join receipts on receipts.transfer_id = ${transfers.id}`,
  id: transfers.id,
  searched: transfers.searched,
  sorts: { day: transfers.receivedOn, amount: transfers.amountPaise },
});

/**
 * What a customer announced is awaited only while something of its order is to be paid: under a bank reference that was
 * mistyped nothing ever comes.
 */
const isHereOrAwaited = sql`(${transfers.state} <> 'announced' or exists (
  select from orders asked where asked.id = ${transfers.orderId} and asked.open_paise > 0))`;
const openTransfers = {
  ...allTransfers,
  where: sql`${transfers.state} in ('announced', 'seen') and ${isHereOrAwaited}`,
};

/** All transfers, or only those that are not matched, newest first. */
export async function listTransfers({ database }: Services, _scope: Scope<"any">, { open, ...query }: TransferQuery) {
  const { rows, ...page } = await listPage(database, open === "true" ? openTransfers : allTransfers, null, query);
  return { transfers: rows.map(present), ...page };
}

/** The newest transfers for some orders, without those that were announced and are awaited no more. */
export async function findTransfers(
  database: Database,
  ofSomeOrders: SQL | undefined,
  limit: number,
): Promise<Transfer[]> {
  const rows = await database
    .select(fields)
    .from(transfers)
    .leftJoin(orders, eq(orders.id, transfers.orderId))
    .leftJoin(receipts, eq(receipts.transferId, transfers.id))
    .where(and(ofSomeOrders, isHereOrAwaited))
    .orderBy(desc(transfers.id))
    .limit(limit);
  return rows.map(present);
}

const present = (row: RowOf<typeof fields>): Transfer => ({
  id: row.id,
  utr: row.utr,
  state: row.state,
  amount: rupees(row.amountPaise),
  excess: rupees(row.excessPaise),
  excess_here: rupees(row.excessHerePaise),
  received_on: row.receivedOn,
  payer: row.payer,
  narration: row.narration,
  order_id: row.orderId,
  order_number: row.orderNumber || null,
  organization_name: row.organisationName,
  suggestion: row.suggestion,
  receipt_number: row.receiptNumber,
  receipt_url: row.receiptFile,
  refund_vouchers: row.vouchers.map(({ number, paise, file }) => ({ number, amount: rupees(paise), pdf_url: file })),
  moved: rupees(row.movedPaise),
  aside_because: row.asideBecause,
});
