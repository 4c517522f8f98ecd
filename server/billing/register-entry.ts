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

export interface Register {
  /** GSTIN of the operator as it is now. */
  gstin: string;
  from: string;
  to: string;
  entries: Entry[];
}

/** The sum of a tax in an entry; SGST and UTGST are one to the returns. */
export const taxIn = ({ taxes }: Pick<Entry, "taxes">, ...names: Tax["name"][]) =>
  taxes.filter(({ name }) => names.includes(name)).reduce((sum, { amountPaise }) => sum + amountPaise, 0);
