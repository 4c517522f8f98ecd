/** Reasons for cancelling an e-invoice, by the portal's codes. */
export const cancelReasons = {
  "1": "Duplicate",
  "2": "Mistake in its data",
  "3": "Order cancelled",
  "4": "Another reason",
} as const;
export type CancelReason = keyof typeof cancelReasons;

/** The portal's limit, in characters. */
export const cancelRemarkLengthMax = 100;
/** How long after the portal's acknowledgement an e-invoice can be cancelled. */
export const cancelHours = 24;
/** How long after the acknowledgement the portal reports a cancellation made there. */
export const tellsHours = 48;
