import type { BillTo, Tax, Treatment } from "../database/schema/index.ts";

/** An invoice or a credit note as the registers have it; sums of both are above zero. */
export interface Entry {
  kind: "invoice" | "credit note";
  number: string;
  issuedAt: Date;
  /** Of a credit note. */
  invoiceNumber: string | null;
  reason: string | null;
  billTo: BillTo;
  supplierGstin: string;
  placeOfSupply: string;
  treatment: Treatment;
  sac: string;
  taxablePaise: number;
  taxes: Tax[];
  roundOffPaise: number;
  totalPaise: number;
  /** Of the invoice: what decides in which table of the return its credit notes stand. */
  invoiceTotalPaise: number;
  orderNumber: string;
  /** Of all that paid the invoice before it was made. */
  paymentIds: string[];
  /** The portal's number of it; null where it has none. */
  eInvoice: { irn: string; ackNumber: string; ackAt: Date } | null;
  /** Cancelled at the portal: its number is used up, and it counts for nothing. */
  isCancelled: boolean;
}

/** Money that came before its invoice; sums are above zero. */
export interface Advance extends Pick<
  Entry,
  "billTo" | "placeOfSupply" | "treatment" | "taxablePaise" | "taxes" | "roundOffPaise" | "totalPaise" | "orderNumber"
> {
  /**
   * received: in the period, and not invoiced by its end. adjusted: before the period, and invoiced in it. given back: in
   * the period, and received in a month before.
   */
  kind: "received" | "adjusted" | "given back";
  /** Both as 2026-11-22. */
  receivedOn: string;
  invoicedOn: string | null;
  utr: string;
  /** Of the receipt voucher; null where all came at once and the invoice was made of it. */
  receiptNumber: string | null;
  invoiceNumber: string | null;
  /** Of what was given back; without a number where it had no receipt voucher. */
  refundVoucher: { number: string | null; paidOn: string } | null;
}

/** What a register has beside its documents. */
export interface RegisterRest {
  /** GSTIN of the operator as it is now. */
  gstin: string;
  from: string;
  to: string;
  advances: Advance[];
  /** The receipt vouchers of the period by their numbers. */
  receiptNumbers: string[];
  /** Its refund vouchers. */
  refundVoucherNumbers: string[];
}

export interface Register extends RegisterRest {
  entries: Entry[];
}

/** Writes one register while its documents are read, which come some at a time, by number within each series. */
export interface RegisterWriter {
  /** Missing where no document stands in it. */
  add?: (entries: Entry[]) => void;
  /** The whole text. */
  end(rest: RegisterRest): string;
}

/** A line or more for each document: what was added is text at once, so that no document is kept. */
export function writeLines(head: string, linesOf: (entries: Entry[]) => string, tail: string): RegisterWriter {
  const pieces = [head];
  return { add: (entries) => void pieces.push(linesOf(entries)), end: () => [...pieces, tail].join("") };
}

/** The sum of a tax in an entry; SGST and UTGST are one to the returns. */
export const taxIn = ({ taxes }: Pick<Entry, "taxes">, ...names: Tax["name"][]) =>
  taxes.filter(({ name }) => names.includes(name)).reduce((sum, { amountPaise }) => sum + amountPaise, 0);
