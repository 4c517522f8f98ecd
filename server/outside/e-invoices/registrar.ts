import type { DocumentType, Inv01 } from "./inv-01.ts";

/** What the portal holds about a registered document. */
export interface Registration {
  /** Invoice reference number: 64 hexadecimal digits. */
  irn: string;
  ackNumber: string;
  ackAt: Date;
  /** The exact content of the printed QR code: a JWT signed by the portal. */
  signedQr: string;
  /** The document signed by the portal, also a JWT. */
  signedInvoice: string;
  isCancelled: boolean;
}

/** Why the portal refused; the codes are the portal's own. */
export interface Reason {
  code: string;
  text: string;
}

export type RegisterAnswer =
  | { registered: Registration }
  /** The portal already has a document with this number, perhaps this very one; null if it does not say which. */
  | { duplicateOf: string | null }
  | { refused: Reason[] };

export type CancelAnswer = { cancelledAt: Date } | { refused: Reason[] };

/** The key to find a document whose answer was lost. */
export interface DocumentKey {
  type: DocumentType;
  number: string;
  /** As 2026-11-22, the day in India. */
  day: string;
}

/** The portal's reason codes for a cancellation. */
export type CancelCode = "1" | "2" | "3" | "4";

/**
 * The port to an invoice registration portal (IRP). Each call throws when there is no readable answer: the portal may
 * still have done what was asked, so the caller has to look the document up.
 */
export interface InvoiceRegistrar {
  name: string;
  register(document: Inv01): Promise<RegisterAnswer>;
  /** Null if the portal does not know the document, or no longer gives it out (NIC: after three days). */
  findByDocument(key: DocumentKey): Promise<Registration | null>;
  /** Null likewise (NIC: after two days). */
  findByIrn(irn: string): Promise<Registration | null>;
  /** Possible within 24 hours of the registration. `remark` has at most 100 characters. */
  cancel(irn: string, code: CancelCode, remark: string): Promise<CancelAnswer>;
}
