import { amountInWords } from "../../contract/amount-in-words.ts";
import { countryName } from "../../contract/countries.ts";
import { formatCount } from "../../contract/format-count.ts";
import { states } from "../../contract/gstin.ts";
import { isOfYear } from "../../contract/proration.ts";
import type { BankAccount } from "../../contract/seller.ts";
import type { BillTo, CreditNoteContent, InvoiceContent, invoices, TaxDeducted } from "../database/schema/index.ts";
import type { PrintedEInvoice } from "../e-invoices/of-invoice.ts";
import {
  brandOnPaper,
  paperAmount,
  paperDate,
  paperDay,
  paperPercent,
  paperPhone,
  paperSigned,
  paperTime,
  supplierOf,
} from "../outside/documents/paper.ts";
import { paidSentence, paymentIdsOf } from "./paid-by.ts";
import { outsideIndia } from "./tax-rules.ts";

type InvoiceRow = typeof invoices.$inferSelect;

/** The data for the invoice's template: the fields of rule 46 of the CGST Rules, formatted for paper. */
export function invoiceData({ number, issuedAt, content }: InvoiceRow, eInvoice: PrintedEInvoice | null = null) {
  const { billTo, period } = content;
  const paymentIds = paymentIdsOf(content);
  return {
    ...partiesOf(content),
    number,
    facts: [
      ["Invoice number", number],
      ["Invoice date", paperDate(issuedAt)],
      ["Place of supply", placeName(content.placeOfSupply, billTo)],
      ...(paymentIds.length > 0 ? [[paymentIds.length > 1 ? "Payment ids" : "Payment id", paymentIds.join(", ")]] : []),
      ...(content.dueOn ? [["Please pay by", paperDay(content.dueOn)]] : []),
      ...(period ? [["Service period", `${paperDay(period.from)} to ${paperDay(period.to)}`]] : []),
      ...(content.term ? [["Contract", content.term.contractNumber]] : []),
      ...(content.orderNumber ? [["Order", content.orderNumber]] : []),
      ...(content.quoteNumber ? [["Quote", content.quoteNumber]] : []),
      ...(billTo.purchaseOrder ? [["Your purchase order", billTo.purchaseOrder]] : []),
    ],
    isPaid: !content.dueOn,
    settled: content.dueOn
      ? `Please pay ₹${paperAmount(content.totalPaise - (content.taxDeducted?.amountPaise ?? 0))} by ${paperDay(content.dueOn)} and write ${number} into the transfer.`
      : paidSentence(content),
    deducted: deductedOf(content.taxDeducted),
    bank: content.bank ? bankRows(content.bank) : [],
    subscription: subscriptionOf(content),
    sac: [...new Set(content.lines.map((line) => line.sac))].join(", "),
    lines: linesOf(content),
    subtotal: paperAmount(content.subtotalPaise),
    discount: content.discountPaise > 0 ? paperAmount(content.discountPaise) : null,
    ...sumsOf(content),
    ...registrationOf(eInvoice),
  };
}

/** The lines of an invoice or a proforma, formatted for paper. */
export const linesOf = ({ lines }: Pick<InvoiceContent, "lines">) =>
  lines.map(({ description, sac, quantity, ratePaise, amountPaise }) => ({
    description,
    sac,
    quantity: formatCount(quantity),
    rate: paperAmount(ratePaise),
    amount: paperAmount(amountPaise),
  }));

/** The account to transfer to, as rows of name and value. */
export const bankRows = ({ accountName, accountNumber, ifsc, bankName }: BankAccount): [string, string][] => [
  ["Account name", accountName],
  ["Account number", accountNumber],
  ["IFSC", ifsc],
  ["Bank", bankName],
];

/** Tax deducted at source, formatted for paper; null where none is. */
export const deductedOf = (deducted: TaxDeducted | undefined) =>
  deducted
    ? {
        name: `Tax deducted at source, section ${deducted.section}, ${paperPercent(deducted.basisPoints)} of the taxable value`,
        amount: paperAmount(deducted.amountPaise),
      }
    : null;

/** What is supplied, in a sentence. */
export function subscriptionOf({ term, period }: Pick<InvoiceContent, "term" | "period">): string {
  if (!term || !period || isOfYear(term)) return "Security operations centre subscription for 12 months.";
  const { discountBasisPoints } = term;
  const discount = discountBasisPoints > 0 ? `, less the discount of ${paperPercent(discountBasisPoints)},` : "";
  return `Added to the security operations centre subscription ${term.contractNumber} from ${paperDay(period.from)} to its end, ${paperDay(period.to)}: ${term.days} of the ${term.daysOfYear} days of its year. Each amount is the rate × the number${discount} × these days ÷ the days of the year.`;
}

type Content = Pick<InvoiceContent, "supplier" | "cin" | "billTo" | "sentences">;

/** Supplier, recipient and the sentences that the law requires: the same on an invoice and a credit note. */
export function partiesOf({ cin, billTo, sentences = [], ...content }: Content) {
  const supplier = supplierOf(content);
  return {
    brand: brandOnPaper(supplier, cin),
    supplierRows: [
      supplier.address,
      `State: ${stateName(supplier.stateCode)}`,
      `GSTIN: ${supplier.gstin}`,
      ...(cin ? [`CIN: ${cin}`] : []),
    ],
    billTo: { organization: billTo.organizationName, rows: recipientRows(billTo) },
    sentences,
  };
}

/** Only what the organisation has given. */
function recipientRows({ kind, name, address, pinCode, state, country, gstin, pan, email, phone }: BillTo): string[] {
  return [
    name,
    ...(address ? [pinCode ? `${address}, ${pinCode}` : address] : []),
    ...(country ? [countryName(country)] : []),
    ...(state ? [`State: ${stateName(state)}`] : []),
    ...(gstin ? [`GSTIN: ${gstin}`] : []),
    ...(kind === "unregistered" ? ["Not registered for GST"] : []),
    ...(kind === "sez" ? ["Unit in a special economic zone"] : []),
    ...(pan && !gstin ? [`PAN: ${pan}`] : []),
    `${email}, ${paperPhone(phone)}`,
  ];
}

/** The document's registration at the e-invoice portal and the content of its QR code; empty where none is needed. */
export const registrationOf = (eInvoice: PrintedEInvoice | null) =>
  eInvoice
    ? {
        eInvoice: {
          irn: eInvoice.irn,
          acknowledgement: eInvoice.ackNumber,
          acknowledged: paperTime(eInvoice.ackAt),
        },
        signedQr: eInvoice.signedQr,
      }
    : {};

type Sums = Pick<CreditNoteContent, "taxablePaise" | "taxes" | "totalPaise"> & { roundOffPaise?: number };

/** Taxable value, taxes and total, formatted for paper; the total in words too. */
export function sumsOf({ taxablePaise, taxes, roundOffPaise = 0, totalPaise }: Sums) {
  return {
    taxable: paperAmount(taxablePaise),
    taxes: taxes.map((tax) => ({
      name: tax.name,
      percent: paperPercent(tax.basisPoints),
      amount: paperAmount(tax.amountPaise),
    })),
    roundOff: roundOffPaise === 0 ? null : paperSigned(roundOffPaise),
    total: paperAmount(totalPaise),
    totalInWords: amountInWords(totalPaise),
    precision: precisionOf({ roundOffPaise, totalPaise }),
  };
}

/**
 * More than the paisa by which two halves of a tax may differ from the whole is rounding to the rupee (decision 64), or a
 * part of a document's that was rounded so.
 */
function precisionOf({ roundOffPaise, totalPaise }: Required<Pick<Sums, "roundOffPaise" | "totalPaise">>): string {
  if (Math.abs(roundOffPaise) <= 1) return "Amounts are in Indian rupees and kept to the paisa.";
  return totalPaise % 100 === 0
    ? "Amounts are in Indian rupees, and the total is rounded to the rupee."
    : "Amounts are in Indian rupees.";
}

const stateName = (code: string) => `${states[code] ?? ""} (${code})`;

/** The place of supply as documents print it. */
export const placeName = (code: string, { country }: Pick<BillTo, "country">) =>
  code === outsideIndia ? `Outside India${country ? `: ${countryName(country)}` : ""}` : stateName(code);
