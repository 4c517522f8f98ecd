import { eq } from "drizzle-orm";
import { supplierOf } from "../outside/documents/paper.ts";
import type { Database } from "../database/database.ts";
import {
  creditNotes,
  type eInvoices,
  type InvoiceContent,
  invoices,
  orders,
  organisations,
} from "../database/schema/index.ts";
import type { NumberedDocument } from "./inv-01-of.ts";

type EInvoice = typeof eInvoices.$inferSelect;

/** The document to register. Buyer details that it lacks are taken from the current billing details. */
export async function findDocument(
  database: Database,
  { invoiceId, creditNoteId }: EInvoice,
): Promise<NumberedDocument> {
  const found = creditNoteId ? await findNote(database, creditNoteId) : await findInvoice(database, invoiceId ?? "");
  if (!found) throw new Error("What is to be registered is gone");
  const { document, given } = found;
  const { billTo } = document;
  const address = billTo.address ?? given.address;
  const pinCode = billTo.pinCode ?? given.pinCode;
  return { ...document, billTo: { ...billTo, ...(address && { address }), ...(pinCode && { pinCode }) } };
}

interface Found {
  document: NumberedDocument;
  given: { address: string | null; pinCode: string | null };
}

const given = { address: organisations.billingAddress, pinCode: organisations.pinCode };

async function findInvoice(database: Database, id: string): Promise<Found | undefined> {
  const [found] = await database
    .select({ invoice: invoices, given })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(eq(invoices.id, id));
  if (!found) return undefined;
  const { number, issuedAt, content } = found.invoice;
  const { lines, discountPaise, taxes, totalPaise, period } = content;
  const document: NumberedDocument = {
    type: "INV",
    number,
    issuedAt,
    ...partiesOf(content),
    lines,
    discountPaise,
    taxes,
    roundOffPaise: content.roundOffPaise ?? 0,
    totalPaise,
    ...(period && { period }),
  };
  return { document, given: found.given };
}

async function findNote(database: Database, id: string): Promise<Found | undefined> {
  const [found] = await database
    .select({ note: creditNotes, given })
    .from(creditNotes)
    .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(eq(creditNotes.id, id));
  if (!found) return undefined;
  const { number, issuedAt, content } = found.note;
  const { taxablePaise: amountPaise, description, sac, taxes, roundOffPaise, totalPaise } = content;
  const document: NumberedDocument = {
    type: "CRN",
    number,
    issuedAt,
    ...partiesOf(content),
    lines: [{ description, sac, quantity: 1, ratePaise: amountPaise, amountPaise }],
    discountPaise: 0,
    taxes,
    roundOffPaise,
    totalPaise,
    credits: { number: content.invoiceNumber, day: content.invoiceDay },
  };
  return { document, given: found.given };
}

/** Documents that have to be registered have all of these; the defaults are for older ones. */
const partiesOf = (content: Pick<InvoiceContent, "supplier" | "billTo" | "placeOfSupply" | "treatment">) => ({
  supplier: supplierOf(content),
  billTo: content.billTo,
  placeOfSupply: content.placeOfSupply,
  treatment: content.treatment ?? "to another state",
});
