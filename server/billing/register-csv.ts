import { countryName } from "../../contract/countries.ts";
import { csvLines, csvStart } from "../../contract/csv.ts";
import { states } from "../../contract/gstin.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { type Advance, type Entry, type RegisterWriter, taxIn, writeLines } from "./register-entry.ts";

type Column = [title: string, value: (entry: Entry) => string | number];

/** Rupees: negative on a credit note and zero on a cancelled document, so that a column adds up. */
const inRupees = (entry: Entry, paise: number) =>
  (entry.isCancelled ? 0 : (entry.kind === "invoice" ? paise : -paise) / 100).toFixed(2);
const sum = (of: (entry: Entry) => number) => (entry: Entry) => Number(inRupees(entry, of(entry)));

const columns: readonly Column[] = [
  ["Document", ({ kind }) => (kind === "invoice" ? "Tax invoice" : "Credit note")],
  ["Number", ({ number }) => number],
  ["Date", ({ issuedAt }) => writtenDay(issuedAt)],
  ["For invoice", ({ invoiceNumber }) => invoiceNumber ?? ""],
  ["Recipient", ({ billTo }) => billTo.organizationName],
  ["GSTIN", ({ billTo }) => billTo.gstin ?? ""],
  ["PAN", ({ billTo }) => billTo.pan ?? ""],
  ["Country", ({ billTo }) => countryName(billTo.country ?? "IN")],
  ["Place of supply", ({ placeOfSupply }) => placeOfSupply],
  ["Place of supply, name", ({ placeOfSupply }) => states[placeOfSupply] ?? "Outside India"],
  ["Supply", ({ treatment }) => treatment],
  ["SAC", ({ sac }) => sac],
  ["Taxable value", sum(({ taxablePaise }) => taxablePaise)],
  ["Rate %", ({ taxes }) => taxes.reduce((total, { basisPoints }) => total + basisPoints, 0) / 100],
  ["IGST", sum((entry) => taxIn(entry, "IGST"))],
  ["CGST", sum((entry) => taxIn(entry, "CGST"))],
  ["SGST/UTGST", sum((entry) => taxIn(entry, "SGST", "UTGST"))],
  ["Round-off", sum(({ roundOffPaise }) => roundOffPaise)],
  ["Total", sum(({ totalPaise }) => totalPaise)],
  ["Reverse charge", () => "No"],
  ["Order", ({ orderNumber }) => orderNumber],
  ["Purchase order", ({ billTo }) => billTo.purchaseOrder ?? ""],
  ["Payment", ({ paymentIds }) => paymentIds.join(", ")],
  ["Reason", ({ reason }) => reason ?? ""],
  ["IRN", ({ eInvoice }) => eInvoice?.irn ?? ""],
  ["Acknowledgement number", ({ eInvoice }) => eInvoice?.ackNumber ?? ""],
  ["Acknowledgement date", ({ eInvoice }) => (eInvoice ? writtenDay(eInvoice.ackAt) : "")],
  ["Cancelled", ({ isCancelled }) => (isCancelled ? "Yes" : "")],
  ["Supplier GSTIN", ({ supplierGstin }) => supplierGstin],
];

/** One line per document, sums in rupees. */
export const writeCsv = (): RegisterWriter =>
  writeLines(
    csvStart + csvLines([columns.map(([title]) => title)]),
    (entries) => csvLines(entries.map((entry) => columns.map(([, value]) => value(entry)))),
    "",
  );

/** Rupees: negative where adjusted or given back, so that a column adds up to the advances held without an invoice. */
const ofAdvance = (of: (advance: Advance) => number) => (advance: Advance) =>
  Number(((advance.kind === "received" ? of(advance) : -of(advance)) / 100).toFixed(2));

const advanceKinds: Record<Advance["kind"], string> = {
  received: "Received",
  adjusted: "Adjusted",
  "given back": "Given back",
};

const advanceColumns: readonly [title: string, value: (advance: Advance) => string | number][] = [
  ["Advance", ({ kind }) => advanceKinds[kind]],
  ["Received on", ({ receivedOn }) => receivedOn],
  ["Receipt voucher", ({ receiptNumber }) => receiptNumber ?? ""],
  ["Bank reference", ({ utr }) => utr],
  ["Refund voucher", ({ refundVoucher }) => refundVoucher?.number ?? ""],
  ["Given back on", ({ refundVoucher }) => refundVoucher?.paidOn ?? ""],
  ["Invoice", ({ invoiceNumber }) => invoiceNumber ?? ""],
  ["Invoiced on", ({ invoicedOn }) => invoicedOn ?? ""],
  ["Recipient", ({ billTo }) => billTo.organizationName],
  ["GSTIN", ({ billTo }) => billTo.gstin ?? ""],
  ["Place of supply", ({ placeOfSupply }) => placeOfSupply],
  ["Supply", ({ treatment }) => treatment],
  ["Without tax", ofAdvance(({ taxablePaise }) => taxablePaise)],
  ["Rate %", ({ taxes }) => taxes.reduce((total, { basisPoints }) => total + basisPoints, 0) / 100],
  ["IGST", ofAdvance((advance) => taxIn(advance, "IGST"))],
  ["CGST", ofAdvance((advance) => taxIn(advance, "CGST"))],
  ["SGST/UTGST", ofAdvance((advance) => taxIn(advance, "SGST", "UTGST"))],
  ["Total", ofAdvance(({ totalPaise }) => totalPaise)],
  ["Order", ({ orderNumber }) => orderNumber],
];

/** One line per advance received, adjusted or given back. */
export const writeAdvances = (): RegisterWriter => ({
  end: ({ advances }) =>
    csvStart +
    csvLines([
      advanceColumns.map(([title]) => title),
      ...advances.map((advance) => advanceColumns.map(([, value]) => value(advance))),
    ]),
});
