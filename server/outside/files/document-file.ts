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

/** The name of a document's PDF in the file store: made twice, it is there once. Signed addresses know no other kinds. */
export const documentFile = (kind: (typeof documentKinds)[number], id: string) => `${kind}-${id}.pdf`;
