import { eq } from "drizzle-orm";
import { randomBytes } from "node:crypto";
import { formatRupees, paiseFrom } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Input } from "../../contract/operations.ts";
import { audit } from "../audit/audit.ts";
import type { Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, refunds } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { notify } from "../notices/notify.ts";
import { lockAttempt, type LockedAttempt } from "../orders/take-step.ts";
import type { Services } from "../services.ts";
import { alonePaiseOf, refundablePaise, refundsOfPayment, showRefunds } from "./sums.ts";
import { askSoon, type Refund } from "./take-refund-step.ts";

type Asked = Input<"admin/refunds/ask">;

/**
 * Has money of a payment given back: at once, or above the operator's limit when a second administrator has agreed. The
 * order's row is locked, so that all that is asked for side by side is never more than was captured. Answers what was done.
 * @throws Failure not_found, or conflict when there is not so much left
 */
export async function askRefund(services: Services, scope: Scope<"any">, asked: Asked): Promise<string> {
  const amountPaise = paiseFrom(asked.amount);
  const refund = await services.database.transaction(async (transaction) => {
    const [known] = await transaction.select().from(attempts).where(eq(attempts.id, asked.payment));
    if (!known) throw notFound("This payment");
    const payment = await lockAttempt(transaction, known);
    const repeated = await findRepeated(transaction, asked, amountPaise);
    if (repeated) return repeated;
    const ofPayment = await refundsOfPayment(transaction, known.id);
    refuseTooMuch(payment, refundablePaise(payment.attempt.capturedPaise, ofPayment), amountPaise);
    return makeRefund(services, transaction, scope, payment, { ...asked, amountPaise });
  });
  return refund.state === "asked"
    ? `${formatRupees(amountPaise)} wait for a second administrator, who finds them under Actions. Nothing is sent before.`
    : `${formatRupees(amountPaise)} go back. The order shows when the gateway has it and when the money is there.`;
}

/** The refund that an earlier call with the same id has made. */
async function findRepeated(transaction: Transaction, asked: Asked, amountPaise: number): Promise<Refund | undefined> {
  const [repeated] = await transaction.select().from(refunds).where(eq(refunds.id, asked.id));
  if (repeated && (repeated.attemptId !== asked.payment || repeated.amountPaise !== amountPaise))
    throw new Failure("conflict", "Another refund has this id. Please reload the page and try again.");
  return repeated;
}

function refuseTooMuch({ attempt }: LockedAttempt, leftPaise: number, amountPaise: number): void {
  if (attempt.capturedPaise === null || !attempt.gatewayPaymentId)
    throw new Failure("conflict", "The gateway has taken no money by this payment that could be given back.");
  if (amountPaise <= leftPaise) return;
  const taken = formatRupees(attempt.capturedPaise);
  const sentence =
    leftPaise === 0
      ? `All of the ${taken} of this payment has been given back, or is on its way.`
      : `Of the ${taken} of this payment ${formatRupees(leftPaise)} are left. Please ask for no more than that.`;
  throw new Failure("conflict", sentence, { fields: { amount: sentence } });
}

/**
 * Writes a refund of a payment that is locked and has so much left. `creditNoteId` is of the credit note that was issued for
 * this money before; without one the refund makes it when the money is back.
 */
export async function makeRefund(
  services: Services,
  transaction: Transaction,
  { actor }: Scope<"any">,
  payment: LockedAttempt,
  {
    id,
    amountPaise,
    reason,
    creditNoteId,
  }: Pick<Asked, "id" | "reason"> & { amountPaise: number; creditNoteId?: string },
): Promise<Refund> {
  const { attempt, order } = payment;
  const now = services.now();
  const ofOrder = await transaction.select().from(refunds).where(eq(refunds.orderId, order.id));
  const needsSecond = alonePaiseOf(ofOrder) + amountPaise > services.env.refundApprovalPaise;
  const amount = formatRupees(amountPaise);
  const [refund] = await transaction
    .insert(refunds)
    .values({
      id,
      orderId: order.id,
      attemptId: attempt.id,
      token: newToken(now),
      amountPaise,
      reason,
      creditNoteId: creditNoteId ?? null,
      state: needsSecond ? "asked" : "approved",
      askedBy: actor.personId,
      askedAt: now,
      needsSecond,
      approvedAt: needsSecond ? null : now,
      problem: needsSecond ? `${amount} wait for a second administrator: ${reason}` : null,
    })
    .returning();
  if (!refund) throw new Error("The refund was not made");
  await audit(transaction, actor.personId, "ask refund", `order:${order.id}`, { refund: id, amountPaise, reason });
  if (!needsSecond) await askSoon(services, transaction, payment);
  await showRefunds(transaction, payment, now);
  if (needsSecond) {
    const facts = { organizationName: order.organisationName, orderNumber: orderNumber(order.serial), amount };
    await notify(transaction, "refund to approve", id, facts, { except: actor.personId });
  }
  return refund;
}

/** Unguessable, within the gateway's 23 characters, and never used twice. */
function newToken(now: Date): string {
  return `R${now.getTime().toString(36)}${randomBytes(8).toString("hex")}`.slice(0, 23).toUpperCase();
}
