import { and, eq, inArray } from "drizzle-orm";
import { attempts } from "../database/schema/index.ts";
import { keepEvent } from "../orders/keep-event.ts";
import { settledStates } from "../orders/take-step.ts";
import type { RefundHint } from "../outside/payments/gateway.ts";
import type { Services } from "../services.ts";

/**
 * Takes an unsigned message that money goes back: the gateway will be asked about the payment, nothing else happens.
 * One about nothing of ours leaves no trace, and whoever sent it can't tell.
 */
export async function takeRefundHint(services: Services, hint: RefundHint): Promise<void> {
  const { reference, eventKey, about, raw } = hint;
  if (!/^[\dA-Za-z]{1,25}$/.test(reference)) return;
  const { database } = services;
  const [attempt] = await database.select().from(attempts).where(eq(attempts.reference, reference));
  if (!attempt) return;
  await keepEvent(database, attempt, { eventKey, source: "webhook", outcome: `said ${about}`, raw });
  const settled = and(eq(attempts.id, attempt.id), inArray(attempts.state, [...settledStates]));
  await database.update(attempts).set({ nextCheckAt: services.now() }).where(settled);
}
