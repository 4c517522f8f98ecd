import { and, eq, sql } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { indiaCalendar } from "../../contract/india-time.ts";
import { later } from "../../contract/durations.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import {
  attempts,
  type InvoiceContent,
  invoices,
  invoiceSeries,
  orders,
  people,
  quotes,
} from "../database/schema/index.ts";
import { invoiceShownAs } from "../files/shown-as.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { invoiceData } from "./invoice-document.ts";
import { orderNumber } from "../../contract/numbers.ts";

type PaidOrder = typeof orders.$inferSelect & { paymentId: string };
type QuoteRow = typeof quotes.$inferSelect;

/** Information technology infrastructure and network management services: the service accounting code on each line. */
const serviceAccountingCode = "998316";
/** So long the mail of an invoice is tried; shorter than mails are remembered. */
const receiptDays = 180;

/** Makes the tax invoice of a paid order in the transaction of its payment; PDF and mail follow through the queue. */
export async function issueInvoice(services: Services, transaction: Transaction, paid: PaidOrder): Promise<void> {
  const order = { ...paid, ...(await billWhoPaid(transaction, paid)) };
  const [quote] = await transaction.select().from(quotes).where(eq(quotes.id, order.quoteId));
  if (!quote) throw new Error(`Order ${order.id} has no quote`);
  const issuedAt = services.now();
  const financialYear = financialYearOf(issuedAt);
  const serial = await nextSerial(transaction, financialYear);
  const number = invoiceNumber(financialYear, serial);
  const [invoice] = await transaction
    .insert(invoices)
    .values({ orderId: order.id, financialYear, serial, number, content: contentOf(order, quote), issuedAt })
    .returning({ id: invoices.id });
  await services.jobs.add(transaction, "render-invoice", { invoiceId: invoice?.id ?? "" });
  await audit(transaction, null, "issue invoice", `invoice:${number}`, { orderId: order.id });
}

/**
 * The form that was paid says who bought and who is billed: the order says so of the form handed out last.
 * Answers what is different from the order.
 */
async function billWhoPaid(
  transaction: Transaction,
  { id, buyerId, billTo }: PaidOrder,
): Promise<Partial<Pick<PaidOrder, "buyerId" | "billTo">>> {
  const [paid] = await transaction
    .select({ buyerId: attempts.startedBy, billTo: attempts.billTo })
    .from(attempts)
    .where(and(eq(attempts.orderId, id), eq(attempts.state, "success")));
  if (!paid) return {};
  const different = { buyerId: paid.buyerId ?? buyerId, billTo: paid.billTo ?? billTo };
  await transaction.update(orders).set(different).where(eq(orders.id, id));
  return different;
}

/** April to March in India: 2026-03-31T18:30Z begins 26-27. */
export function financialYearOf(instant: Date): string {
  const india = indiaCalendar(instant);
  const first = india.getUTCMonth() >= 3 ? india.getUTCFullYear() : india.getUTCFullYear() - 1;
  return `${first % 100}-${(first + 1) % 100}`.replace(/\b\d\b/g, "0$&");
}

/** SOC/26-27/000123: 16 characters, the most that GST allows. */
export function invoiceNumber(financialYear: string, serial: number): string {
  return `SOC/${financialYear}/${String(serial).padStart(6, "0")}`;
}

/** The row stays locked until the transaction ends: one that rolls back leaves no gap. */
async function nextSerial(transaction: Transaction, financialYear: string): Promise<number> {
  const [series] = await transaction
    .insert(invoiceSeries)
    .values({ financialYear, lastSerial: 1 })
    .onConflictDoUpdate({
      target: invoiceSeries.financialYear,
      set: { lastSerial: sql`${invoiceSeries.lastSerial} + 1` },
    })
    .returning({ serial: invoiceSeries.lastSerial });
  return series?.serial ?? 1;
}

/** Freezes what the invoice says. The taxes add up to the quote's GST to the paisa. */
export function contentOf(order: PaidOrder, quote: QuoteRow): InvoiceContent {
  const placeOfSupply = order.billTo.state ?? brand.stateCode;
  return {
    supplier: brand,
    billTo: order.billTo,
    placeOfSupply,
    lines: quote.lines.map((line) => ({
      description: `${line.service}: ${line.deviceType}`,
      sac: serviceAccountingCode,
      quantity: line.number,
      ratePaise: line.ratePaise,
      amountPaise: line.amountPaise,
    })),
    subtotalPaise: quote.subtotalPaise,
    discountPaise: quote.discountPaise,
    taxablePaise: quote.subtotalPaise - quote.discountPaise,
    taxes: taxesOf(quote, placeOfSupply === brand.stateCode),
    totalPaise: quote.totalPaise,
    paymentId: order.paymentId,
  };
}

/** Within the supplier's state half goes to the centre and half to the state; an odd paisa goes to the state. */
function taxesOf({ gstPaise, gstBasisPoints }: QuoteRow, sameState: boolean): InvoiceContent["taxes"] {
  if (!sameState) return [{ name: "IGST", basisPoints: gstBasisPoints, amountPaise: gstPaise }];
  const half = Math.floor(gstPaise / 2);
  return [
    { name: "CGST", basisPoints: gstBasisPoints / 2, amountPaise: half },
    { name: "SGST", basisPoints: gstBasisPoints / 2, amountPaise: gstPaise - half },
  ];
}

/** Renders an invoice, keeps it and mails it with the receipt. Killed anywhere, it can run again: each comes once. */
export async function deliverInvoice(services: Services, invoiceId: string): Promise<void> {
  const [found] = await services.database
    .select({ invoice: invoices, buyerEmail: people.email, orderSerial: orders.serial })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .innerJoin(people, eq(people.id, orders.buyerId))
    .where(eq(invoices.id, invoiceId));
  if (!found || found.invoice.file) return;
  const { invoice, buyerEmail, orderSerial } = found;
  const file = `invoice-${invoice.id}.pdf`;
  await services.files.write(file, await services.documents.render("invoice", invoiceData(invoice)));
  await services.database.transaction(async (transaction) => {
    await transaction.update(invoices).set({ file }).where(eq(invoices.id, invoiceId));
    await queueMail(services, transaction, {
      eventKey: `receipt:${invoice.orderId}`,
      to: buyerEmail,
      content: {
        template: "receipt",
        name: invoice.content.billTo.name,
        orderNumber: orderNumber(orderSerial),
        invoiceNumber: invoice.number,
        totalPaise: invoice.content.totalPaise,
        paymentId: invoice.content.paymentId,
        link: `${services.publicUrl}/user/orderhistory`,
      },
      attachments: [{ file, shownAs: invoiceShownAs(invoice.number) }],
      // Made again years later it must not be mailed again: what was sent is forgotten by then.
      uselessAfter: later(invoice.issuedAt, { days: receiptDays }),
    });
  });
}
