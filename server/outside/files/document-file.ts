/** The documents that have one PDF each. */
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

/** The name of a document's PDF in the file store, with an id that is its own. Signed addresses know no other kinds. */
export const documentFile = (kind: DocumentKind, id: string) => `${kind}-${id}.pdf`;
