import { and, eq } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { dayBefore, writtenDay, yearLater } from "../../contract/india-time.ts";
import { later } from "../../contract/durations.ts";
import type { BankAccount } from "../../contract/seller.ts";
import { daysOfPaperMails } from "../accounts/mail-buyer.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import {
  attempts,
  type InvoiceContent,
  invoices,
  invoiceSeries,
  orders,
  type PayingTransfer,
  type QuoteTerm,
  quotes,
  type TaxSplit,
} from "../database/schema/index.ts";
import { invoiceShownAs } from "../files/shown-as.ts";
import { postEntry } from "../ledger/post-entry.ts";
import { oweEInvoice } from "../e-invoices/owe-e-invoice.ts";
import { mailCancelled } from "../e-invoices/mail-cancelled.ts";
import { hasCancelledInvoice, printedEInvoice } from "../e-invoices/of-invoice.ts";
import { paperPercent } from "../outside/documents/paper.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { taxedOf } from "./bill-to.ts";
import { keepAndMail } from "./keep-and-mail.ts";
import { mailOfInvoice } from "./mail-of-invoice.ts";
import { nextInSeries } from "./series.ts";
import { invoiceData } from "./invoice-document.ts";
import { orderNumber, quoteNumber } from "../../contract/numbers.ts";
import { taxOf } from "./tax.ts";

/**
 * An order with what paid it: one payment, or several transfers of which `paymentId` is the last. `givenUpPaise` is a
 * small shortfall that is written off. `paymentId` is empty for an order invoiced on terms before payment.
 */
export type PaidOrder = typeof orders.$inferSelect & {
  paymentId: string;
  transfers?: PayingTransfer[];
  givenUpPaise?: number;
};
/** Payment terms of an invoice that is issued before it is paid. */
export interface InvoiceTerms {
  creditDays: number;
  bank: BankAccount;
}
type QuoteRow = typeof quotes.$inferSelect;

/** The service accounting code (SAC) on each line; `invoice.typ` prints its name. */
const serviceAccountingCode = "998316";

/**
 * Issues the tax invoice of a paid order in the transaction of its payment, or with `terms` before payment; PDF and
 * mail follow through the queue.
 */
export async function issueInvoice(
  services: Services,
  transaction: Transaction,
  paid: PaidOrder,
  terms?: InvoiceTerms,
): Promise<void> {
  const order = { ...paid, ...(await billWhoPaid(transaction, paid)) };
  const [quote] = await transaction.select().from(quotes).where(eq(quotes.id, order.quoteId));
  if (!quote) throw new Error(`Order ${order.id} has no quote`);
  const { issuedAt, financialYear, serial } = await nextInSeries(services, transaction, invoiceSeries);
  const number = invoiceNumber(financialYear, serial);
  const content = {
    ...contentOf(order, quote, issuedAt),
    ...(order.deducts && { taxDeducted: order.deducts }),
    ...(order.transfers && { transfers: order.transfers }),
    ...(order.givenUpPaise && { givenUpPaise: order.givenUpPaise }),
    ...(terms && { dueOn: writtenDay(later(issuedAt, { days: terms.creditDays })), bank: terms.bank }),
    ...(await factsOfSeller(transaction)),
  };
  const [invoice] = await transaction
    .insert(invoices)
    .values({ orderId: order.id, financialYear, serial, number, content, issuedAt })
    .returning();
  if (!invoice) throw new Error("The invoice was not made");
  await postInvoice(transaction, invoice);
  await oweEInvoice(services, transaction, { of: { invoiceId: invoice.id }, number, issuedAt, content });
  await services.jobs.add(transaction, "render-invoice", { invoiceId: invoice.id });
  await audit(transaction, null, "issue invoice", `invoice:${number}`, { orderId: order.id });
}

/** Posts what the invoice makes owed and its due day; a prepaid invoice is due at once. */
const postInvoice = (
  transaction: Transaction,
  { id, orderId, number, content, issuedAt }: typeof invoices.$inferSelect,
) =>
  postEntry(transaction, {
    orderId,
    kind: "invoice",
    eventId: id,
    amountPaise: content.totalPaise,
    dueOn: content.dueOn ?? writtenDay(issuedAt),
    about: number,
    at: issuedAt,
  });

/**
 * The attempt that was paid decides who bought and who is billed; the order has these of the attempt started last.
 * Updates the order, and returns what differs.
 */
async function billWhoPaid(
  transaction: Transaction,
  { id, buyerId, billTo, tax, amountPaise }: PaidOrder,
): Promise<Partial<Pick<PaidOrder, "buyerId" | "billTo" | "tax" | "amountPaise">>> {
  const [paid] = await transaction
    .select({
      buyerId: attempts.startedBy,
      billTo: attempts.billTo,
      tax: attempts.tax,
      amountPaise: attempts.amountPaise,
    })
    .from(attempts)
    .where(and(eq(attempts.orderId, id), eq(attempts.state, "success")));
  if (!paid) return {};
  const different = {
    buyerId: paid.buyerId ?? buyerId,
    billTo: paid.billTo ?? billTo,
    // Both from the same attempt: another one may have a different tax.
    ...(paid.tax ? { tax: paid.tax, amountPaise: paid.amountPaise } : { tax, amountPaise }),
  };
  await transaction.update(orders).set(different).where(eq(orders.id, id));
  return different;
}

/** SOC/26-27/000123: the 16 characters that GST allows. */
export function invoiceNumber(financialYear: string, serial: number): string {
  return `SOC/${financialYear}/${String(serial).padStart(6, "0")}`;
}

/** The seller's facts in force at the time of issue. */
async function factsOfSeller(transaction: Transaction): Promise<Pick<InvoiceContent, "supplier" | "cin">> {
  const { cin } = await readSeller(transaction);
  return { supplier: brand, ...(cin && { cin }) };
}

/** Freezes what the invoice says of an order paid at this instant; its sums are those that were paid. */
export function contentOf(order: PaidOrder, quote: QuoteRow, issuedAt: Date): InvoiceContent {
  const tax = order.tax ?? taxAsItWas(order, quote, issuedAt);
  const { term } = quote;
  const from = term?.from ?? order.billTo.serviceStart ?? writtenDay(issuedAt);
  return {
    billTo: order.billTo,
    placeOfSupply: tax.placeOfSupply,
    treatment: tax.treatment,
    sentences: tax.sentences,
    period: { from, to: term?.to ?? dayBefore(yearLater(from)) },
    ...(term && { term }),
    quoteNumber: quoteNumber(quote.serial),
    orderNumber: orderNumber(order.serial),
    lines: quote.lines.map((line) => ({
      description: [`${line.service}: ${line.deviceType}`, ...(term ? partOfYear(term) : [])].join(", "),
      sac: serviceAccountingCode,
      quantity: line.number,
      ratePaise: line.ratePaise,
      amountPaise: line.amountPaise,
    })),
    subtotalPaise: quote.subtotalPaise,
    discountPaise: quote.discountPaise,
    taxablePaise: tax.taxablePaise,
    taxes: tax.taxes,
    roundOffPaise: tax.roundOffPaise,
    totalPaise: tax.totalPaise,
    paymentId: order.paymentId,
  };
}

/** How the price of a line added to a contract comes about; empty for the price of a full year. */
const partOfYear = ({ kind, days, daysOfYear, discountBasisPoints }: QuoteTerm): string[] =>
  kind === "renew"
    ? []
    : [
        `${days} of ${daysOfYear} days`,
        ...(discountBasisPoints > 0 ? [`less ${paperPercent(discountBasisPoints)} volume discount`] : []),
      ];

/** The tax of an order from before orders stored it: letters of undertaking did not count then. */
function taxAsItWas({ billTo: { gstin, state } }: PaidOrder, quote: QuoteRow, at: Date): TaxSplit {
  const seller = { stateCode: brand.stateCode, undertaking: null, roundToRupee: false };
  const buyer = { kind: gstin ? ("registered" as const) : ("unregistered" as const), stateCode: state ?? null };
  return taxOf(seller, buyer, taxedOf(quote, at));
}

/**
 * Renders an invoice, keeps it and mails it with the receipt or payment details. Safe to run again after a crash at any
 * point: one file, one mail. An invoice to be registered waits for its registration, which queues this again.
 */
export async function deliverInvoice(services: Services, invoiceId: string): Promise<void> {
  const [found] = await services.database
    .select({ invoice: invoices, order: orders })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .where(eq(invoices.id, invoiceId));
  if (!found || found.invoice.file) return;
  const { invoice, order } = found;
  const eInvoice = await printedEInvoice(services.database, { invoiceId });
  if (eInvoice === "waits") return;
  await keepAndMail(services, invoices, invoice.id, order, {
    kind: "invoice",
    pdf: await services.documents.render("invoice", invoiceData(invoice, eInvoice)),
    shownAs: invoiceShownAs(invoice.number),
    async mail(transaction) {
      // Cancelling locks the order too: either the mail has gone out by then, or this one tells the buyer of the
      // cancellation.
      const [locked] = await transaction.select().from(orders).where(eq(orders.id, order.id)).for("update");
      if (!locked) throw new Error(`Order ${order.id} is gone`);
      if (await hasCancelledInvoice(transaction, order.id)) {
        await mailCancelled(services, transaction, invoice, locked);
        return null;
      }
      const mail = await mailOfInvoice(services, transaction, invoice, locked);
      return { ...mail, uselessAfter: later(invoice.issuedAt, { days: daysOfPaperMails }) };
    },
  });
}
