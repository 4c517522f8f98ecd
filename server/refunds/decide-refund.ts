import { and, eq, ne } from "drizzle-orm";
import { audit } from "../audit/audit.ts";
import type { Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { people, refunds } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { lockPayment } from "./payment.ts";
import { goesBackSentence, payOutSentence, type Refund, takeRefundStep } from "./take-refund-step.ts";

/**
 * Agrees to a refund as the second person. The update itself enforces that the refund still waits and that another
 * person asked for it.
 * @throws Failure conflict, not_found
 */
export async function approveRefund(services: Services, { actor }: Scope<"any">, id: string): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const payment = await lockPaymentOf(transaction, id);
    const [approved] = await transaction
      .update(refunds)
      .set({ approvedBy: actor.personId })
      .where(and(eq(refunds.id, id), eq(refunds.state, "asked"), ne(refunds.askedBy, actor.personId)))
      .returning();
    if (!approved) throw await refusalOf(transaction, actor.personId, id);
    await takeRefundStep(services, transaction, payment, approved, { news: "approved" });
    const detail = { refund: id, amountPaise: approved.amountPaise };
    await audit(transaction, actor.personId, "approve refund", `order:${approved.orderId}`, detail);
    return payment.attempt === null ? payOutSentence(approved.amountPaise) : goesBackSentence(approved.amountPaise);
  });
}

/**
 * Declines a waiting refund, withdraws one's own, or calls off one to be paid out by hand: nothing of it was sent.
 * @throws Failure conflict, not_found
 */
export async function declineRefund(
  services: Services,
  { actor }: Scope<"any">,
  { id, reason }: { id: string; reason: string },
): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const payment = await lockPaymentOf(transaction, id);
    const [waiting] = await transaction.select().from(refunds).where(eq(refunds.id, id));
    const isToPayOut = waiting?.state === "approved" && payment.attempt === null;
    if (!waiting || (waiting.state !== "asked" && !isToPayOut)) throw await refusalOf(transaction, actor.personId, id);
    const word = isToPayOut ? "Called off" : waiting.askedBy === actor.personId ? "Withdrawn" : "Refused";
    const news = isToPayOut ? "called off" : "declined";
    await takeRefundStep(services, transaction, payment, waiting, { news, problem: `${word}: ${reason}` });
    const detail = { refund: id, amountPaise: waiting.amountPaise, reason };
    await audit(transaction, actor.personId, "decline refund", `order:${waiting.orderId}`, detail);
    return `${word}. Nothing of it was sent.`;
  });
}

/** Locks a refund's order and payment before the refund itself, as all other code does. @throws Failure not_found */
export async function lockPaymentOf(transaction: Transaction, refundId: string) {
  const [refund] = await transaction.select().from(refunds).where(eq(refunds.id, refundId));
  if (!refund) throw notFound("This refund");
  return lockPayment(transaction, refund);
}

/** Why a refund could not be decided: somebody else was faster, or the same person asked for it. */
async function refusalOf(transaction: Transaction, me: string, id: string): Promise<Failure> {
  const [refund] = await transaction.select().from(refunds).where(eq(refunds.id, id));
  if (!refund) return notFound("This refund");
  if (refund.state === "asked")
    return new Failure("conflict", "You asked for this refund yourself: somebody else has to agree to it.");
  return new Failure("conflict", await decided(transaction, refund, me));
}

async function decided(transaction: Transaction, { state, failure, approvedBy }: Refund, me: string): Promise<string> {
  if (state === "failed") return `This refund has ended already. ${failure ?? ""}`.trim();
  if (approvedBy === null) return "This refund needs nobody's consent.";
  const [by] = await transaction.select().from(people).where(eq(people.id, approvedBy));
  const who = approvedBy === me ? "You have" : by ? `${by.firstName} ${by.lastName} has` : "Somebody has";
  return `${who} agreed to this refund already.`;
}
