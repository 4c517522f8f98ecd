import { eq } from "drizzle-orm";
import { randomBytes } from "node:crypto";
import { formatRupees, paiseFrom } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Input } from "../../contract/operations.ts";
import { countOtherAdministrators } from "../accounts/queries.ts";
import { audit } from "../audit/audit.ts";
import type { Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, orders, people, refunds } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { notify } from "../notices/notify.ts";
import { paperDate } from "../outside/documents/paper.ts";
import type { Services } from "../services.ts";
import { leftOf, type LockedPayment, lockPayment, onTopPaiseOf, refundsOfPayment, sumsOfTransfers } from "./payment.ts";
import { showRefunds } from "./show-refunds.ts";
import { givenBackAlonePaise } from "../ledger/free-credit.ts";
import { askSoon, goesBackSentence, payOutSentence, type Refund } from "./take-refund-step.ts";

type Asked = Input<"admin/refunds/ask">;

/**
 * Asks for money of a payment to be given back: at once, or above the operator's limit once another main administrator
 * agrees. Locks the order's row, so that concurrent requests never give back more than was captured, or an overpayment
 * twice. Returns a sentence for the page.
 * @throws Failure not_found; conflict if not enough is left
 */
export async function askRefund(services: Services, scope: Scope<"any">, asked: Asked): Promise<string> {
  const amountPaise = paiseFrom(asked.amount);
  return services.database.transaction(async (transaction) => {
    const payment = await lockNamed(transaction, asked.payment);
    const repeated = await findRepeated(transaction, asked, amountPaise);
    if (repeated) return underWaySentence(transaction, repeated);
    if (asked.is_on_top) await refuseTwice(transaction, payment, amountPaise);
    refuseTooMuch(await takenBy(transaction, payment), await leftOf(transaction, payment), amountPaise);
    return underWaySentence(
      transaction,
      await makeRefund(services, transaction, scope, payment, { ...asked, amountPaise }),
    );
  });
}

/** What happens next with a new refund: who has to agree to it, or how its money goes back. */
export async function underWaySentence(
  transaction: Transaction,
  { state, askedBy, attemptId, amountPaise }: Refund,
): Promise<string> {
  if (state === "asked") return `${await waitsForSecond(transaction, amountPaise, askedBy)} Nothing is sent before.`;
  return attemptId === null ? payOutSentence(amountPaise) : goesBackSentence(amountPaise);
}

/** Says that a sum waits for a second person, and where that one finds it. */
export async function waitsForSecond(
  transaction: Transaction,
  amountPaise: number,
  askedBy: string | null,
): Promise<string> {
  const mayAgree = (await countOtherAdministrators(transaction, askedBy)) > 0;
  return `${formatRupees(amountPaise)} wait for another main administrator, ${mayAgree ? "who finds them under Actions" : "and there is none: whoever runs the software adds one by “npm run admin:create”"}.`;
}

/**
 * Finds and locks a payment by the id of its attempt, or all transfers by the id of their order.
 * @throws Failure not_found
 */
async function lockNamed(transaction: Transaction, id: string): Promise<LockedPayment> {
  const [attempt] = await transaction.select().from(attempts).where(eq(attempts.id, id));
  if (attempt) return lockPayment(transaction, { orderId: attempt.orderId, attemptId: attempt.id });
  const [order] = await transaction.select({ id: orders.id }).from(orders).where(eq(orders.id, id));
  if (!order) throw notFound("This payment");
  return lockPayment(transaction, { orderId: order.id, attemptId: null });
}

/** What the payment brought, in paise; null if nothing came. */
async function takenBy(transaction: Transaction, { attempt, order }: LockedPayment): Promise<number | null> {
  if (attempt) return attempt.gatewayPaymentId ? attempt.capturedPaise : null;
  const { camePaise, leftPaise } = await sumsOfTransfers(transaction, order.id);
  return Math.max(camePaise, leftPaise) || null;
}

/** The refund that an earlier call with the same id has made. */
async function findRepeated(transaction: Transaction, asked: Asked, amountPaise: number): Promise<Refund | undefined> {
  const [repeated] = await transaction.select().from(refunds).where(eq(refunds.id, asked.id));
  if (!repeated) return undefined;
  const isSame =
    (repeated.attemptId ?? repeated.orderId) === asked.payment &&
    repeated.amountPaise === amountPaise &&
    repeated.reason === asked.reason;
  if (isSame) return repeated;
  throw new Failure("conflict", "Another refund has this id. Please reload the page and try again.");
}

/** Two open pages may both offer the same overpayment; the second request is told who was first. */
async function refuseTwice(transaction: Transaction, payment: LockedPayment, amountPaise: number): Promise<void> {
  const onTopPaise = await onTopPaiseOf(transaction, payment);
  if (amountPaise <= onTopPaise) return;
  const what = payment.attempt ? "this payment" : "what came on top";
  const rest =
    onTopPaise > 0
      ? `${formatRupees(onTopPaise)} of ${what} are left: please reload the page.`
      : `No more of ${what} is left: please look at the order’s History.`;
  throw new Failure("conflict", `${await whoWasFirst(transaction, payment)}${rest}`);
}

/** Says who asked for the newest refund of a payment and how far it is; an empty string if there is none. */
async function whoWasFirst(transaction: Transaction, payment: LockedPayment): Promise<string> {
  const known = await refundsOfPayment(transaction, payment);
  const newest = known.findLast(({ state }) => state !== "failed");
  if (!newest) return "";
  const { askedBy, askedAt, amountPaise, state } = newest;
  const [by] = askedBy === null ? [] : await transaction.select().from(people).where(eq(people.id, askedBy));
  const who = by ? `${by.firstName} ${by.lastName}` : "Somebody";
  const stands = state === "done" ? "have gone back" : "are under way";
  return `${who} asked for ${formatRupees(amountPaise)} on ${paperDate(askedAt)}, which ${stands}. `;
}

function refuseTooMuch(takenPaise: number | null, leftPaise: number, amountPaise: number): void {
  if (takenPaise === null) throw new Failure("conflict", "No money has come by this payment that could be given back.");
  if (amountPaise <= leftPaise) return;
  const taken = formatRupees(takenPaise);
  const sentence =
    leftPaise === 0
      ? `All of the ${taken} of this payment has been given back, or is on its way.`
      : `Of the ${taken} of this payment ${formatRupees(leftPaise)} are left. Please ask for no more than that.`;
  throw new Failure("conflict", sentence, { fields: { amount: sentence } });
}

/**
 * Makes a refund of a locked payment; the caller has checked that enough is left. `creditNoteId` names the credit note
 * already issued for this money; without it a credit note is issued when the money is back.
 */
export async function makeRefund(
  services: Services,
  transaction: Transaction,
  { actor }: Scope<"any">,
  payment: LockedPayment,
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
  const alonePaise = (await givenBackAlonePaise(transaction, order.id, ofOrder)) + amountPaise;
  const needsSecond = alonePaise > services.env.refundApprovalPaise;
  const amount = formatRupees(amountPaise);
  const [refund] = await transaction
    .insert(refunds)
    .values({
      id,
      orderId: order.id,
      attemptId: attempt?.id ?? null,
      token: newToken(now),
      amountPaise,
      reason,
      creditNoteId: creditNoteId ?? null,
      state: needsSecond ? "asked" : "approved",
      askedBy: actor.personId,
      askedAt: now,
      needsSecond,
      approvedAt: needsSecond ? null : now,
      problem: needsSecond
        ? `${amount} wait for another main administrator: ${reason}`
        : attempt
          ? null
          : payOutSentence(amountPaise),
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

/** Unguessable, never reused, and within the gateway's limit of 23 characters. */
export function newToken(now: Date): string {
  return `R${now.getTime().toString(36)}${randomBytes(8).toString("hex")}`.slice(0, 23).toUpperCase();
}
