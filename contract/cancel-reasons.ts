/** Why an e-invoice is cancelled, as the portal numbers it. */
export const cancelReasons = {
  "1": "Duplicate",
  "2": "Mistake in its data",
  "3": "Order cancelled",
  "4": "Another reason",
} as const;
export type CancelReason = keyof typeof cancelReasons;

/** The portal takes so many characters. */
export const cancelRemarkLengthMax = 100;
/** An e-invoice can be cancelled for so long after the portal's acknowledgement. */
export const cancelHours = 24;
/** So long after it the portal tells whether somebody cancelled it there. */
export const tellsHours = 48;
