import { and, asc, eq, gte, inArray, isNotNull, lt, lte, notExists, sql } from "drizzle-orm";
import { dayAfter, startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Database } from "../database/database.ts";
import {
  eInvoices,
  invoices,
  orders,
  receipts,
  refundVouchers,
  type TaxSplit,
  transfers,
} from "../database/schema/index.ts";
import { restOf, shareOf, standingOf, type Sums } from "./credit-share.ts";
import type { Advance } from "./register-entry.ts";

type OrderRow = typeof orders.$inferSelect & { tax: TaxSplit };

/**
 * Money that came by transfer before its invoice (CGST Act section 13(2)): received in the period and not invoiced by its
 * end, or received before the period and invoiced in it, or given back in the period after the month in which it came. What
 * came and was invoiced within the period is in the invoice alone; what went back in its own month counts for nothing.
 */
export async function findAdvances(database: Database, from: string, to: string): Promise<Advance[]> {
  const found = await database
    .select({ order: orders, invoice: invoices })
    .from(orders)
    // A cancelled one took nothing up.
    .leftJoin(invoices, and(eq(invoices.orderId, orders.id), notExists(cancelledOf(database))))
    .where(and(inArray(orders.id, await ordersOf(database, from, to)), isNotNull(orders.tax)))
    .orderBy(asc(orders.serial));
  const advances: Advance[] = [];
  for (const { order, invoice } of found) {
    const { tax } = order;
    if (!tax) continue;
    const invoicedOn = invoice && writtenDay(invoice.issuedAt);
    const ofOrder = {
      invoiceNumber: invoice?.number ?? null,
      invoicedOn,
      orderNumber: orderNumber(order.serial),
    };
    // oxlint-disable-next-line no-await-in-loop -- a few in a month, as most money comes with its invoice
    for (const part of await partsOf(database, { ...order, tax }, invoicedOn))
      for (const row of rowsOf(part, invoicedOn, from, to)) advances.push({ ...ofOrder, ...row });
  }
  return advances;
}

const cancelledOf = (database: Database) =>
  database
    .select({ id: eInvoices.id })
    .from(eInvoices)
    .where(and(eq(eInvoices.invoiceId, invoices.id), eq(eInvoices.state, "cancelled")));

type Row = Omit<Advance, "invoiceNumber" | "invoicedOn" | "orderNumber">;

const sameMonth = (one: string, other: string) => one.slice(0, 7) === other.slice(0, 7);

/** What of an advance stands in a period. */
function rowsOf({ back, sums, ...part }: Part, invoicedOn: string | null, from: string, to: string): Row[] {
  const isIn = (day: string) => day >= from && day <= to;
  const inItsMonth = back.filter(({ paidOn }) => sameMonth(paidOn, part.receivedOn));
  const rows: Row[] = back
    .filter((each) => isIn(each.paidOn) && !inItsMonth.includes(each))
    .map(({ number, paidOn, ...own }) => ({
      ...part,
      kind: "given back",
      refundVoucher: { number, paidOn },
      ...sumsOf(own),
    }));
  const kind = kindIn(part.receivedOn, invoicedOn, from, to);
  if (kind === null) return rows;
  const taken = kind === "received" ? inItsMonth : back;
  const rest = restOf(sums, taken);
  return rest.totalPaise > 0 ? [{ ...part, kind, refundVoucher: null, ...rest }, ...rows] : rows;
}

const sumsOf = ({ taxes, taxablePaise, roundOffPaise, totalPaise }: Sums): Sums => ({
  taxes,
  taxablePaise,
  roundOffPaise,
  totalPaise,
});

/** Which of the two an advance is in a period; null for neither. */
function kindIn(
  receivedOn: string,
  invoicedOn: string | null,
  from: string,
  to: string,
): "received" | "adjusted" | null {
  if (receivedOn >= from && receivedOn <= to) return invoicedOn === null || invoicedOn > to ? "received" : null;
  return receivedOn < from && invoicedOn !== null && invoicedOn >= from && invoicedOn <= to ? "adjusted" : null;
}

const entered = inArray(transfers.state, ["matched", "partly_matched"]);
const wentBackOn = sql<string>`${refundVouchers.content}->>'paidOn'`;

/** The orders of which money came or went back, or which were invoiced, in a period. */
async function ordersOf(database: Database, from: string, to: string): Promise<string[]> {
  const came = await database
    .selectDistinct({ id: transfers.orderId })
    .from(transfers)
    .where(and(entered, gte(transfers.receivedOn, from), lte(transfers.receivedOn, to)));
  const wentBack = await database
    .selectDistinct({ id: refundVouchers.orderId })
    .from(refundVouchers)
    .where(and(gte(wentBackOn, from), lte(wentBackOn, to)));
  const end = startOfWrittenDay(dayAfter(to));
  const invoiced = await database
    .selectDistinct({ id: invoices.orderId })
    .from(invoices)
    .innerJoin(transfers, and(eq(transfers.orderId, invoices.orderId), entered))
    .where(and(gte(invoices.issuedAt, startOfWrittenDay(from)), lt(invoices.issuedAt, end)));
  return [...new Set([...came, ...wentBack, ...invoiced].flatMap(({ id }) => id ?? []))];
}

/** A transfer that came before the invoice, taxed as its receipt says, with the tax in it and what of it went back. */
interface Part extends Pick<
  Advance,
  "receivedOn" | "utr" | "receiptNumber" | "billTo" | "placeOfSupply" | "treatment"
> {
  sums: Sums;
  back: (Sums & { number: string; paidOn: string })[];
}

async function partsOf(database: Database, order: OrderRow, invoicedOn: string | null): Promise<Part[]> {
  const rows = await database
    .select({ transfer: transfers, receipt: receipts })
    .from(transfers)
    .leftJoin(receipts, eq(receipts.transferId, transfers.id))
    .where(and(eq(transfers.orderId, order.id), entered))
    .orderBy(asc(transfers.matchedAt), asc(transfers.id));
  const vouchers = await database
    .select()
    .from(refundVouchers)
    .where(eq(refundVouchers.orderId, order.id))
    .orderBy(asc(refundVouchers.issuedAt), asc(refundVouchers.id));
  const parts: Part[] = [];
  for (const { transfer, receipt } of rows) {
    const { receivedOn, utr, amountPaise, excessPaise } = transfer;
    const ownPaise = amountPaise - excessPaise;
    if (ownPaise === 0 || (invoicedOn !== null && receivedOn > invoicedOn)) continue;
    const { billTo, placeOfSupply, treatment = order.tax.treatment } = receipt?.content ?? { ...order, ...order.tax };
    const sums = receipt?.content ?? shareOf(order.tax, standingOf(order.tax, parts), ownPaise);
    const back = vouchers
      .filter(({ receiptId }) => receiptId === receipt?.id)
      .map(({ number, content }) => ({ ...sumsOf(content), number, paidOn: content.paidOn }));
    const facts = { receivedOn, utr, receiptNumber: receipt?.number ?? null, billTo, placeOfSupply, treatment };
    parts.push({ ...facts, sums: sumsOf(sums), back });
  }
  return parts;
}
