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
  paymentId: string;
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
  /** Of what was given back. */
  refundVoucher: { number: string; paidOn: string } | null;
}

export interface Register {
  /** GSTIN of the operator as it is now. */
  gstin: string;
  from: string;
  to: string;
  entries: Entry[];
  advances: Advance[];
  /** The receipt vouchers of the period by their numbers. */
  receiptNumbers: string[];
  /** Its refund vouchers. */
  refundVoucherNumbers: string[];
}

/** The sum of a tax in an entry; SGST and UTGST are one to the returns. */
export const taxIn = ({ taxes }: Pick<Entry, "taxes">, ...names: Tax["name"][]) =>
  taxes.filter(({ name }) => names.includes(name)).reduce((sum, { amountPaise }) => sum + amountPaise, 0);
