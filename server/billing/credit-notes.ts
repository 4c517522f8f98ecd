import { eq } from "drizzle-orm";
import { formatRupees } from "../../contract/money.ts";
import { later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { orderNumber } from "../../contract/numbers.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { type CreditNoteContent, creditNotes, creditNoteSeries, invoices, orders } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { creditNoteShownAs } from "../files/shown-as.ts";
import { postEntry } from "../ledger/post-entry.ts";
import { oweEInvoice } from "../e-invoices/owe-e-invoice.ts";
import { isCancelledInvoice, printedEInvoice } from "../e-invoices/of-invoice.ts";
import type { Services } from "../services.ts";
import { creditNoteData } from "./credit-note-document.ts";
import { grossOf, shareOf, type Sums } from "./credit-share.ts";
import { keepAndMail } from "./keep-and-mail.ts";
import { nextInSeries } from "./series.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { brand } from "../../contract/brand.ts";
import { daysOfPaperMails } from "../accounts/mail-buyer.ts";

type Invoice = typeof invoices.$inferSelect;

/** What to credit, of an invoice or of an order's invoice. `amountPaise` is what the customer gets, tax included. */
export type Credit = ({ orderId: string } | { invoiceId: string }) & {
  amountPaise: number;
  /** Printed on the credit note. */
  reason: string;
  /** What it follows from, such as refund:ID; asking again for the same cause returns the same credit note. */
  cause?: string;
  /** The person who decided it; null where it follows automatically. */
  actorId?: string | null;
};

/**
 * Issues a credit note in the transaction of its cause; PDF and mail follow through the queue. Its taxes are the
 * invoice's in proportion, so that all credit notes of an invoice add up to it, to the paisa.
 * @throws Failure not_found where there is no invoice; conflict for more than is left of it
 */
export async function issueCreditNote(
  services: Services,
  transaction: Transaction,
  { amountPaise, reason, cause, actorId = null, ...of }: Credit,
): Promise<{ id: string; number: string }> {
  const invoice = await lockInvoice(transaction, of);
  const before = await transaction.select().from(creditNotes).where(eq(creditNotes.invoiceId, invoice.id));
  const same = cause === undefined ? undefined : before.find((note) => note.cause === cause);
  if (same) return same;
  await refuseCancelled(transaction, invoice);
  refuseTooMuch(invoice, before, amountPaise);
  const { issuedAt, financialYear, serial } = await nextInSeries(services, transaction, creditNoteSeries);
  const number = creditNoteNumber(financialYear, serial);
  const { cin } = await readSeller(transaction);
  const content = { ...contentOf(invoice, before, amountPaise, reason), supplier: brand, ...(cin && { cin }) };
  const [made] = await transaction
    .insert(creditNotes)
    .values({
      invoiceId: invoice.id,
      financialYear,
      serial,
      number,
      amountPaise,
      cause: cause ?? null,
      content,
      issuedAt,
    })
    .returning({ id: creditNotes.id, number: creditNotes.number });
  if (!made) throw new Error("The credit note was not made");
  await postEntry(transaction, {
    orderId: invoice.orderId,
    kind: "credit note",
    eventId: made.id,
    amountPaise: -amountPaise,
    about: number,
    at: issuedAt,
  });
  await oweEInvoice(services, transaction, { of: { creditNoteId: made.id }, number, issuedAt, content });
  await services.jobs.add(transaction, "render-credit-note", { creditNoteId: made.id });
  await audit(transaction, actorId, "issue credit note", `credit note:${number}`, {
    invoice: invoice.number,
    amountPaise,
    reason,
  });
  return made;
}

/**
 * Turns an amount without tax into a credit of an order's invoice, capped at what is left of it: passing `totalPaise`
 * to `issueCreditNote` gives a credit note of this taxable value. The invoice stays locked.
 * @throws Failure not_found
 */
export async function creditWithin(
  transaction: Transaction,
  orderId: string,
  wantedPaise: number,
): Promise<Pick<Sums, "taxablePaise" | "totalPaise">> {
  const invoice = await lockInvoice(transaction, { orderId });
  const before = await transaction.select().from(creditNotes).where(eq(creditNotes.invoiceId, invoice.id));
  const whole: Sums = { roundOffPaise: 0, ...invoice.content };
  const credited = before.map(({ content }) => content);
  const leftPaise = invoice.content.totalPaise - creditedOf(before);
  const totalPaise = wantedPaise > 0 ? Math.min(grossOf(whole, credited, wantedPaise), leftPaise) : 0;
  return totalPaise > 0 ? shareOf(whole, credited, totalPaise) : { taxablePaise: 0, totalPaise: 0 };
}

/**
 * The paise of an order's invoice that can still be credited, tax included; the invoice stays locked.
 * @throws Failure not_found
 */
export async function leftToCredit(transaction: Transaction, orderId: string): Promise<number> {
  const { id, content } = await lockInvoice(transaction, { orderId });
  const before = await transaction.select().from(creditNotes).where(eq(creditNotes.invoiceId, id));
  return content.totalPaise - creditedOf(before);
}

/** CN/26-27/00001: 14 of the 16 characters that GST allows. */
export const creditNoteNumber = (financialYear: string, serial: number) =>
  `CN/${financialYear}/${String(serial).padStart(5, "0")}`;

/** Locks the invoice, so that concurrent credits take turns; its order is locked first, as everywhere. */
async function lockInvoice(transaction: Transaction, of: { orderId: string } | { invoiceId: string }) {
  const isOf = "orderId" in of ? eq(invoices.orderId, of.orderId) : eq(invoices.id, of.invoiceId);
  const [found] = await transaction.select({ orderId: invoices.orderId }).from(invoices).where(isOf);
  if (found) await transaction.select({ id: orders.id }).from(orders).where(eq(orders.id, found.orderId)).for("update");
  const [invoice] = await transaction.select().from(invoices).where(isOf).for("update");
  if (!invoice) throw notFound("The invoice");
  return invoice;
}

async function refuseCancelled(transaction: Transaction, { orderId, number }: Invoice): Promise<void> {
  if (await isCancelledInvoice(transaction, orderId))
    throw new Failure("conflict", `Invoice ${number} was cancelled: there is nothing to credit.`);
}

const creditedOf = (before: readonly { amountPaise: number }[]) =>
  before.reduce((sum, { amountPaise }) => sum + amountPaise, 0);

function refuseTooMuch(invoice: Invoice, before: readonly { amountPaise: number }[], amountPaise: number): void {
  const leftPaise = invoice.content.totalPaise - creditedOf(before);
  if (Number.isSafeInteger(amountPaise) && amountPaise > 0 && amountPaise <= leftPaise) return;
  throw new Failure(
    "conflict",
    leftPaise > 0
      ? `Of invoice ${invoice.number}, ${formatRupees(leftPaise)} is left to be credited. Please choose a sum up to that.`
      : `Invoice ${invoice.number} has been credited in full.`,
  );
}

function contentOf(
  { number, issuedAt, content }: Invoice,
  before: readonly { content: CreditNoteContent }[],
  amountPaise: number,
  reason: string,
): CreditNoteContent {
  const { billTo, placeOfSupply, treatment, sentences, lines, ...rest } = content;
  const whole: Sums = { roundOffPaise: 0, ...rest };
  return {
    billTo,
    placeOfSupply,
    ...(treatment && { treatment }),
    ...(sentences && { sentences }),
    invoiceNumber: number,
    invoiceDay: writtenDay(issuedAt),
    sac: lines[0]?.sac ?? "",
    description: `Security operations centre subscription, invoice ${number}`,
    ...shareOf(
      whole,
      before.map((note) => note.content),
      amountPaise,
    ),
    reason,
  };
}

/** Renders a credit note, keeps it and mails it. Safe to run again after a crash at any point: one file, one mail. */
export async function deliverCreditNote(services: Services, creditNoteId: string): Promise<void> {
  const [found] = await services.database
    .select({ note: creditNotes, order: orders })
    .from(creditNotes)
    .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .where(eq(creditNotes.id, creditNoteId));
  if (!found || found.note.file) return;
  const { note, order } = found;
  const eInvoice = await printedEInvoice(services.database, { creditNoteId });
  if (eInvoice === "waits") return;
  await keepAndMail(services, creditNotes, note.id, order, {
    kind: "credit-note",
    pdf: await services.documents.render("creditNote", creditNoteData(note, eInvoice)),
    shownAs: creditNoteShownAs(note.number),
    mail: {
      eventKey: `credit note:${note.id}`,
      content: {
        template: "creditNote",
        name: note.content.billTo.name,
        creditNoteNumber: note.number,
        invoiceNumber: note.content.invoiceNumber,
        totalPaise: note.amountPaise,
        reason: note.content.reason,
        link: `${services.publicUrl}/user/orderhistory?search=${orderNumber(order.serial)}`,
      },
      uselessAfter: later(note.issuedAt, { days: daysOfPaperMails }),
    },
  });
}
