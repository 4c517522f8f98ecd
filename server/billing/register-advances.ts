import { and, asc, eq, gte, inArray, isNotNull, isNull, lt, lte } from "drizzle-orm";
import { startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Database } from "../database/database.ts";
import { invoices, orders, receipts, refunds, type TaxSplit, transfers } from "../database/schema/index.ts";
import { shareOf, type Sums } from "./credit-share.ts";
import type { Advance } from "./register-entry.ts";

type OrderRow = typeof orders.$inferSelect & { tax: TaxSplit };

/**
 * Money that came by transfer before its invoice (CGST Act section 13(2)): received in the period and not invoiced by its
 * end, or received before the period and invoiced in it. What came and was invoiced within it is in the invoice alone.
 */
export async function findAdvances(database: Database, from: string, to: string): Promise<Advance[]> {
  const found = await database
    .select({ order: orders, invoice: invoices })
    .from(orders)
    .leftJoin(invoices, eq(invoices.orderId, orders.id))
    .where(and(inArray(orders.id, await ordersOf(database, from, to)), isNotNull(orders.tax)))
    .orderBy(asc(orders.serial));
  const advances: Advance[] = [];
  for (const { order, invoice } of found) {
    const { tax } = order;
    if (!tax) continue;
    const invoicedOn = invoice && writtenDay(invoice.issuedAt);
    // oxlint-disable-next-line no-await-in-loop -- a few in a month, as most money comes with its invoice
    for (const part of await partsOf(database, { ...order, tax }, invoicedOn)) {
      const kind = kindIn(part.receivedOn, invoicedOn, from, to);
      const paise = kind === "received" ? part.receivedPaise : part.adjustablePaise;
      if (kind === null || paise === 0) continue;
      advances.push({
        kind,
        receivedOn: part.receivedOn,
        utr: part.utr,
        receiptNumber: part.receiptNumber,
        invoiceNumber: invoice?.number ?? null,
        invoicedOn,
        orderNumber: orderNumber(order.serial),
        billTo: order.billTo,
        placeOfSupply: tax.placeOfSupply,
        treatment: tax.treatment,
        ...(paise === part.sums.totalPaise ? part.sums : shareOf(part.sums, [], paise)),
      });
    }
  }
  return advances;
}

/** Which of the two an advance is in a period; null for neither. */
function kindIn(receivedOn: string, invoicedOn: string | null, from: string, to: string): Advance["kind"] | null {
  if (receivedOn >= from && receivedOn <= to) return invoicedOn === null || invoicedOn > to ? "received" : null;
  return receivedOn < from && invoicedOn !== null && invoicedOn >= from && invoicedOn <= to ? "adjusted" : null;
}

const entered = inArray(transfers.state, ["matched", "partly_matched"]);

/** The orders of which money came, or which were invoiced, in a period. */
async function ordersOf(database: Database, from: string, to: string): Promise<string[]> {
  const came = await database
    .selectDistinct({ id: transfers.orderId })
    .from(transfers)
    .where(and(entered, gte(transfers.receivedOn, from), lte(transfers.receivedOn, to)));
  const end = new Date(startOfWrittenDay(to).getTime() + 24 * 3_600_000);
  const invoiced = await database
    .selectDistinct({ id: invoices.orderId })
    .from(invoices)
    .innerJoin(transfers, and(eq(transfers.orderId, invoices.orderId), entered))
    .where(and(gte(invoices.issuedAt, startOfWrittenDay(from)), lt(invoices.issuedAt, end)));
  return [...new Set([...came, ...invoiced].flatMap(({ id }) => id ?? []))];
}

/** A transfer that came before the invoice, with the tax in it. */
interface Part extends Pick<Advance, "receivedOn" | "utr" | "receiptNumber"> {
  sums: Sums;
  /** Without what went back in its own month: what the return of that month has. */
  receivedPaise: number;
  /** Without all that went back before the invoice: what the invoice takes up. */
  adjustablePaise: number;
}

async function partsOf(database: Database, order: OrderRow, invoicedOn: string | null): Promise<Part[]> {
  const rows = await database
    .select({ transfer: transfers, number: receipts.number, content: receipts.content })
    .from(transfers)
    .leftJoin(receipts, eq(receipts.transferId, transfers.id))
    .where(and(eq(transfers.orderId, order.id), entered))
    .orderBy(asc(transfers.matchedAt), asc(transfers.id));
  const before: Sums[] = [];
  const parts = rows.flatMap(({ transfer, number, content }): Part[] => {
    const { receivedOn, utr, amountPaise, excessPaise } = transfer;
    const ownPaise = amountPaise - excessPaise;
    if (ownPaise === 0 || (invoicedOn !== null && receivedOn > invoicedOn)) return [];
    const sums = content ?? shareOf(order.tax, before, ownPaise);
    before.push(sums);
    return [{ receivedOn, utr, receiptNumber: number, sums, receivedPaise: ownPaise, adjustablePaise: ownPaise }];
  });
  await takeOffRefunds(database, order.id, parts, invoicedOn);
  return parts;
}

/** What was given back before the invoice is none of it: off the newest that had come by then. */
async function takeOffRefunds(
  database: Database,
  orderId: string,
  parts: readonly Part[],
  invoicedOn: string | null,
): Promise<void> {
  const back = await database
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), isNull(refunds.attemptId), eq(refunds.state, "done")))
    .orderBy(asc(refunds.paidOn));
  for (const { paidOn, amountPaise, endedAt } of back) {
    if (!paidOn || (invoicedOn !== null && writtenDay(endedAt ?? new Date(0)) > invoicedOn)) continue;
    let leftPaise = amountPaise;
    for (const part of parts.toReversed()) {
      if (part.receivedOn > paidOn) continue;
      const takenPaise = Math.min(leftPaise, part.adjustablePaise);
      part.adjustablePaise -= takenPaise;
      if (part.receivedOn.slice(0, 7) === paidOn.slice(0, 7)) part.receivedPaise -= takenPaise;
      leftPaise -= takenPaise;
    }
  }
}
