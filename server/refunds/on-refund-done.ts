import type { Transaction } from "../database/database.ts";
import type { orders, refunds } from "../database/schema/index.ts";

/** Money of a paid order that has gone back. */
export interface RefundDone {
  order: typeof orders.$inferSelect;
  refund: typeof refunds.$inferSelect;
}

/**
 * THE place for what follows from money of a paid order that has gone back, once for each refund and in the transaction
 * that notes it: the credit note is issued here. What came on top of the order's payment has no invoice, and does not come here.
 */
export async function onRefundDone(_transaction: Transaction, _done: RefundDone): Promise<void> {
  // Nothing follows yet.
}
