import { and, asc, eq, gte, lt } from "drizzle-orm";
import { dayAfter, indiaCalendar, startOfDayInIndia, startOfWrittenDay } from "../../contract/india-time.ts";
import { brand } from "../../contract/brand.ts";
import type { RegisterFormat, RegisterPeriod } from "../../contract/registers.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import {
  creditNotes,
  eInvoices,
  invoices,
  receipts,
  refundVouchers,
  type Treatment,
} from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { findAdvances } from "./register-advances.ts";
import { advancesAsCsv, registerAsCsv } from "./register-csv.ts";
import type { Entry, Register } from "./register-entry.ts";
import { registerAsGstr1 } from "./register-gstr1.ts";
import { registerAsTally } from "./register-tally.ts";

const formats: Record<RegisterFormat, { type: string; ending: string; write: (register: Register) => string }> = {
  csv: { type: "text/csv;charset=utf-8", ending: "csv", write: registerAsCsv },
  advances: { type: "text/csv;charset=utf-8", ending: "advances.csv", write: advancesAsCsv },
  gstr1: { type: "application/json", ending: "gstr1.json", write: registerAsGstr1 },
  tally: { type: "application/xml", ending: "tally.xml", write: registerAsTally },
};

/** The register of a period for an accountant. @throws Failure invalid for a return that is not of one month */
export async function exportRegister(
  services: Services,
  { actor }: Scope<"any">,
  { from, to, format }: RegisterPeriod,
) {
  if (format === "gstr1") refuseOtherThanMonth(from, to);
  const register = {
    gstin: brand.gstin,
    from,
    to,
    entries: await findEntries(services, from, to),
    advances: await findAdvances(services.database, from, to),
    receiptNumbers: await findNumbers(services, receipts, from, to),
    refundVoucherNumbers: await findNumbers(services, refundVouchers, from, to),
  };
  const { type, ending, write } = formats[format];
  await services.database.transaction((transaction) =>
    audit(transaction, actor.personId, "export register", "register", { from, to, format }),
  );
  const count = (kind: Entry["kind"]) => register.entries.filter((entry) => entry.kind === kind).length;
  return {
    fileName: `register-${from}-${to}.${ending}`,
    type,
    text: write(register),
    invoices: count("invoice"),
    creditNotes: count("credit note"),
    advances: register.advances.length,
  };
}

function refuseOtherThanMonth(from: string, to: string): void {
  const first = indiaCalendar(startOfWrittenDay(from));
  const last = startOfDayInIndia(first.getUTCFullYear(), first.getUTCMonth() + 1, 0);
  if (first.getUTCDate() === 1 && startOfWrittenDay(to).getTime() === last.getTime()) return;
  const sentence = "GSTR-1 is of one month: please choose its first and its last day";
  throw new Failure("invalid", sentence, { fields: { to: sentence } });
}

/** By number within each series. */
async function findEntries({ database }: Services, from: string, to: string): Promise<Entry[]> {
  const begin = startOfWrittenDay(from);
  const end = startOfWrittenDay(dayAfter(to));
  const issued = await database
    .select({ invoice: invoices, registered: eInvoices })
    .from(invoices)
    .leftJoin(eInvoices, eq(eInvoices.invoiceId, invoices.id))
    .where(and(gte(invoices.issuedAt, begin), lt(invoices.issuedAt, end)))
    .orderBy(asc(invoices.financialYear), asc(invoices.serial));
  const credited = await database
    .select({ note: creditNotes, invoice: invoices, registered: eInvoices })
    .from(creditNotes)
    .leftJoin(eInvoices, eq(eInvoices.creditNoteId, creditNotes.id))
    .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
    .where(and(gte(creditNotes.issuedAt, begin), lt(creditNotes.issuedAt, end)))
    .orderBy(asc(creditNotes.financialYear), asc(creditNotes.serial));
  return [...issued.map(entryOfInvoice), ...credited.map(entryOfCreditNote)];
}

/** Numbers of vouchers of a period, in their order. */
async function findNumbers(
  { database }: Services,
  table: typeof receipts | typeof refundVouchers,
  from: string,
  to: string,
): Promise<string[]> {
  const end = startOfWrittenDay(dayAfter(to));
  const issued = await database
    .select({ number: table.number })
    .from(table)
    .where(and(gte(table.issuedAt, startOfWrittenDay(from)), lt(table.issuedAt, end)))
    .orderBy(asc(table.financialYear), asc(table.serial));
  return issued.map(({ number }) => number);
}

type InvoiceRow = typeof invoices.$inferSelect;
type Registered = typeof eInvoices.$inferSelect | null;

function entryOfInvoice({ invoice, registered }: { invoice: InvoiceRow; registered: Registered }): Entry {
  const { number, issuedAt, content } = invoice;
  return {
    kind: "invoice",
    number,
    issuedAt,
    invoiceNumber: null,
    reason: null,
    billTo: content.billTo,
    supplierGstin: content.supplier?.gstin ?? brand.gstin,
    placeOfSupply: content.placeOfSupply,
    treatment: treatmentOf(content),
    sac: content.lines[0]?.sac ?? "",
    taxablePaise: content.taxablePaise,
    taxes: content.taxes,
    roundOffPaise: content.roundOffPaise ?? 0,
    totalPaise: content.totalPaise,
    invoiceTotalPaise: content.totalPaise,
    orderNumber: content.orderNumber ?? "",
    paymentId: content.paymentId,
    ...registrationOf(registered),
  };
}

function registrationOf(registered: Registered): Pick<Entry, "eInvoice" | "isCancelled"> {
  const { irn, ackNumber, ackAt, state } = registered ?? {};
  return {
    eInvoice: irn && ackNumber && ackAt ? { irn, ackNumber, ackAt } : null,
    isCancelled: state === "cancelled",
  };
}

function entryOfCreditNote({
  note,
  ...of
}: {
  note: typeof creditNotes.$inferSelect;
  invoice: InvoiceRow;
  registered: Registered;
}): Entry {
  const { content } = note;
  return {
    ...entryOfInvoice(of),
    kind: "credit note",
    number: note.number,
    issuedAt: note.issuedAt,
    invoiceNumber: of.invoice.number,
    reason: content.reason,
    taxablePaise: content.taxablePaise,
    taxes: content.taxes,
    roundOffPaise: content.roundOffPaise,
    totalPaise: content.totalPaise,
  };
}

/** Invoices from before it was kept were within the state, or to another one. */
const treatmentOf = ({ treatment, taxes }: InvoiceRow["content"]): Treatment =>
  treatment ?? (taxes.some(({ name }) => name === "IGST") ? "to another state" : "within the state");
