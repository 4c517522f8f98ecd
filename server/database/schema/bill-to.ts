import type { Billing } from "../../../contract/billing.ts";

/** Who is billed, as it stands on the invoice: what nobody gave is missing. */
export interface BillTo {
  /** The legal name, where it is known. */
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
  /** Under which a unit in a special economic zone buys without tax. */
  undertaking?: NonNullable<Billing["undertaking"]>;
  /** Of this order. */
  purchaseOrder?: string;
  /** First day of the service, as 2026-11-22; missing where it begins when it is paid. */
  serviceStart?: string;
}

/** Tax that the buyer deducts from what it pays, and pays for us to the government. */
export interface TaxDeducted {
  /** Of the Income-tax Act, as the buyer named it. */
  section: string;
  basisPoints: number;
  amountPaise: number;
}
