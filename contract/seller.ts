/** What an operator's documents say of it beside its brand, and what its taxes depend on. */
export interface SellerTexts {
  /** Corporate identity number of a company, which stands on every invoice; empty for who is none. */
  cin: string;
  /** Letter of undertaking under which exports, and supplies to special economic zones, are made without tax. */
  undertaking: SellerUndertaking | null;
  /** Whether documents are rounded to the rupee, with a line that says so. */
  roundToRupee: boolean;
  /** Null while the turnover is below the threshold of rule 48(4): no invoice is registered with the portal then. */
  eInvoices: SellerEInvoices | null;
}

/** What the portal wants to know of the seller beside its address, and the day from which on it is told of invoices. */
export interface SellerEInvoices {
  /** As 2026-04-01. */
  from: string;
  place: string;
  pinCode: string;
}

/** Days as 2026-04-01. */
export interface SellerUndertaking {
  number: string;
  validFrom: string;
  validTo: string;
}

/** Until an operator says so, nothing is claimed: no undertaking means that integrated tax is charged. */
export const shippedSeller: SellerTexts = { cin: "", undertaking: null, roundToRupee: false, eInvoices: null };

/** Listing, industry, state, year, kind and number of registration. */
export const cinShape = /^[LU]\d{5}[A-Z]{2}\d{4}[A-Z]{3}\d{6}$/;
