import type { Billing } from "../../../contract/billing.ts";

/** The buyer as printed on the invoice; details that nobody gave are missing. */
export interface BillTo {
  /** The legal name, if it is known. */
  organizationName: string;
  name: string;
  email: string;
  phone: string;
  kind?: NonNullable<Billing["kind"]>;
  gstin?: string;
  pan?: string;
  address?: string;
  pinCode?: string;
  /** GST state code. */
  state?: string;
  /** ISO 3166, two letters; missing for India. */
  country?: string;
  /** The undertaking (LUT) under which a unit in a special economic zone buys without tax. */
  undertaking?: NonNullable<Billing["undertaking"]>;
  /** The buyer's purchase order number for this order. */
  purchaseOrder?: string;
  /** First day of the service, as 2026-11-22; missing if the service begins when the order is paid. */
  serviceStart?: string;
}

/** Tax deducted at source: the buyer keeps it from what it pays, and pays it to the government on our behalf. */
export interface TaxDeducted {
  /** Section of the Income-tax Act, as the buyer named it. */
  section: string;
  basisPoints: number;
  amountPaise: number;
}
