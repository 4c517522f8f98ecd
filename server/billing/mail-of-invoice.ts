import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Transaction } from "../database/database.ts";
import { enteredStates, invoices, orders, people, taxDeductions, transfers } from "../database/schema/index.ts";
import { invoiceShownAs } from "../files/shown-as.ts";
import { creditedPaise } from "../ledger/deductible.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import { writtenOffOf } from "../ledger/take-back-write-off.ts";
import { type NewMail, queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { findPayingTransfers } from "./paying-transfers.ts";
import { paymentIdsOf } from "./paid-by.ts";

type Invoice = typeof invoices.$inferSelect;
type Order = typeof orders.$inferSelect;
/** So long the mail of an invoice is tried; shorter than mails are remembered. */
export const receiptDays = 180;

type MailOfInvoice = Pick<NewMail, "eventKey" | "content">;

/**
 * The mail that an invoice goes out with: the receipt of what was paid, or how to pay what is owed now. Locks the order of one that
 * came before its money, as that may be paid, credited or net of tax since.
 */
export async function mailOfInvoice(
  { publicUrl }: Services,
  transaction: Transaction,
  { orderId, number, content }: Invoice,
  orderSerial: number,
): Promise<MailOfInvoice> {
  const { dueOn, bank, totalPaise, taxDeducted, givenUpPaise = 0 } = content;
  const facts = factsOf(number, content, orderSerial);
  const receipt = { ...facts, template: "receipt", link: orderLink(publicUrl) } as const;
  if (!dueOn || !bank) {
    const paid = { paymentId: paymentIdsOf(content).join(", "), deductedPaise: taxDeducted?.amountPaise ?? 0 };
    const excessPaise = await excessOf(transaction, orderId);
    return { eventKey: `receipt:${orderId}`, content: { ...receipt, ...paid, givenUpPaise, excessPaise } };
  }
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId)).for("update");
  if (!order) throw new Error(`Order ${orderId} is gone`);
  // One key for all that it may say: two that deliver it at once write one mail.
  const eventKey = `invoice-due:${orderId}`;
  const payPaise = Math.max(0, owedBesideNothing(order));
  if (payPaise === 0 && order.paymentId !== null)
    return { eventKey, content: { ...receipt, ...(await paidSince(transaction, order, totalPaise)) } };
  const due = { payPaise, dueOn: order.dueOn ?? dueOn, bank, link: `${publicUrl}/user/payments-due` };
  return { eventKey, content: { ...facts, template: "invoiceDue", ...due } };
}

const factsOf = (number: string, { billTo, totalPaise }: Invoice["content"], orderSerial: number) => ({
  name: billTo.name,
  orderNumber: orderNumber(orderSerial),
  invoiceNumber: number,
  totalPaise,
});
const orderLink = (publicUrl: string) => `${publicUrl}/user/orderhistory`;

/**
 * Mails the receipt of an invoice that went out before its money, with it, once the last of that has come. Of one that has not gone
 * out yet its own mail says so. The order is locked and paid.
 */
export async function mailReceipt(services: Services, transaction: Transaction, orderId: string): Promise<void> {
  const [found] = await transaction
    .select({ invoice: invoices, order: orders, email: people.email })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .innerJoin(people, eq(people.id, orders.buyerId))
    .where(eq(invoices.orderId, orderId));
  if (!found) return;
  const { order, email } = found;
  const { file, number, content } = found.invoice;
  if (!file || !content.dueOn) return;
  await queueMail(services, transaction, {
    eventKey: `receipt:${orderId}`,
    to: email,
    content: {
      ...factsOf(number, content, order.serial),
      template: "receipt",
      link: orderLink(services.publicUrl),
      ...(await paidSince(transaction, order, content.totalPaise)),
    },
    attachments: [{ file, shownAs: invoiceShownAs(number) }],
    uselessAfter: later(services.now(), { days: receiptDays }),
  });
}

/** What paid an invoice after it was made. What was credited of it was not to be paid. */
async function paidSince(transaction: Transaction, { id, paymentId }: Order, totalPaise: number) {
  const [invoice] = await transaction
    .select({ credited: creditedPaise })
    .from(invoices)
    .where(eq(invoices.orderId, id));
  const isCounted = or(isNull(taxDeductions.debtSince), eq(taxDeductions.state, "matched"));
  const [claim] = await transaction
    .select()
    .from(taxDeductions)
    .where(and(eq(taxDeductions.orderId, id), isCounted));
  const paying = await findPayingTransfers(transaction, id);
  return {
    totalPaise: totalPaise - Number(invoice?.credited ?? 0),
    deductedPaise: claim?.amountPaise ?? 0,
    givenUpPaise: await writtenOffOf(transaction, id),
    excessPaise: await excessOf(transaction, id),
    paymentId: paymentIdsOf({ paymentId: paymentId ?? "", transfers: paying }).join(", "),
  };
}

/** What came for an order by transfer on top of what was to be paid. */
async function excessOf(transaction: Transaction, orderId: string): Promise<number> {
  const [came] = await transaction
    .select({ paise: sql<string>`coalesce(sum(${transfers.excessPaise}), 0)` })
    .from(transfers)
    .where(and(eq(transfers.orderId, orderId), inArray(transfers.state, enteredStates)));
  return Number(came?.paise ?? 0);
}
