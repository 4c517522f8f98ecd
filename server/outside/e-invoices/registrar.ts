import type { DocumentType, Inv01 } from "./inv-01.ts";

/** What the portal keeps of a document that it has registered. */
export interface Registration {
  /** Invoice reference number: 64 hexadecimal digits. */
  irn: string;
  ackNumber: string;
  ackAt: Date;
  /** What the printed QR code has to say, as it is: a JWT that the portal has signed. */
  signedQr: string;
  /** The document as the portal has signed it, a JWT too. */
  signedInvoice: string;
  isCancelled: boolean;
}

/** Why the portal did not take something; codes are its own. */
export interface Reason {
  code: string;
  text: string;
}

export type RegisterAnswer =
  | { registered: Registration }
  /** It has a document with this number already, perhaps this very one; null where it does not say which. */
  | { duplicateOf: string | null }
  | { refused: Reason[] };

export type CancelAnswer = { cancelledAt: Date } | { refused: Reason[] };

/** By what the portal finds a document whose answer was lost. */
export interface DocumentKey {
  type: DocumentType;
  number: string;
  /** As 2026-11-22, in India. */
  day: string;
}

/** The reason codes of a cancellation, as the portal numbers them. */
export type CancelCode = "1" | "2" | "3" | "4";

/**
 * The port to an invoice registration portal (IRP). Each question throws when there is no answer that can be read: the
 * portal may then have done what was asked, and has to be asked what it knows.
 */
export interface InvoiceRegistrar {
  name: string;
  register(document: Inv01): Promise<RegisterAnswer>;
  /** Null for one that it does not know, or does not tell any more (NIC's does for three days). */
  findByDocument(key: DocumentKey): Promise<Registration | null>;
  /** Null as above (NIC's tells for two days). */
  findByIrn(irn: string): Promise<Registration | null>;
  /** Possible for 24 hours. `remark` has at most 100 characters. */
  cancel(irn: string, code: CancelCode, remark: string): Promise<CancelAnswer>;
}
