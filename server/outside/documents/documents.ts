/** A file to embed in a document as an attachment. */
export interface AttachedFile {
  name: string;
  bytes: Uint8Array;
}
export type TemplateName =
  | "proposal"
  | "acceptance"
  | "invoice"
  | "creditNote"
  | "proforma"
  | "receipt"
  | "refundVoucher"
  | "account"
  | "serviceReport"
  | "retention"
  | "reportDraft"
  | "dossier";

/** Renders a Typst template off the event loop. `data` reaches the template as JSON. */
export interface Documents {
  /** @throws when the template does not compile, takes too long, or its thread dies. */
  render(template: TemplateName, data: unknown, attached?: AttachedFile): Promise<Uint8Array>;
  /** Rejects renderings that are still waiting. */
  close(): Promise<void>;
}
