/** What an operator's documents say of it beside its brand, and what its taxes depend on. */
export interface SellerTexts {
  /** Corporate identity number of a company, which stands on every invoice; empty for who is none. */
  cin: string;
  /** Letter of undertaking under which exports, and supplies to special economic zones, are made without tax. */
  undertaking: SellerUndertaking | null;
  /** Whether documents are rounded to the rupee, with a line that says so. */
  roundToRupee: boolean;
  /** Where to customers may transfer; null while no bank transfer is offered. */
  bank: BankAccount | null;
  /** So many days after an invoice it is due, where paying against invoice is offered; null while it is not. */
  creditDays: number | null;
  /** What customers may deduct, as their accountants and yours agree; nothing is promised by it. */
  deductions: Deduction[];
  /** Null while the turnover is below the threshold of rule 48(4): no invoice is registered with the portal then. */
  eInvoices: SellerEInvoices | null;
  /** What retention certificates say of how logs are kept; null while nothing is stated. */
  retention: RetentionStatement | null;
}

export interface RetentionStatement {
  /** Where the logs are kept: the data centre, its city and country. */
  place: string;
  /** By what the clocks of the engines are set. */
  clock: string;
  /** Who answers for the certificate, and as what. */
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
  /** 10 for 10%, with two decimals at the most. */
  percent: number;
  validFrom: string;
}

/** Four letters of the bank, a zero, six of the branch. */
export const ifscShape = /^[A-Z]{4}0[A-Z0-9]{6}$/;

/** The sections that a buyer may choose on this day: of each the last one that has begun. */
export function deductionsOn(day: string, deductions: readonly Deduction[]): Deduction[] {
  const begun = deductions.filter(({ validFrom }) => validFrom <= day);
  return begun.filter(
    (one) => !begun.some((other) => other.section === one.section && other.validFrom > one.validFrom),
  );
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
