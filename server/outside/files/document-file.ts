/** The kinds of documents that are stored as one PDF each. */
export const documentKinds = [
  "acceptance",
  "credit-note",
  "invoice",
  "proforma",
  "receipt",
  "refund-voucher",
  "retention",
  "service-report",
  "tax-certificate",
] as const;
export type DocumentKind = (typeof documentKinds)[number];

/**
 * The name of a document's PDF in the file store; `id` is unique within the kind. Signed addresses accept only these
 * kinds.
 */
export const documentFile = (kind: DocumentKind, id: string) => `${kind}-${id}.pdf`;
