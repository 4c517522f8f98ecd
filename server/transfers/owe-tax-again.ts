import { eq } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { limits } from "../../contract/limits.ts";
import { formatRupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Input } from "../../contract/operations.ts";
import { certificateDueOn } from "../../contract/tax-certificates.ts";
import type { Scope } from "../access/scope.ts";
import { mailBuyer } from "../accounts/mail-buyer.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { orders, taxDeductions } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import { isOfCancelledInvoice } from "../ledger/list-certificates.ts";
import { postEntry } from "../ledger/post-entry.ts";
import { paperDay } from "../outside/documents/paper.ts";
import type { Services } from "../services.ts";
import { lockClaim } from "./certificates.ts";

type Deduction = typeof taxDeductions.$inferSelect;

/** The mail about it is retried for this long. */
const mailDays = 30;

/**
 * Turns uncertified deducted tax back into a debt, once, and tells the customer why and by when; reminders follow. A
 * certificate matched later settles it again. If the order's credit covers it, nothing is to be paid and nobody is
 * told. Returns a sentence for the page.
 * @throws Failure not_found; conflict before the certificate is due, while one is being compared, once one is matched,
 * and for a cancelled invoice
 */
export async function oweTaxAgain(
  services: Services,
  { actor }: Scope<"any">,
  { id, reason }: Input<"admin/certificates/owe-again">,
): Promise<string> {
  const now = services.now();
  return services.database.transaction(async (transaction) => {
    const claim = await lockClaim(transaction, id);
    if (isOfCancelledInvoice(claim)) throw new Failure("conflict", "Its invoice was cancelled: nothing of it is owed.");
    if (claim.debtSince !== null && claim.state !== "matched")
      return doneSentence(claim, await owedOf(transaction, claim));
    refuseEarly(claim, now);
    const [order] = await transaction.select().from(orders).where(eq(orders.id, claim.orderId));
    const dueOn = dueAgainOn(order?.dueOn ?? null, now);
    await transaction
      .update(taxDeductions)
      .set({ debtSince: now, debtBy: actor.personId, debtReason: reason })
      .where(eq(taxDeductions.id, id));
    await postEntry(transaction, {
      orderId: claim.orderId,
      kind: "tax not certified",
      eventId: id,
      amountPaise: claim.amountPaise,
      dueOn,
      about: `Section ${claim.section}`,
      reason,
      writtenBy: actor.personId,
      at: now,
    });
    const detail = { amountPaise: claim.amountPaise, dueOn, reason };
    await audit(transaction, actor.personId, "owe tax again", `order:${claim.orderId}`, detail);
    const owedPaise = await owedOf(transaction, claim);
    if (owedPaise > 0) await tellOfDebt(services, transaction, claim, { eventId: id, owedPaise, reason, dueOn });
    return doneSentence(claim, owedPaise);
  });
}

/** The day by which deducted tax has to be paid after all: never before its invoice is due. */
export function dueAgainOn(invoiceDueOn: string | null, now: Date): string {
  const inDays = writtenDay(later(now, { days: limits.taxOwedAgainDays }));
  return invoiceDueOn !== null && invoiceDueOn > inDays ? invoiceDueOn : inDays;
}

/** What the claim's order owes, in paise. The caller has locked the order. */
export async function owedOf(transaction: Transaction, { orderId }: Deduction): Promise<number> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId));
  return order ? Math.max(0, owedBesideNothing(order)) : 0;
}

const doneSentence = ({ amountPaise }: Deduction, owedPaise: number) =>
  owedPaise > 0
    ? `${formatRupees(amountPaise)} are owed again; the customer is told why.`
    : `${formatRupees(amountPaise)} are owed again. A credit of the order pays them: nothing is to be paid, and the customer is not told.`;

function refuseEarly({ state, claimedAt }: Deduction, now: Date): void {
  if (state === "matched") throw new Failure("conflict", "Its certificate is matched: nothing of it is open.");
  if (state === "uploaded")
    throw new Failure("conflict", "A certificate waits to be compared. Please match or refuse it first.");
  const dueOn = certificateDueOn(writtenDay(claimedAt));
  if (writtenDay(now) <= dueOn)
    throw new Failure("conflict", `Its certificate is due on ${paperDay(dueOn)}: it can be owed again after that day.`);
}

/**
 * Mails the buyer that tax which it deducted, or said that it deducts, is to be paid after all; `leftPaise` is what
 * remains deducted after a correction.
 */
export async function tellOfDebt(
  services: Services,
  transaction: Transaction,
  claim: Deduction,
  { eventId, ...owed }: { eventId: string; owedPaise: number; reason: string; dueOn: string; leftPaise?: number },
): Promise<void> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, claim.orderId));
  if (!order) return;
  await mailBuyer(services, transaction, order, {
    eventKey: `tax-owed:${eventId}`,
    content: {
      template: "taxOwed",
      name: order.billTo.name,
      invoiceNumber: order.invoiceNumber,
      orderNumber: orderNumber(order.serial),
      section: claim.section,
      amountPaise: claim.amountPaise,
      ...owed,
      link: `${services.publicUrl}/user/payments-due`,
    },
    uselessAfter: later(services.now(), { days: mailDays }),
  });
}
