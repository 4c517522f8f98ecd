import { and, eq, isNull, or } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import { formatRupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import { audit } from "../audit/audit.ts";
import { issueReceipt } from "../billing/receipts.ts";
import type { Database, Transaction } from "../database/database.ts";
import { invoices, orders, proformas, taxDeductions, transfers } from "../database/schema/index.ts";
import { askWhetherMeant, Failure } from "../failures/failure.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import { postEntry } from "../ledger/post-entry.ts";
import { takeBackWriteOff, writtenOffOf } from "../ledger/take-back-write-off.ts";
import { notify } from "../notices/notify.ts";
import { noteFindings, settleFindings } from "../orders/findings.ts";
import { settleOtherSum } from "../orders/other-sum.ts";
import { payOrder } from "../orders/pay-order.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { sumsOfTransfers } from "../refunds/payment.ts";
import { showRefunds } from "../refunds/show-refunds.ts";
import type { Services } from "../services.ts";
import { claimDeducted } from "./claim-deducted.ts";
import { findPayingTransfers } from "../billing/paying-transfers.ts";
import { reopenProforma } from "./reopen-proforma.ts";
import { transferTransitions } from "./transitions.ts";

export type TransferRow = typeof transfers.$inferSelect;
type Order = typeof orders.$inferSelect;

// Banks insert spaces and strokes into the reference and put digits of their own next to it. The last six digits must
// be contiguous: if all separators were ignored, a proforma's number followed by a date would read as another order's
// reference.
const referenceShape = /PF[\s/-]?\d\d[\s/-]?\d\d[\s/-]?\d{6}(?!\d)/g;

/** The order whose proforma reference appears in a bank's narration; null if none or more than one does. */
export async function findByNarration(database: Database | Transaction, narration: string): Promise<string | null> {
  const written = narration.toUpperCase().match(referenceShape) ?? [];
  const references = [...new Set(written.map((each) => each.replaceAll(/[\s/-]/g, "")))];
  if (references.length !== 1) return null;
  const [found] = await database
    .select({ orderId: proformas.orderId })
    .from(proformas)
    .where(eq(proformas.reference, references[0] ?? ""));
  return found?.orderId ?? null;
}

/** The order named by a document's number, a proforma's reference or the order's own number; null for none. */
export async function findNamed(database: Database | Transaction, typed: string): Promise<string | null> {
  const name = typed.trim().toUpperCase();
  const [ofProforma] = await database
    .select({ orderId: proformas.orderId })
    .from(proformas)
    .where(or(eq(proformas.number, name), eq(proformas.reference, name)));
  if (ofProforma) return ofProforma.orderId;
  const [ofInvoice] = await database
    .select({ orderId: invoices.orderId })
    .from(invoices)
    .where(eq(invoices.number, name));
  if (ofInvoice) return ofInvoice.orderId;
  const serial = /^O-(\d{1,15})$/.exec(name)?.[1];
  if (!serial) return null;
  const [order] = await database
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.serial, Number(serial)));
  return order?.id ?? null;
}

/**
 * What is still due for an order: of its invoice, or before there is one its price less deducted tax. Money of a
 * payment that pays for nothing is to be refunded and does not count.
 */
function duePaiseOf(order: Order, isInvoiced: boolean): number {
  const duePaise = owedBesideNothing(order);
  return isInvoiced ? duePaise : order.amountPaise - (order.deducts?.amountPaise ?? 0) + duePaise;
}

/** Locks a transfer and the order that it pays, the order first as everywhere. */
async function lockForMatch(transaction: Transaction, transferId: string, orderId: string) {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId)).for("update");
  const [transfer] = await transaction.select().from(transfers).where(eq(transfers.id, transferId)).for("update");
  if (!order || !transfer) throw new Error(`Transfer ${transferId} or order ${orderId} is gone`);
  return { order, transfer };
}

/**
 * Enters a transfer into the ledger of its order, once, and pays the order as soon as everything has come. A part
 * payment before the invoice gets a receipt, and reopens the last void proforma if none is open; an excess stays as a
 * credit that a person looks at. Returns a sentence with the outcome.
 * @param unsure the document that a person named as paid, if they have not yet confirmed an unlikely sum or day;
 * otherwise null
 * @throws Failure conflict that asks for this confirmation
 */
export async function matchTransfer(
  services: Services,
  transaction: Transaction,
  transferId: string,
  orderId: string,
  actorId: string | null,
  unsure: string | null = null,
): Promise<string> {
  const { order: found, transfer } = await lockForMatch(transaction, transferId, orderId);
  refuseSetAside(transfer);
  const isInvoiced = (await transaction.$count(invoices, eq(invoices.orderId, orderId))) > 0;
  const isNews = transfer.state === "announced" || transfer.state === "seen";
  if (isNews && unsure !== null) askUnlikely(unsure, duePaiseOf(found, isInvoiced), found, transfer);
  const isUnasked = isNews && !isInvoiced && found.expectedPaise === 0;
  const isShort = transfer.amountPaise < duePaiseOf(found, isInvoiced);
  const order = isUnasked && isShort ? await reopenProforma(services, transaction, found, actorId) : found;
  const openPaise = Math.max(0, duePaiseOf(order, isInvoiced));
  // Taken first, so that History shows the transfer before the debt that it revives.
  const matchedAt = services.now();
  const duePaise = openPaise + (isNews ? await owedAgain(services, transaction, transfer, orderId, openPaise) : 0);
  const excessPaise = Math.max(0, transfer.amountPaise - duePaise);
  const step = transferTransitions[transfer.state][excessPaise > 0 ? "matched over" : "matched"];
  const number = orderNumber(order.serial);
  if (!step.effects.includes("enter the money")) return `${transfer.utr} is matched already.`;
  const news = { state: step.state, orderId, excessPaise, matchedAt };
  const matched = { ...transfer, ...news };
  await transaction.update(transfers).set(news).where(eq(transfers.id, transferId));
  await enterMoney(services, transaction, matched);
  const facts = { utr: transfer.utr, order: number, amountPaise: transfer.amountPaise };
  await audit(transaction, actorId, "match transfer", `transfer:${transferId}`, facts);
  await settleFindings(transaction, ["unknown transfer"], [transfer.utr], `It pays ${number}.`, services.now());
  if (duePaise > 0 && transfer.amountPaise >= duePaise)
    await settleOtherSum(services, transaction, orderId, "debt", "The rest came.");
  const sum = formatRupees(transfer.amountPaise);
  if (step.effects.includes("call a person")) await noteExcess(transaction, order, matched);
  if (transfer.amountPaise < duePaise) {
    if (!isInvoiced) await issueReceipt(services, transaction, order, matched);
    if (!isInvoiced && order.expectedPaise === 0) await noteUnasked(transaction, order, matched);
    return `${sum} came for ${number}; ${formatRupees(duePaise - transfer.amountPaise)} are still to come.`;
  }
  // Nothing is due for an order that is paid, or whose invoice was cancelled or credited (decision 113).
  if (isInvoiced && duePaise === 0)
    return `${sum} came for ${number}, for which nothing was to be paid: all of it stands as a credit.`;
  if (order.paymentId === null) {
    const writtenOffPaise = await writtenOffOf(transaction, orderId);
    if (writtenOffPaise > 0) return `${sum} came for ${number}; ${formatRupees(writtenOffPaise)} stay written off.`;
    await settleOrder(services, transaction, order, matched);
  }
  return excessPaise > 0
    ? `${number} is paid; ${formatRupees(excessPaise)} more came than was to be paid.`
    : `${number} is paid.`;
}

/** @throws Failure conflict for a transfer that is set aside */
export function refuseSetAside({ state, utr }: TransferRow): void {
  if (state !== "set_aside") return;
  throw new Failure("conflict", `${utr} is set aside as not from a customer. Please put it back first.`);
}

/**
 * Asks for one more confirmation before a person enters something unlikely, listing everything at once: a sum far above
 * what the document asks for, such as one with a digit too many, which could then be refunded; or a day before the
 * order, such as one in last year, which would put the tax on an advance into a month already declared.
 * @throws Failure conflict
 */
function askUnlikely(
  pays: string,
  duePaise: number,
  { createdAt }: Order,
  { amountPaise, receivedOn }: TransferRow,
): void {
  const orderedOn = writtenDay(createdAt);
  const asked: { word: string; sentence: string }[] = [];
  if (duePaise > 0 && amountPaise > 2 * duePaise)
    asked.push({
      word: "sum",
      sentence: `Only ${formatRupees(duePaise)} are to be paid for ${pays}, and ${formatRupees(amountPaise)} are more than twice as much. Please compare it with the bank: what is too much stands as a credit, and leaves only as a refund.`,
    });
  if (receivedOn < orderedOn)
    asked.push({
      word: "day",
      sentence: `${pays} belongs to an order of ${paperDay(orderedOn)}, and this money is said to have come on ${paperDay(receivedOn)}, before it. Please compare the day with the bank: papers and the tax on advances go by it.`,
    });
  if (asked.length > 0) throw askWhetherMeant(asked);
}

/** Takes back a write-off of money that has come after all. */
const owedAgain = (
  services: Services,
  transaction: Transaction,
  { id, utr, amountPaise }: TransferRow,
  orderId: string,
  openPaise: number,
) =>
  takeBackWriteOff(services, transaction, {
    orderId,
    eventId: id,
    camePaise: amountPaise - openPaise,
    reason: `${utr} came after it.`,
  });

const enterMoney = (
  { now }: Services,
  transaction: Transaction,
  { id, orderId, utr, amountPaise }: TransferRow & { orderId: string },
) =>
  postEntry(transaction, { orderId, kind: "payment", eventId: id, amountPaise: -amountPaise, about: utr, at: now() });

async function noteExcess(transaction: Transaction, order: Order, { utr, amountPaise, excessPaise }: TransferRow) {
  const says = `${formatRupees(amountPaise)} came by transfer ${utr}, ${formatRupees(excessPaise)} more than was to be paid. It stands as a credit of ${order.organisationName}.`;
  await noteFindings(transaction, [{ kind: "transfer over", key: utr, says, order }]);
}

/** Part of an order's sum came, and no proforma asks for the rest. */
async function noteUnasked(transaction: Transaction, order: Order, { utr, amountPaise }: TransferRow) {
  const says = `${formatRupees(amountPaise)} came by transfer ${utr}, less than ${order.organisationName} was to pay, and no proforma asks for the rest. It stands as a credit.`;
  await noteFindings(transaction, [{ kind: "transfer short", key: utr, says, order }]);
}

/** Everything has come: pays the order as if online, and claims what was deducted. */
export async function settleOrder(
  services: Services,
  transaction: Transaction,
  order: Order & { givenUpPaise?: number },
  { utr }: Pick<TransferRow, "utr">,
): Promise<void> {
  const paid = { ...order, paymentId: utr, transfers: await findPayingTransfers(transaction, order.id) };
  await payOrder(services, transaction, paid, "transfer");
  await claimDeducted(services, transaction, order);
  // Part of an invoiced sum may have been refunded, or be on its way back, before all of it came.
  await showRefunds(transaction, { attempt: null, order: { ...order, paymentId: utr } }, services.now());
  await settleShort(services, transaction, order.id);
  const { organisationId, organisationName: organizationName } = order;
  const facts = {
    organizationName,
    orderNumber: orderNumber(order.serial),
    ...(await whatCame(transaction, order.id)),
  };
  await notify(transaction, "payment received", order.id, facts, { organisationId });
}

/** Settles findings about transfers that were too small: the rest came. */
async function settleShort({ now }: Services, transaction: Transaction, orderId: string): Promise<void> {
  const came = await transaction.select({ utr: transfers.utr }).from(transfers).where(eq(transfers.orderId, orderId));
  const utrs = came.map(({ utr }) => utr);
  await settleFindings(transaction, ["transfer short"], utrs, "The rest of it came.", now());
}

/** What paid the order: the money that came, the deducted tax that is not owed again, and any excess. */
async function whatCame(transaction: Transaction, orderId: string) {
  const { camePaise, excessPaise } = await sumsOfTransfers(transaction, orderId);
  const [claim] = await transaction
    .select({ amountPaise: taxDeductions.amountPaise })
    .from(taxDeductions)
    .where(and(eq(taxDeductions.orderId, orderId), isNull(taxDeductions.debtSince)));
  return { camePaise: camePaise - excessPaise, deductedPaise: claim?.amountPaise ?? 0, excessPaise };
}
