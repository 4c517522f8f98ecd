import { and, eq, inArray } from "drizzle-orm";
import { attempts, orders } from "../database/schema/index.ts";
import { noteFindings } from "../orders/findings.ts";
import { keepEvent } from "../orders/keep-event.ts";
import { settledStates } from "../orders/take-step.ts";
import type { RefundHint } from "../outside/payments/gateway.ts";
import type { Services } from "../services.ts";

/**
 * Takes an unsigned message that money goes back, and has the gateway asked about the payment. A dispute also calls a
 * person, because the gateway tells us its deadline nowhere else. A message about no payment of ours leaves no trace,
 * and its sender can't tell.
 */
export async function takeRefundHint(services: Services, hint: RefundHint): Promise<void> {
  const { reference, eventKey, about, raw } = hint;
  if (!/^[\dA-Za-z]{1,25}$/.test(reference)) return;
  const { database } = services;
  const [attempt] = await database.select().from(attempts).where(eq(attempts.reference, reference));
  if (!attempt) return;
  const event = { eventKey, source: "webhook", outcome: `said ${about}`, raw } as const;
  const isNew = await keepEvent(database, attempt, event);
  if (isNew && about === "dispute") await noteDispute(services, attempt, raw);
  const settled = and(eq(attempts.id, attempt.id), inArray(attempts.state, [...settledStates]));
  await database.update(attempts).set({ nextCheckAt: services.now() }).where(settled);
}

/**
 * Noted once per dispute, within the limit on messages kept per payment. A forged one calls a person in vain, but takes
 * no other payment's number.
 */
async function noteDispute(
  { database }: Services,
  { orderId, reference }: typeof attempts.$inferSelect,
  { cb_id: id, cb_amount: amount, due_date: dueOn, cb_status: status }: RefundHint["raw"],
): Promise<void> {
  const [order] = await database.select().from(orders).where(eq(orders.id, orderId));
  const about = `dispute ${id ?? "without a number"}${amount ? ` over ₹${amount}` : ""}${status ? `, ${status}` : ""}`;
  const until = dueOn ? ` It is to be answered by ${dueOn}.` : "";
  const says = `The gateway told of ${about}, of payment ${reference}.${until} Nobody signed this: please look it up there.`;
  await noteFindings(database, [
    { kind: "disputed", key: [reference, id].filter(Boolean).join(" "), says, ...(order && { order }) },
  ]);
}
