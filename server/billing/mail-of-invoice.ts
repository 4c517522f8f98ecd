import { and, eq, isNull, or } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { orderNumber } from "../../contract/numbers.ts";
import { daysOfPaperMails, mailBuyer } from "../accounts/mail-buyer.ts";
import type { Transaction } from "../database/database.ts";
import { invoices, orders, taxDeductions } from "../database/schema/index.ts";
import { invoiceShownAs } from "../files/shown-as.ts";
import { creditedPaise } from "../ledger/deductible.ts";
import { moneyHerePaise, owedBesideNothing } from "../ledger/free-credit.ts";
import { writtenOffOf } from "../ledger/take-back-write-off.ts";
import type { NewMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { cameByTransfer, findPayingTransfers } from "./paying-transfers.ts";
import { paymentIdsOf } from "./paid-by.ts";

type Invoice = typeof invoices.$inferSelect;
type Order = typeof orders.$inferSelect;

type MailOfInvoice = Pick<NewMail, "eventKey" | "content">;

/**
 * The mail that carries an invoice: a receipt for what was paid, or how to pay what is owed now. The order is locked:
 * an invoice issued before payment may have been paid, credited or reduced by deducted tax since.
 */
export async function mailOfInvoice(
  services: Services,
  transaction: Transaction,
  invoice: Invoice,
  order: Order,
): Promise<MailOfInvoice> {
  const { orderId, content } = invoice;
  const { dueOn, bank, totalPaise, taxDeducted, givenUpPaise = 0 } = content;
  const receipt = receiptOf(services, invoice, order.serial);
  if (!dueOn || !bank) {
    const paid = { paymentId: paymentIdsOf(content).join(", "), deductedPaise: taxDeducted?.amountPaise ?? 0 };
    const { onTopPaise: excessPaise } = await cameByTransfer(transaction, orderId);
    return { eventKey: `receipt:${orderId}`, content: { ...receipt, ...paid, givenUpPaise, excessPaise } };
  }
  // One key for both contents, so that two concurrent deliveries write one mail.
  const eventKey = `invoice-due:${orderId}`;
  const payPaise = Math.max(0, owedBesideNothing(order));
  if (payPaise === 0 && order.paymentId !== null)
    return { eventKey, content: { ...receipt, ...(await paidSince(transaction, order, totalPaise)) } };
  const due = { payPaise, dueOn: order.dueOn ?? dueOn, bank, link: `${services.publicUrl}/user/payments-due` };
  return { eventKey, content: { ...factsOf(invoice, order.serial), template: "invoiceDue", ...due } };
}

const factsOf = ({ number, content: { billTo, totalPaise } }: Invoice, orderSerial: number) => ({
  name: billTo.name,
  orderNumber: orderNumber(orderSerial),
  invoiceNumber: number,
  totalPaise,
});

/** The fields of every receipt, however the invoice was paid. */
const receiptOf = ({ publicUrl }: Services, invoice: Invoice, orderSerial: number) =>
  ({
    ...factsOf(invoice, orderSerial),
    template: "receipt",
    link: `${publicUrl}/user/orderhistory?search=${orderNumber(orderSerial)}`,
  }) as const;

/**
 * Mails the receipt of an invoice issued before payment, with its PDF, once it is paid in full. An invoice that has not
 * gone out yet says so in its own mail, unless something is owed again by then. The order is locked and paid.
 */
export async function mailReceipt(services: Services, transaction: Transaction, orderId: string): Promise<void> {
  const [found] = await transaction
    .select({ invoice: invoices, order: orders })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .where(eq(invoices.orderId, orderId));
  if (!found) return;
  const { invoice, order } = found;
  const { file, number, content } = invoice;
  if (!file || !content.dueOn) return;
  await mailBuyer(services, transaction, order, {
    eventKey: `receipt:${orderId}`,
    content: {
      ...receiptOf(services, invoice, order.serial),
      ...(await paidSince(transaction, order, content.totalPaise)),
    },
    attachments: [{ file, shownAs: invoiceShownAs(number) }],
    uselessAfter: later(services.now(), { days: daysOfPaperMails }),
  });
}

/** What paid an invoice after it was issued. Credited amounts were not to be paid. */
async function paidSince(transaction: Transaction, { id, paymentId, amissPaise }: Order, invoicedPaise: number) {
  const [invoice] = await transaction
    .select({ credited: creditedPaise })
    .from(invoices)
    .where(eq(invoices.orderId, id));
  const isCounted = or(isNull(taxDeductions.debtSince), eq(taxDeductions.state, "matched"));
  const [claim] = await transaction
    .select()
    .from(taxDeductions)
    .where(and(eq(taxDeductions.orderId, id), isCounted));
  const transfers = await findPayingTransfers(transaction, id);
  const totalPaise = invoicedPaise - Number(invoice?.credited ?? 0);
  const deductedPaise = claim?.amountPaise ?? 0;
  const givenUpPaise = await writtenOffOf(transaction, id);
  const camePaise = (await moneyHerePaise(transaction, id)) - amissPaise;
  return {
    totalPaise,
    deductedPaise,
    givenUpPaise,
    excessPaise: Math.max(0, camePaise - (totalPaise - deductedPaise - givenUpPaise)),
    // The last part may have been paid online, through a form opened before the invoice was issued.
    paymentId: [...new Set([...paymentIdsOf({ paymentId: "", transfers }), paymentId])].filter(Boolean).join(", "),
  };
}
