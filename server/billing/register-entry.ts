import type { BillTo, Tax, Treatment } from "../database/schema/index.ts";

/** An invoice or a credit note as the registers have it; the sums of both are positive. */
export interface Entry {
  kind: "invoice" | "credit note";
  number: string;
  issuedAt: Date;
  /** The invoice that a credit note credits; null on an invoice. */
  invoiceNumber: string | null;
  reason: string | null;
  billTo: BillTo;
  /** The operator's GSTIN on the document. */
  supplierGstin: string;
  placeOfSupply: string;
  treatment: Treatment;
  sac: string;
  taxablePaise: number;
  taxes: Tax[];
  roundOffPaise: number;
  totalPaise: number;
  /** The invoice's total, also on a credit note: it decides in which table of the return both appear. */
  invoiceTotalPaise: number;
  orderNumber: string;
  /** All payments made before the invoice was issued. */
  paymentIds: string[];
  /** Its registration at the e-invoice portal; null where it has none. */
  eInvoice: { irn: string; ackNumber: string; ackAt: Date } | null;
  /** Cancelled at the portal: its number is used up, and its sums don't count. */
  isCancelled: boolean;
}

/** An advance; its sums are positive. */
export interface Advance extends Pick<
  Entry,
  "billTo" | "placeOfSupply" | "treatment" | "taxablePaise" | "taxes" | "roundOffPaise" | "totalPaise" | "orderNumber"
> {
  /**
   * received: in the period, and not invoiced by its end. adjusted: received before the period and invoiced in it.
   * given back: in the period, and received in an earlier month.
   */
  kind: "received" | "adjusted" | "given back";
  /** Days such as 2026-11-22. */
  receivedOn: string;
  invoicedOn: string | null;
  utr: string;
  /** The receipt voucher's number; null where one payment came in full and was invoiced at once. */
  receiptNumber: string | null;
  invoiceNumber: string | null;
  /** The voucher of what was given back; `number` is null where there was no receipt voucher. */
  refundVoucher: { number: string | null; paidOn: string } | null;
}

/** What a register contains besides its documents. */
export interface RegisterRest {
  /** The operator's GSTIN as it is now. */
  gstin: string;
  from: string;
  to: string;
  advances: Advance[];
  /** Receipt vouchers of the period, in order. */
  receiptNumbers: string[];
  /** Refund vouchers of the period, in order. */
  refundVoucherNumbers: string[];
}

export interface Register extends RegisterRest {
  entries: Entry[];
}

/** Writes one register while its documents are read in batches, by number within each series. */
export interface RegisterWriter {
  /** Missing where the register lists no documents. */
  add?: (entries: Entry[]) => void;
  /** The complete text. */
  end(rest: RegisterRest): string;
}

/** Writes one or more lines per document; each batch becomes text at once, so that no documents are kept in memory. */
export function writeLines(head: string, linesOf: (entries: Entry[]) => string, tail: string): RegisterWriter {
  const pieces = [head];
  return { add: (entries) => void pieces.push(linesOf(entries)), end: () => [...pieces, tail].join("") };
}

/** The sum of a tax in an entry; returns treat SGST and UTGST as one. */
export const taxIn = ({ taxes }: Pick<Entry, "taxes">, ...names: Tax["name"][]) =>
  taxes.filter(({ name }) => names.includes(name)).reduce((sum, { amountPaise }) => sum + amountPaise, 0);
