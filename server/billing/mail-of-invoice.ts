import { and, eq, isNull, or } from "drizzle-orm";
import { orderNumber } from "../../contract/numbers.ts";
import type { Transaction } from "../database/database.ts";
import { invoices, orders, taxDeductions } from "../database/schema/index.ts";
import { creditedPaise } from "../ledger/deductible.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import { writtenOffOf } from "../ledger/take-back-write-off.ts";
import type { NewMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { findPayingTransfers } from "./paying-transfers.ts";
import { paymentIdsOf } from "./paid-by.ts";

type Invoice = typeof invoices.$inferSelect;
type Order = typeof orders.$inferSelect;
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
  const { dueOn, bank, billTo, totalPaise, taxDeducted, givenUpPaise = 0 } = content;
  const facts = { name: billTo.name, orderNumber: orderNumber(orderSerial), invoiceNumber: number, totalPaise };
  const receipt = { ...facts, template: "receipt", link: `${publicUrl}/user/orderhistory` } as const;
  if (!dueOn || !bank) {
    const paid = { paymentId: paymentIdsOf(content).join(", "), deductedPaise: taxDeducted?.amountPaise ?? 0 };
    return { eventKey: `receipt:${orderId}`, content: { ...receipt, ...paid, givenUpPaise } };
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
  const transfers = await findPayingTransfers(transaction, id);
  return {
    totalPaise: totalPaise - Number(invoice?.credited ?? 0),
    deductedPaise: claim?.amountPaise ?? 0,
    givenUpPaise: await writtenOffOf(transaction, id),
    paymentId: paymentIdsOf({ paymentId: paymentId ?? "", transfers }).join(", "),
  };
}
