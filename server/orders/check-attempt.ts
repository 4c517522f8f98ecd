import { and, eq, gt, isNotNull, isNull, lt } from "drizzle-orm";
import { formatRupees } from "../../contract/money.ts";
import { attempts } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { applyPaymentResult } from "./apply-result.ts";
import { keepEvent } from "./keep-event.ts";
import { unconfirmedMaxMs } from "./next-check.ts";
import { lockAttempt, takeStep } from "./take-step.ts";

type Attempt = typeof attempts.$inferSelect;

/**
 * Asks the gateway about one attempt and applies its answer; of a paid one, whether its money was given back.
 * @throws when the gateway gives no answer
 */
export async function checkAttempt(services: Services, reference: string): Promise<void> {
  const [attempt] = await services.database.select().from(attempts).where(eq(attempts.reference, reference));
  if (!attempt || attempt.state === "review") return;
  if (attempt.state === "success") return checkRefunds(services, attempt);
  await applyPaymentResult(services, { source: "verify", status: await services.gateway.fetchStatus(reference) });
}

/** Money that went back without anybody here having asked for it is for a person to look at. */
async function checkRefunds(services: Services, known: Attempt): Promise<void> {
  const { reference, gatewayPaymentId } = known;
  const refunds = await services.gateway.fetchRefunds(gatewayPaymentId ?? "");
  const backPaise = refunds
    .filter(({ state }) => state !== "failed")
    .reduce((sum, { amountPaise }) => sum + amountPaise, 0);
  await services.database.transaction(async (transaction) => {
    const locked = await lockAttempt(transaction, known);
    const { attempt, order } = locked;
    await keepEvent(transaction, attempt, {
      eventKey: `${attempt.gateway}:${reference}:given back:${backPaise}`,
      source: "verify",
      outcome: backPaise > 0 ? "given back" : "not given back",
      raw: Object.fromEntries(refunds.map(({ id, amountPaise, state }) => [id, `${amountPaise} paise, ${state}`])),
    });
    if (backPaise > 0 && order.state === "success") {
      const problem = `The gateway gives ${formatRupees(backPaise)} of payment ${gatewayPaymentId} back, which nobody asked for here.`;
      await takeStep(services, transaction, locked, { news: "given back", problem });
    }
    // A message that came while the gateway was asked has made it due again.
    const answered = and(eq(attempts.id, attempt.id), gt(attempts.nextCheckAt, services.now()));
    await transaction.update(attempts).set({ nextCheckAt: null }).where(answered);
  });
}

/** Shows a person what the gateway called a success and has not confirmed for a day. It is still asked about. */
export async function showUnconfirmed(services: Services): Promise<void> {
  const dayAgo = new Date(services.now().getTime() - unconfirmedMaxMs);
  const unconfirmed = and(isNotNull(attempts.claimedAt), lt(attempts.claimedAt, dayAgo), isNull(attempts.reviewReason));
  const found = await services.database.select().from(attempts).where(unconfirmed);
  for (const known of found)
    await services.database.transaction(async (transaction) => {
      const locked = await lockAttempt(transaction, known);
      const { reference, claimedAt, reviewReason } = locked.attempt;
      if (!claimedAt || reviewReason) return;
      const since = claimedAt.toISOString().replace(/T(.{5}).*/, " $1 UTC");
      const problem = `The gateway called payment ${reference} a success at ${since} and has not confirmed it since: please look it up there.`;
      await takeStep(services, transaction, locked, { news: "unconfirmed", problem });
    });
}
