import { and, eq } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { attempts, orders } from "../database/schema/index.ts";
import { type LockedPayment, refundsOfPayment, type SumsOfTransfers, sumsOfTransfers } from "./payment.ts";
import { stateWith } from "../ledger/refund-sums.ts";

/** Updates a paid order's state from the refunds of the money that paid it. The caller has locked both. */
export async function showRefunds(transaction: Transaction, payment: LockedPayment, now: Date): Promise<void> {
  const { attempt, order } = payment;
  if (attempt ? attempt.state !== "success" : !(await isPaidByTransfer(transaction, order))) return;
  const known = await refundsOfPayment(transaction, payment);
  const byTransfer = await sumsOfTransfers(transaction, order.id);
  const sums = attempt ? sumsOfGateway(attempt, order, byTransfer) : byTransfer;
  const state = stateWith(sums.camePaise, known, sums.excessPaise);
  await transaction.update(orders).set({ state, updatedAt: now }).where(eq(orders.id, order.id));
}

/** An older form may have taken another sum than was owed, or the whole sum although part had come by transfer. */
function sumsOfGateway(
  { capturedPaise, amountPaise }: typeof attempts.$inferSelect,
  order: LockedPayment["order"],
  byTransfer: SumsOfTransfers,
) {
  const camePaise = capturedPaise ?? amountPaise;
  const partPaise = byTransfer.camePaise - byTransfer.excessPaise;
  return { camePaise, excessPaise: Math.max(0, camePaise + partPaise - order.amountPaise) };
}

async function isPaidByTransfer(transaction: Transaction, { id, paymentId }: LockedPayment["order"]): Promise<boolean> {
  if (paymentId === null) return false;
  return (await transaction.$count(attempts, and(eq(attempts.orderId, id), eq(attempts.state, "success")))) === 0;
}
