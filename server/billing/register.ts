import { and, asc, between, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { formatCount } from "../../contract/format-count.ts";
import {
  dayAfter,
  financialYearOf,
  indiaCalendar,
  startOfDayInIndia,
  startOfWrittenDay,
} from "../../contract/india-time.ts";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import type { RegisterFormat, RegisterPeriod } from "../../contract/registers.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import {
  creditNotes,
  eInvoices,
  invoices,
  receipts,
  refundVouchers,
  transfers,
  type Treatment,
} from "../database/schema/index.ts";
import { invalidField } from "../failures/failure.ts";
import { supplierOf } from "../outside/documents/paper.ts";
import type { Services } from "../services.ts";
import { paymentIdsOf } from "./paid-by.ts";
import { findAdvances, receivedIn } from "./register-advances.ts";
import { writeAdvances, writeCsv } from "./register-csv.ts";
import type { Entry, RegisterWriter } from "./register-entry.ts";
import { writeGstr1 } from "./register-gstr1.ts";
import { writeTally } from "./register-tally.ts";

const formats: Record<RegisterFormat, { type: string; ending: string; write: () => RegisterWriter }> = {
  csv: { type: "text/csv;charset=utf-8", ending: "csv", write: writeCsv },
  advances: { type: "text/csv;charset=utf-8", ending: "advances.csv", write: writeAdvances },
  gstr1: { type: "application/json", ending: "gstr1.json", write: writeGstr1 },
  tally: { type: "application/xml", ending: "tally.xml", write: writeTally },
};

/**
 * Exports the register of a period for an accountant.
 * @throws Failure invalid for a return of other than one month, or for more documents than fit
 */
export async function exportRegister(services: Services, { actor }: Scope<"any">, period: RegisterPeriod) {
  const { from, to, format } = period;
  if (format === "gstr1") refuseOtherThanMonth(from, to);
  const { type, ending, write } = formats[format];
  // One snapshot, however long it takes: what is issued meanwhile is in no part of the register.
  const written = await services.database.transaction((transaction) => readRegister(transaction, period, write()), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
  await services.database.transaction((transaction) =>
    audit(transaction, actor.personId, "export register", `register:${format}`, { from, to }),
  );
  return { fileName: `register-${from}-${to}.${ending}`, type, ...written };
}

function refuseOtherThanMonth(from: string, to: string): void {
  const first = indiaCalendar(startOfWrittenDay(from));
  const last = startOfDayInIndia(first.getUTCFullYear(), first.getUTCMonth() + 1, 0);
  if (first.getUTCDate() === 1 && startOfWrittenDay(to).getTime() === last.getTime()) return;
  throw invalidField("to", "GSTR-1 is of one month: please choose its first and its last day");
}

async function readRegister(transaction: Transaction, { from, to, format }: RegisterPeriod, writer: RegisterWriter) {
  const count = (series: Series) => transaction.$count(series, issuedIn(series, from, to));
  const counted = { invoices: await count(invoices), creditNotes: await count(creditNotes) };
  const vouchers = (await count(receipts)) + (await count(refundVouchers));
  const received = await transaction.$count(transfers, receivedIn(from, to));
  refuseMoreThanFits(counted.invoices + counted.creditNotes + vouchers + received, format);
  if (writer.add) {
    for await (const issued of invoicesIn(transaction, from, to)) writer.add(issued.map(entryOfInvoice));
    for await (const credited of creditNotesIn(transaction, from, to)) writer.add(credited.map(entryOfCreditNote));
  }
  const advances = await findAdvances(transaction, from, to);
  const text = writer.end({
    gstin: brand.gstin,
    from,
    to,
    advances,
    receiptNumbers: await findNumbers(transaction, receipts, from, to),
    refundVoucherNumbers: await findNumbers(transaction, refundVouchers, from, to),
  });
  return { text, ...counted, advances: advances.length };
}

/** The sentence differs for a return: it covers a whole month, so no shorter period can be chosen. */
function refuseMoreThanFits(documents: number, format: RegisterFormat): void {
  if (documents <= limits.registerDocumentsMax) return;
  const most = formatCount(limits.registerDocumentsMax);
  const sentence =
    format === "gstr1"
      ? `This month has more than ${most} documents and transfers, which is more than one file holds: please take the register as CSV, some days at a time`
      : `These days have more than ${most} documents and transfers, which is more than one file holds: please choose a shorter period`;
  throw invalidField("to", sentence);
}

type Series = typeof invoices | typeof creditNotes | typeof receipts | typeof refundVouchers;

/** Condition: issued in the period. The financial years let the series' index be used. */
function issuedIn({ financialYear, issuedAt }: Series, from: string, to: string): SQL | undefined {
  const begin = startOfWrittenDay(from);
  const years = [financialYearOf(begin), financialYearOf(startOfWrittenDay(to))] as const;
  return and(between(financialYear, ...years), gte(issuedAt, begin), lt(issuedAt, startOfWrittenDay(dayAfter(to))));
}

const inOrder = ({ financialYear, serial }: Series) => [asc(financialYear), asc(serial)];

/** How many documents are read at a time. */
const atATime = 500;

/**
 * Yields documents by number within each series, in batches; `read` gets the condition for what follows the last batch.
 */
async function* inTurn<Row extends { place: Record<"financialYear", string> & Record<"serial", number> }>(
  { financialYear, serial }: Series,
  read: (beyond: SQL | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let beyond: SQL | undefined;
  for (;;) {
    const rows = await read(beyond);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < atATime) return;
    beyond = sql`(${financialYear}, ${serial}) > (${last.place.financialYear}, ${last.place.serial})`;
  }
}

const placeIn = ({ financialYear, serial }: Series) => ({ financialYear, serial });
const ofInvoice = { number: invoices.number, issuedAt: invoices.issuedAt, content: invoices.content };
const ofCreditNote = { number: creditNotes.number, issuedAt: creditNotes.issuedAt, content: creditNotes.content };
const registered = {
  irn: eInvoices.irn,
  ackNumber: eInvoices.ackNumber,
  ackAt: eInvoices.ackAt,
  state: eInvoices.state,
};

const invoicesIn = (transaction: Transaction, from: string, to: string) =>
  inTurn(invoices, (beyond) =>
    transaction
      .select({ place: placeIn(invoices), invoice: ofInvoice, registered })
      .from(invoices)
      .leftJoin(eInvoices, eq(eInvoices.invoiceId, invoices.id))
      .where(and(issuedIn(invoices, from, to), beyond))
      .orderBy(...inOrder(invoices))
      .limit(atATime),
  );

const creditNotesIn = (transaction: Transaction, from: string, to: string) =>
  inTurn(creditNotes, (beyond) =>
    transaction
      .select({ place: placeIn(creditNotes), note: ofCreditNote, invoice: ofInvoice, registered })
      .from(creditNotes)
      .leftJoin(eInvoices, eq(eInvoices.creditNoteId, creditNotes.id))
      .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
      .where(and(issuedIn(creditNotes, from, to), beyond))
      .orderBy(...inOrder(creditNotes))
      .limit(atATime),
  );

/** The numbers of a period's vouchers, in order. */
async function findNumbers(
  transaction: Transaction,
  table: typeof receipts | typeof refundVouchers,
  from: string,
  to: string,
): Promise<string[]> {
  const issued = await transaction
    .select({ number: table.number })
    .from(table)
    .where(issuedIn(table, from, to))
    .orderBy(...inOrder(table));
  return issued.map(({ number }) => number);
}

type InvoiceRow = Pick<typeof invoices.$inferSelect, keyof typeof ofInvoice>;
type CreditNoteRow = Pick<typeof creditNotes.$inferSelect, keyof typeof ofCreditNote>;
type Registered = Pick<typeof eInvoices.$inferSelect, keyof typeof registered> | null;

function entryOfInvoice({ invoice, ...of }: { invoice: InvoiceRow; registered: Registered }): Entry {
  const { number, issuedAt, content } = invoice;
  return {
    kind: "invoice",
    number,
    issuedAt,
    invoiceNumber: null,
    reason: null,
    billTo: content.billTo,
    supplierGstin: supplierOf(content).gstin,
    placeOfSupply: content.placeOfSupply,
    treatment: treatmentOf(content),
    sac: content.lines[0]?.sac ?? "",
    taxablePaise: content.taxablePaise,
    taxes: content.taxes,
    roundOffPaise: content.roundOffPaise ?? 0,
    totalPaise: content.totalPaise,
    invoiceTotalPaise: content.totalPaise,
    orderNumber: content.orderNumber ?? "",
    paymentIds: paymentIdsOf(content),
    ...registrationOf(of.registered),
  };
}

function registrationOf(found: Registered): Pick<Entry, "eInvoice" | "isCancelled"> {
  const { irn, ackNumber, ackAt, state } = found ?? {};
  return {
    eInvoice: irn && ackNumber && ackAt ? { irn, ackNumber, ackAt } : null,
    isCancelled: state === "cancelled",
  };
}

function entryOfCreditNote({
  note,
  ...of
}: {
  note: CreditNoteRow;
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
    supplierGstin: supplierOf(content).gstin,
    taxablePaise: content.taxablePaise,
    taxes: content.taxes,
    roundOffPaise: content.roundOffPaise,
    totalPaise: content.totalPaise,
  };
}

/** Invoices from before the treatment was stored were either within the state or to another state. */
const treatmentOf = ({ treatment, taxes }: InvoiceRow["content"]): Treatment =>
  treatment ?? (taxes.some(({ name }) => name === "IGST") ? "to another state" : "within the state");
