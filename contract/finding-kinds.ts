// Apart from the schemas, so that a screen can name them without loading those.
/** The kinds of differences between our books and the gateway's. */
export const findingKinds = {
  "amount differs": "Another amount",
  "second success": "Second payment",
  "unknown payment": "Unknown payment",
  "not in our books": "Not paid here",
  "not settled": "Not settled",
  "refund differs": "Another refund",
  "unknown refund": "Unknown refund",
  "refund not settled": "Refund not settled",
  disputed: "Disputed",
  "other settled": "Other money settled",
  "declined quote paid": "Declined quote paid",
  "letter ended": "Letter of undertaking ended",
  "unknown transfer": "Unknown transfer",
  "transfer over": "Too much transferred",
  "transfer short": "Too little transferred",
} as const;
export type FindingKind = keyof typeof findingKinds;
