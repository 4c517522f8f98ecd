import { and, asc, eq, gte, inArray, isNotNull, isNull, lt, lte, notExists, sql } from "drizzle-orm";
import { dayAfter, startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import {
  type BillTo,
  eInvoices,
  invoices,
  orders,
  receipts,
  refunds,
  refundVouchers,
  type TaxSplit,
  transfers,
  enteredStates,
} from "../database/schema/index.ts";
import { restOf, shareOf, standingOf, type Sums } from "./credit-share.ts";
import type { Advance } from "./register-entry.ts";

/** For how many orders the advances are read at a time. */
const atATime = 200;

/**
 * Advances by transfer (CGST Act section 13(2)): received in the period and not invoiced by its end; or received before
 * the period and invoiced in it; or given back in the period, in a later month than they were received. An advance
 * received and invoiced within the period counts in the invoice alone, except for what was given back of it; one given
 * back in the month of its receipt does not count at all.
 */
export async function findAdvances(transaction: Transaction, from: string, to: string): Promise<Advance[]> {
  const ids = await ordersOf(transaction, from, to);
  const advances: Advance[] = [];
  for (let first = 0; first < ids.length; first += atATime)
    // oxlint-disable-next-line no-await-in-loop -- keeps memory bounded
    advances.push(...(await advancesOf(transaction, ids.slice(first, first + atATime), from, to)));
  return advances;
}

async function advancesOf(transaction: Transaction, ids: string[], from: string, to: string): Promise<Advance[]> {
  const found = await transaction
    .select({
      order: { id: orders.id, serial: orders.serial, billTo: orders.billTo, tax: orders.tax },
      invoice: { number: invoices.number, issuedAt: invoices.issuedAt },
    })
    .from(orders)
    // A cancelled invoice used up no advance.
    .leftJoin(invoices, and(eq(invoices.orderId, orders.id), notExists(cancelledOf(transaction))))
    .where(isOneOf(orders.id, ids))
    .orderBy(asc(orders.serial));
  const { received, back, refunded } = await moneyOf(transaction, ids);
  return found.flatMap(({ order: { tax, ...order }, invoice }) => {
    if (!tax) return [];
    const invoicedOn = invoice && writtenDay(invoice.issuedAt);
    const ofOrder = {
      invoiceNumber: invoice?.number ?? null,
      invoicedOn,
      orderNumber: orderNumber(order.serial),
    };
    const money = {
      received: received.get(order.id) ?? [],
      back: back.get(order.id) ?? [],
      refunded: refunded.get(order.id) ?? [],
    };
    return partsOf({ ...order, tax }, money, invoicedOn)
      .flatMap((part) => rowsOf(part, invoicedOn, from, to))
      .map((row) => ({ ...ofOrder, ...row }));
  });
}

const cancelledOf = (transaction: Transaction) =>
  transaction
    .select({ id: eInvoices.id })
    .from(eInvoices)
    .where(and(eq(eInvoices.invoiceId, invoices.id), eq(eInvoices.state, "cancelled")));

type Row = Omit<Advance, "invoiceNumber" | "invoicedOn" | "orderNumber">;

const sameMonth = (one: string, other: string) => one.slice(0, 7) === other.slice(0, 7);

/** The register rows that an advance has in a period. */
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
  // Received and invoiced within the period: only what is given back of it counts as received besides the invoice.
  const taken = { received: inItsMonth, adjusted: back, invoiced: [restOf(sums, rows)] };
  const rest = restOf(sums, taken[kind]);
  const held = { ...part, kind: kind === "adjusted" ? kind : "received", refundVoucher: null, ...rest } as const;
  return rest.totalPaise > 0 ? [held, ...rows] : rows;
}

const sumsOf = ({ taxes, taxablePaise, roundOffPaise, totalPaise }: Sums): Sums => ({
  taxes,
  taxablePaise,
  roundOffPaise,
  totalPaise,
});

/** How an advance counts in a period; null where it counts for nothing. */
function kindIn(
  receivedOn: string,
  invoicedOn: string | null,
  from: string,
  to: string,
): "received" | "adjusted" | "invoiced" | null {
  if (receivedOn >= from && receivedOn <= to) return invoicedOn === null || invoicedOn > to ? "received" : "invoiced";
  return receivedOn < from && invoicedOn !== null && invoicedOn >= from && invoicedOn <= to ? "adjusted" : null;
}

const entered = inArray(transfers.state, enteredStates);

/** Condition: transfers received for an order on these days. */
export const receivedIn = (from: string, to: string) =>
  and(entered, gte(transfers.receivedOn, from), lte(transfers.receivedOn, to));

/** Condition: refunds by bank transfer of money that came by transfer. */
const paidBack = and(isNull(refunds.attemptId), eq(refunds.state, "done"), isNotNull(refunds.paidOn));
const wentBackOn = sql<string>`${refundVouchers.content}->>'paidOn'`;

/** The orders, by number, whose money came or went back, or which were invoiced, in a period. */
async function ordersOf(transaction: Transaction, from: string, to: string): Promise<string[]> {
  const came = await transaction.selectDistinct({ id: transfers.orderId }).from(transfers).where(receivedIn(from, to));
  const wentBack = await transaction
    .selectDistinct({ id: refundVouchers.orderId })
    .from(refundVouchers)
    .where(and(gte(wentBackOn, from), lte(wentBackOn, to)));
  const ofCancelled = await transaction
    .selectDistinct({ id: refunds.orderId })
    .from(refunds)
    .innerJoin(invoices, eq(invoices.orderId, refunds.orderId))
    .innerJoin(eInvoices, and(eq(eInvoices.invoiceId, invoices.id), eq(eInvoices.state, "cancelled")))
    .where(and(paidBack, gte(refunds.paidOn, from), lte(refunds.paidOn, to)));
  const end = startOfWrittenDay(dayAfter(to));
  const invoiced = await transaction
    .selectDistinct({ id: invoices.orderId })
    .from(invoices)
    .innerJoin(transfers, and(eq(transfers.orderId, invoices.orderId), entered))
    .where(and(gte(invoices.issuedAt, startOfWrittenDay(from)), lt(invoices.issuedAt, end)));
  const ids = new Set([...came, ...wentBack, ...ofCancelled, ...invoiced].flatMap(({ id }) => id ?? []));
  const taxed = await transaction
    .select({ id: orders.id })
    .from(orders)
    .where(and(isOneOf(orders.id, [...ids]), isNotNull(orders.tax)))
    .orderBy(asc(orders.serial));
  return taxed.map(({ id }) => id);
}

/** Each order's transfers in the order of matching, its refunds, and its refund vouchers in the order of issue. */
async function moneyOf(transaction: Transaction, ids: string[]) {
  const { orderId, receivedOn, utr, amountPaise, excessPaise, matchedAt } = transfers;
  const received = await transaction
    .select({
      transfer: { orderId, receivedOn, utr, amountPaise, excessPaise, matchedAt },
      receipt: { id: receipts.id, number: receipts.number, content: receipts.content },
    })
    .from(transfers)
    .leftJoin(receipts, eq(receipts.transferId, transfers.id))
    .where(and(isOneOf(transfers.orderId, ids), entered))
    .orderBy(asc(transfers.matchedAt), asc(transfers.id));
  const vouchers = await transaction
    .select({
      orderId: refundVouchers.orderId,
      receiptId: refundVouchers.receiptId,
      refundId: refundVouchers.refundId,
      issuedAt: refundVouchers.issuedAt,
      number: refundVouchers.number,
      content: refundVouchers.content,
    })
    .from(refundVouchers)
    .where(isOneOf(refundVouchers.orderId, ids))
    .orderBy(asc(refundVouchers.issuedAt), asc(refundVouchers.id));
  const refunded = await transaction
    .select({
      id: refunds.id,
      orderId: refunds.orderId,
      amountPaise: refunds.amountPaise,
      paidOn: sql<string>`${refunds.paidOn}`,
      endedAt: refunds.endedAt,
    })
    .from(refunds)
    .where(and(isOneOf(refunds.orderId, ids), paidBack))
    .orderBy(asc(refunds.endedAt), asc(refunds.id));
  return {
    received: Map.groupBy(received, ({ transfer }) => transfer.orderId),
    back: Map.groupBy(vouchers, (voucher) => voucher.orderId),
    refunded: Map.groupBy(refunded, (refund) => refund.orderId),
  };
}

type Money = Awaited<ReturnType<typeof moneyOf>>;
type MoneyOf<Name extends keyof Money> = Money[Name] extends Map<unknown, infer Rows> ? Rows : never;

/** A transfer received before the invoice, taxed as on its receipt, with the parts of it that went back. */
interface Part extends Pick<
  Advance,
  "receivedOn" | "utr" | "receiptNumber" | "billTo" | "placeOfSupply" | "treatment"
> {
  sums: Sums;
  back: (Sums & NonNullable<Advance["refundVoucher"]> & { notedAt: Date | null })[];
}

function partsOf(
  { billTo: ofOrder, tax }: { billTo: BillTo; tax: TaxSplit },
  money: { [Name in keyof Money]: MoneyOf<Name> },
  invoicedOn: string | null,
): Part[] {
  const parts: Part[] = [];
  for (const { transfer, receipt } of money.received) {
    const { receivedOn, utr, amountPaise, excessPaise } = transfer;
    const ownPaise = amountPaise - excessPaise;
    if (ownPaise === 0 || (invoicedOn !== null && receivedOn > invoicedOn)) continue;
    const { billTo, placeOfSupply, treatment = tax.treatment } = receipt?.content ?? { billTo: ofOrder, ...tax };
    const sums = receipt?.content ?? shareOf(tax, standingOf(tax, stoodAt(parts, transfer)), ownPaise);
    const wentBack = money.back
      .filter(({ receiptId }) => receiptId === receipt?.id)
      .map(({ number, issuedAt, content }) => ({
        ...sumsOf(content),
        number,
        paidOn: content.paidOn,
        notedAt: issuedAt,
      }));
    const facts = { receivedOn, utr, receiptNumber: receipt?.number ?? null, billTo, placeOfSupply, treatment };
    parts.push({ ...facts, sums: sumsOf(sums), back: wentBack });
  }
  if (invoicedOn === null) shareRest(parts, money);
  return parts;
}

/** The parts as they were when a transfer was matched: later refunds were not yet deducted. */
const stoodAt = (parts: readonly Part[], { matchedAt }: MoneyOf<"received">[number]["transfer"]): Part[] =>
  parts.map((part) => ({
    ...part,
    back: part.back.filter(({ notedAt }) => notedAt && matchedAt && notedAt < matchedAt),
  }));

/**
 * Distributes refunds that have no voucher because the cancelled invoice was made from transfers without a receipt.
 * Excess received by then goes back first, then the parts, last one first. What comes later changes no month that was
 * filed.
 */
function shareRest(parts: Part[], { received, back, refunded }: { [Name in keyof Money]: MoneyOf<Name> }): void {
  let usedOfTopPaise = 0;
  for (const { id, amountPaise, paidOn, endedAt } of refunded) {
    const onTopPaise = received
      .filter(({ transfer: { matchedAt } }) => !matchedAt || !endedAt || matchedAt < endedAt)
      .reduce((sum, { transfer }) => sum + transfer.excessPaise, -usedOfTopPaise);
    const vouchers = back.filter(({ refundId }) => refundId === id);
    const restPaise = vouchers.reduce((rest, { content }) => rest - content.totalPaise, amountPaise);
    let leftPaise = Math.max(0, restPaise - onTopPaise);
    usedOfTopPaise += restPaise - leftPaise;
    for (const part of parts.toReversed()) {
      const ofPart = Math.min(leftPaise, restOf(part.sums, part.back).totalPaise);
      if (ofPart <= 0) continue;
      leftPaise -= ofPart;
      part.back.push({ ...shareOf(part.sums, part.back, ofPart), number: null, paidOn, notedAt: null });
    }
  }
}
