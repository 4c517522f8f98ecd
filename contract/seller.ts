/** The seller's details for its documents, besides its brand, and what its taxes depend on. */
export interface SellerTexts {
  /** The company's corporate identity number, printed on every invoice; empty for a seller that is not a company. */
  cin: string;
  /** Letter of undertaking under which exports, and supplies to special economic zones, are made without tax. */
  undertaking: SellerUndertaking | null;
  /** Whether documents are rounded to the rupee, with a line that says so. */
  roundToRupee: boolean;
  /** The account to which customers may transfer; null while bank transfer is not offered. */
  bank: BankAccount | null;
  /** Days from an invoice until it is due, where paying against invoice is offered; null where it is not. */
  creditDays: number | null;
  /**
   * The deductions that customers may choose, as their accountants agree with the operator; nothing is promised by it.
   */
  deductions: Deduction[];
  /** Null while the turnover is below the threshold of rule 48(4): then no invoice is registered with the portal. */
  eInvoices: SellerEInvoices | null;
  /** What retention certificates state about how logs are kept; null while nothing is stated. */
  retention: RetentionStatement | null;
}

export interface RetentionStatement {
  /** Where the logs are kept: the data centre, its city and country. */
  place: string;
  /** The time source of the engines' clocks. */
  clock: string;
  /** The name of the person who answers for the certificate, and their designation. */
  signatory: string;
  designation: string;
}

export interface BankAccount {
  accountName: string;
  accountNumber: string;
  ifsc: string;
  bankName: string;
}

/** Tax deducted at source under a section, from a day on. */
export interface Deduction {
  section: string;
  /** 10 for 10%, with at most two decimals. */
  percent: number;
  validFrom: string;
}

/** Four letters for the bank, a zero, six characters for the branch. */
export const ifscShape = /^[A-Z]{4}0[A-Z0-9]{6}$/;

/** The deductions that a buyer may choose on this day: for each section, the latest that has begun. */
export function deductionsOn(day: string, deductions: readonly Deduction[]): Deduction[] {
  const begun = deductions.filter(({ validFrom }) => validFrom <= day);
  return begun.filter(
    (one) => !begun.some((other) => other.section === one.section && other.validFrom > one.validFrom),
  );
}

/** What the portal needs to know of the seller besides its address, and the day from which invoices are registered. */
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

/** Until an operator enters its own, nothing is claimed: without an undertaking, integrated tax is charged. */
export const shippedSeller: SellerTexts = {
  cin: "",
  undertaking: null,
  roundToRupee: false,
  bank: null,
  creditDays: null,
  deductions: [],
  eInvoices: null,
  retention: null,
};

/** Listing, industry, state, year, kind and number of registration. */
export const cinShape = /^[LU]\d{5}[A-Z]{2}\d{4}[A-Z]{3}\d{6}$/;
