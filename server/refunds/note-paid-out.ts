import { and, eq, inArray, min } from "drizzle-orm";
import { formatRupees } from "../../contract/money.ts";
import type { Input } from "../../contract/operations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { audit } from "../audit/audit.ts";
import type { Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { enteredStates, orders, refunds, transfers } from "../database/schema/index.ts";
import { askWhetherMeant, Failure, invalidField, notFound } from "../failures/failure.ts";
import { lockReferences } from "../ledger/bank-references.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { settleFindings } from "../orders/findings.ts";
import type { Services } from "../services.ts";
import { lockPaymentOf } from "./decide-refund.ts";
import { takeRefundStep } from "./take-refund-step.ts";

/**
 * Notes once that a refund of transferred money was paid out at the bank; the ledger, credit note, mail and notice
 * follow. Repeating the same call changes nothing. Returns a sentence for the page.
 * @throws Failure not_found; conflict if the refund is the gateway's, waits for agreement or has ended, or the
 * reference is already used, or to have a day in a month that is over confirmed; invalid for a day in the future or
 * before any money came
 */
export async function notePaidOut(
  services: Services,
  { actor }: Scope<"any">,
  { id, bank_reference: bankReference, paid_on: paidOn, is_meant: isMeant }: Input<"admin/refunds/paid-out">,
): Promise<string> {
  const today = writtenDay(services.now());
  if (paidOn > today)
    throw new Failure("invalid", "This day is still to come.", { fields: { paid_on: "This day is still to come" } });
  return services.database.transaction(async (transaction) => {
    await lockReferences(transaction, [bankReference]);
    const payment = await lockPaymentOf(transaction, id);
    const [refund] = await transaction.select().from(refunds).where(eq(refunds.id, id));
    if (!refund) throw notFound("This refund");
    const done = `${formatRupees(refund.amountPaise)} are noted as given back by transfer ${bankReference}.`;
    if (refund.state === "done" && refund.bankReference === bankReference && refund.paidOn === paidOn) return done;
    refuseNotToPayOut(refund);
    await refuseBeforeItCame(transaction, refund.orderId, paidOn);
    await refuseUsed(transaction, bankReference);
    if (!isMeant) askWhetherOver(paidOn, today);
    const payOut = { bankReference, paidOn, paidOutBy: actor.personId };
    await takeRefundStep(services, transaction, payment, refund, { news: "paid out", payOut });
    await settleOver(services, transaction, refund.orderId, `Given back by transfer ${bankReference}.`);
    const detail = { refund: id, amountPaise: refund.amountPaise, bankReference, paidOn };
    await audit(transaction, actor.personId, "pay out refund", `order:${refund.orderId}`, detail);
    return done;
  });
}

/** Settles findings about transfers that were too large or too small to use, once none of that money is left. */
export async function settleOver(
  { now }: Services,
  transaction: Transaction,
  orderId: string,
  how: string,
): Promise<void> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId));
  if (!order || owedBesideNothing(order) < 0) return;
  const came = await transaction.select({ utr: transfers.utr }).from(transfers).where(eq(transfers.orderId, orderId));
  // A finding about tax said to be deducted after credit notes has the invoice number as its key.
  const keys = [...came.map(({ utr }) => utr), order.invoiceNumber];
  await settleFindings(transaction, ["transfer over", "transfer short"], keys, how, now());
}

/** @throws Failure conflict for a refund that is the gateway's, waits for agreement, or has ended */
export function refuseNotToPayOut({ attemptId, state }: typeof refunds.$inferSelect): void {
  if (attemptId !== null)
    throw new Failure("conflict", "The gateway gives this money back by itself: nothing is to be transferred for it.");
  if (state === "asked") throw new Failure("conflict", "Another main administrator has to agree to this refund first.");
  if (state !== "approved")
    throw new Failure("conflict", "This refund has ended already. The order’s History says how and when.");
}

/** A mistyped year would date documents and registers before the money that they give back. */
async function refuseBeforeItCame(transaction: Transaction, orderId: string, paidOn: string): Promise<void> {
  const came = and(eq(transfers.orderId, orderId), inArray(transfers.state, enteredStates));
  const [first] = await transaction
    .select({ day: min(transfers.receivedOn) })
    .from(transfers)
    .where(came);
  if (!first?.day || paidOn >= first.day) return;
  throw invalidField("paid_on", `The money came on ${paperDay(first.day)}. Please enter that day, or a later one.`);
}

/** An advance that goes back in the month of its receipt leaves that month's return, which may be filed already. */
function askWhetherOver(paidOn: string, today: string): void {
  if (paidOn.slice(0, 7) >= today.slice(0, 7)) return;
  const sentence = `${paperDay(paidOn)} lies in a month that is over, whose GST return may be filed already. Please compare the day with the bank: papers and the tax on advances go by it.`;
  throw askWhetherMeant([{ word: "day", sentence }]);
}

/** One bank transfer pays out one refund only. The caller has locked the reference. */
async function refuseUsed(transaction: Transaction, bankReference: string): Promise<void> {
  if ((await transaction.$count(refunds, eq(refunds.bankReference, bankReference))) > 0)
    throw refusedReference(`The bank reference ${bankReference} is noted with another refund.`);
  if ((await transaction.$count(transfers, eq(transfers.utr, bankReference))) > 0)
    throw refusedReference(
      `${bankReference} is a transfer that came. Please enter the reference of the one that went out.`,
    );
}

const refusedReference = (sentence: string) =>
  new Failure("conflict", sentence, { fields: { bank_reference: sentence } });
