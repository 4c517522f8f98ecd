import { and, asc, eq } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { attempts, invoices, orders, proformas } from "../database/schema/index.ts";
import { invoicedState } from "../ledger/post-entry.ts";

type Attempt = typeof attempts.$inferSelect;
type Order = typeof orders.$inferSelect;
type Shown = Pick<Order, "state" | "reviewReason">;

/** Updates an order's state from its attempts, and returns it. The caller has locked the order's row. */
export async function showAttempts(transaction: Transaction, orderId: string, now: Date): Promise<Shown | null> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId));
  if (!order) return null;
  const tries = await transaction
    .select()
    .from(attempts)
    .where(eq(attempts.orderId, orderId))
    .orderBy(asc(attempts.id));
  const shown = shownBy(order, tries, await waitsFor(transaction, order));
  if (shown.state !== order.state || shown.reviewReason !== order.reviewReason)
    await transaction
      .update(orders)
      .set({ ...shown, updatedAt: now })
      .where(eq(orders.id, orderId));
  return shown;
}

/**
 * A paid order stays paid. Any other shows first that a person has to look, then that money may be on its way, and only
 * then how its newest attempt went.
 * @param tries all attempts of the order, oldest first
 * @param otherwise what the order waits for besides online payment
 */
export function shownBy(
  order: Pick<Order, "state" | "paymentId">,
  tries: Attempt[],
  otherwise: Order["state"] | null = null,
): Shown {
  const reasons = new Set(tries.flatMap(({ reviewReason }) => reviewReason ?? []));
  const reviewReason = reasons.size > 0 ? [...reasons].join(" ") : null;
  if (order.paymentId !== null) return { state: order.state, reviewReason };
  if (reviewReason !== null || tries.some(({ state }) => state === "review")) return { state: "review", reviewReason };
  if (tries.some(isUnderWay)) return { state: "pending", reviewReason };
  if (otherwise) return { state: otherwise, reviewReason };
  const newest = tries.at(-1)?.state ?? order.state;
  // Refunded money did not pay the order, so it can be paid again.
  return { state: newest === "refunded" ? "failure" : newest, reviewReason };
}

/** What an order waits for besides online payment; `closed` if nothing more is due on its invoice. */
export async function waitsFor(transaction: Transaction, order: Order): Promise<Order["state"] | null> {
  if ((await transaction.$count(invoices, eq(invoices.orderId, order.id))) > 0) return invoicedState(order);
  const open = await transaction.$count(proformas, and(eq(proformas.orderId, order.id), eq(proformas.state, "open")));
  return open > 0 ? "awaiting_transfer" : null;
}

/** Whether money may be on its way, in which case a second payment would have to be refunded. */
export function isUnderWay({ state, claimedAt }: Pick<Attempt, "state" | "claimedAt">): boolean {
  return state === "pending" || claimedAt !== null;
}
