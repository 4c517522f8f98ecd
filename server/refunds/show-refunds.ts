import { and, eq } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { attempts, orders } from "../database/schema/index.ts";
import { type LockedPayment, refundsOfPayment, type SumsOfTransfers, sumsOfTransfers } from "./payment.ts";
import { stateWith } from "../ledger/refund-sums.ts";

/** Makes a paid order show what has become of the refunds of the money that paid it; both are locked. */
export async function showRefunds(transaction: Transaction, payment: LockedPayment, now: Date): Promise<void> {
  const { attempt, order } = payment;
  if (attempt ? attempt.state !== "success" : !(await isPaidByTransfer(transaction, order))) return;
  const known = await refundsOfPayment(transaction, payment);
  const byTransfer = await sumsOfTransfers(transaction, order.id);
  const sums = attempt ? sumsOfGateway(attempt, order, byTransfer) : byTransfer;
  const state = stateWith(sums.camePaise, known, sums.excessPaise);
  await transaction.update(orders).set({ state, updatedAt: now }).where(eq(orders.id, order.id));
}

/** An older form may have taken another sum than is owed, or all of it beside a part that came by transfer. */
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
