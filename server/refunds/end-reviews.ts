import { and, eq } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { attempts, orders, refunds } from "../database/schema/index.ts";
import { lockAttempt, takeStep } from "../orders/take-step.ts";
import type { Services } from "../services.ts";
import { byHandPaise } from "../ledger/free-credit.ts";
import { leftBeside } from "../ledger/refund-sums.ts";

/**
 * Ends the review of an order's payments that pay for nothing, once all of their money is back: each by its own
 * refunds, or all together by what was noted as given back by hand, which names no payment. The caller has locked the
 * order.
 */
export async function endReviews(services: Services, transaction: Transaction, orderId: string): Promise<void> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId));
  const back = await transaction
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), eq(refunds.state, "done")));
  const inReview = await transaction
    .select()
    .from(attempts)
    .where(and(eq(attempts.orderId, orderId), eq(attempts.state, "review")));
  const left = inReview
    .filter(({ capturedPaise }) => capturedPaise !== null)
    .map((attempt) => ({ id: attempt.id, paise: leftBeside([attempt], back) }));
  const leftPaise = left.reduce((sum, { paise }) => sum + paise, 0);
  // While the order has a credit, money given back by hand may have been that credit.
  const isAllBack = (order?.owedPaise ?? 0) >= 0 && leftPaise <= (await byHandPaise(transaction, orderId));
  for (const { id, paise } of left) {
    if (paise > 0 && !isAllBack) continue;
    // oxlint-disable-next-line no-await-in-loop -- one transaction, one connection
    await takeStep(services, transaction, await lockAttempt(transaction, { id, orderId }), { news: "refunded" });
  }
}
