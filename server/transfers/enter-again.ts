import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import { formatRupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { enteredStates, refunds, transfers } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { movedPaiseOf } from "../ledger/list-transfers.ts";
import { noteFindings } from "../orders/findings.ts";
import { lockPaymentOf } from "../refunds/decide-refund.ts";
import { refuseNotToPayOut, settleOver } from "../refunds/note-paid-out.ts";
import { type Refund, takeRefundStep } from "../refunds/take-refund-step.ts";
import type { Services } from "../services.ts";
import type { TransferRow } from "./match-transfer.ts";
import { keepSeen, lockUtrs } from "./record-transfer.ts";

/**
 * Takes money off an order that belongs to another one, as after a wrong match: its refund is done without a pay-out,
 * and the sum waits for a match as a transfer of its own, under the bank's reference with a number behind it. It came
 * today, so that neither order's papers fall into a month whose return is filed, and the bank's balance stays as it is.
 * Repeating the call changes nothing. Returns a sentence for the page.
 * @throws Failure not_found; conflict if the refund is the gateway's, waits for agreement or has ended, or no single
 * transfer had brought as much
 */
export async function enterAgain(services: Services, { actor }: Scope<"any">, refundId: string): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const { source: expected, utr } = await nextReference(transaction, refundId);
    const known = await lockUtrs(transaction, [utr]);
    const payment = await lockPaymentOf(transaction, refundId);
    const [refund] = await transaction.select().from(refunds).where(eq(refunds.id, refundId));
    if (!refund) throw notFound("This refund");
    const number = orderNumber(payment.order.serial);
    const done = (reference: string) =>
      `${formatRupees(refund.amountPaise)} are off ${number}, and wait under Receivables as ${reference}.`;
    if (refund.state === "done" && refund.movedFrom !== null) return done(refund.bankReference ?? "");
    refuseNotToPayOut(refund);
    const source = await sourceOf(transaction, refund);
    if (!source)
      throw new Failure(
        "conflict",
        "No single transfer brought as much as this refund. Please call it off and ask for one refund for each transfer.",
      );
    // The reference is locked before the order: meanwhile it was taken, or another transfer came or went.
    if (known.size > 0 || source.id !== expected?.id)
      throw new Failure("conflict", `Money of ${number} was entered just now. Please try once more.`);
    const paidOn = writtenDay(services.now());
    const payOut = { bankReference: utr, paidOn, paidOutBy: actor.personId, movedFrom: source.id };
    await takeRefundStep(services, transaction, payment, refund, { news: "paid out", payOut });
    await settleOver(services, transaction, refund.orderId, `Taken off as ${utr}, which belongs to another order.`);
    const entered = { utr, amountPaise: refund.amountPaise, receivedOn: paidOn, recordedBy: actor.personId };
    await keepAgain(services, transaction, source, entered, number);
    const detail = { refund: refundId, amountPaise: refund.amountPaise, utr: source.utr, enteredAs: utr };
    await audit(transaction, actor.personId, "enter money again", `order:${refund.orderId}`, detail);
    return done(utr);
  });
}

async function keepAgain(
  services: Services,
  transaction: Transaction,
  { payer, narration }: TransferRow,
  entered: Pick<TransferRow, "utr" | "amountPaise" | "receivedOn"> & { recordedBy: string },
  number: string,
): Promise<void> {
  await keepSeen(services, transaction, undefined, { ...entered, payer, narration });
  const says = `${formatRupees(entered.amountPaise)} that were entered for ${number} belong to another order, and nothing says to which. Please match them under Receivables.`;
  await noteFindings(transaction, [{ kind: "unknown transfer", key: entered.utr, says }]);
}

/** The newest transfer of the refund's order of which at least as much is left. */
async function sourceOf(
  transaction: Transaction,
  { orderId, amountPaise }: Pick<Refund, "orderId" | "amountPaise">,
): Promise<TransferRow | undefined> {
  const backPaise = sql`(select coalesce(sum((back.content->>'totalPaise')::bigint), 0)
    from receipts join refund_vouchers back on back.receipt_id = receipts.id join refunds on refunds.id = back.refund_id
    where receipts.transfer_id = ${transfers.id} and refunds.moved_from is distinct from ${transfers.id})`;
  const [source] = await transaction
    .select()
    .from(transfers)
    .where(
      and(
        eq(transfers.orderId, orderId),
        inArray(transfers.state, enteredStates),
        sql`${transfers.amountPaise} - ${movedPaiseOf} - ${backPaise} >= ${amountPaise}`,
      ),
    )
    .orderBy(desc(transfers.id))
    .limit(1);
  return source;
}

/** A refund's transfer, and the first free reference for what is entered again: the bank's with /2, /3 and so on. */
async function nextReference(transaction: Transaction, refundId: string) {
  const [refund] = await transaction.select().from(refunds).where(eq(refunds.id, refundId));
  if (!refund) throw notFound("This refund");
  const source = await sourceOf(transaction, refund);
  const numbered = (number: number) => `${source?.utr ?? ""}/${number}`;
  let number = 2;
  // oxlint-disable-next-line no-await-in-loop -- nearly always the first is free
  while ((await transaction.$count(transfers, eq(transfers.utr, numbered(number)))) > 0) number++;
  return { source, utr: numbered(number) };
}
