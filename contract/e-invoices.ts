import { z } from "zod";
import { cancelReasons, type CancelReason as CancelReasonCode, cancelRemarkLengthMax } from "./cancel-reasons.ts";
import { Instant, line, Message } from "./fields.ts";
import { operation } from "./operation.ts";

/**
 * due: to be sent to the portal. sent: no answer yet. registered: it has its number. refused: the portal gave reasons.
 * cancelled: withdrawn within 24 hours. A document that need not be registered has no state.
 */
export const EInvoiceState = z.enum(["due", "sent", "registered", "refused", "cancelled"]);
export type EInvoiceState = z.infer<typeof EInvoiceState>;

const CancelReason = z.enum(
  Object.keys(cancelReasons) as [CancelReasonCode, ...CancelReasonCode[]],
  "Please choose why",
);

/** The registration of an invoice or a credit note, as our own staff see it. */
export const StaffEInvoice = z.object({
  id: z.uuid(),
  /** The document's number. */
  number: z.string(),
  state: EInvoiceState,
  irn: z.string().nullable(),
  ack_number: z.string().nullable(),
  ack_at: Instant.nullable(),
  /** Why the portal refused it: a sentence each, with the portal's code. */
  reasons: z.array(z.string()),
  /** Until when it can be cancelled; null if it can't. */
  cancel_until: Instant.nullable(),
  /** Until when the portal reports a cancellation made there; null if it can't be cancelled. */
  record_until: Instant.nullable(),
  /** When the portal was asked to cancel it, while that request has no answer. */
  cancel_asked_at: Instant.nullable(),
});
export type StaffEInvoice = z.infer<typeof StaffEInvoice>;

export const eInvoiceOperations = {
  "admin/e-invoices/cancel": operation({
    method: "post",
    summary:
      "Have the e-invoice of an invoice cancelled at the portal, within 24 hours of its acknowledgement, or recorded within 48 that it was cancelled there. 409 with why when that is not possible any more",
    input: z.object({
      id: z.uuid(),
      reason: CancelReason,
      remark: line(cancelRemarkLengthMax, "Please say in a few words why"),
    }),
    answer: Message,
  }),
};
