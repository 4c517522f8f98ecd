import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { formatRupees } from "../../contract/money.ts";
import type { Input } from "../../contract/operations.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { invoices, orders, type TaxDeducted, taxDeductions } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { creditedPaise, leftOfTaxablePaise } from "../ledger/deductible.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import { isOfNothing } from "../ledger/list-certificates.ts";
import { postEntry } from "../ledger/post-entry.ts";
import type { Services } from "../services.ts";
import { lockClaim } from "./certificates.ts";
import { deductedOf } from "./deducted-of.ts";
import { settleByDeducted } from "./deduct-of-invoice.ts";
import { dueAgainOn, owedOf, tellOfDebt } from "./owe-tax-again.ts";

type Claim = typeof taxDeductions.$inferSelect;

/**
 * Corrects the section and rate at which a buyer said that it deducts tax. A rate of 0 means that it deducts nothing,
 * and can be corrected once more. If it deducts less, the difference is owed, not before its invoice is due, and the
 * buyer is told by when; if more, that much must still be open, and may be all of it. A repeated call changes nothing.
 * Returns a sentence for the page.
 * @throws Failure not_found; conflict for more than is open, while a certificate is being compared, and once the claim
 * is matched, owed again or of a cancelled invoice
 */
export async function correctDeduction(
  services: Services,
  { actor }: Scope<"any">,
  { id, reason, ...deducts }: Input<"admin/certificates/correct">,
): Promise<string> {
  const now = services.now();
  return services.database.transaction(async (transaction) => {
    const claim = await lockClaim(transaction, id);
    const counts = claim.debtSince === null || isOfNothing(claim);
    const isSame = claim.section === deducts.section && claim.basisPoints === Math.round(deducts.percent * 100);
    if (counts && isSame) return saidSo(claim);
    refuseDecided(claim, counts);
    const { order, taxablePaise } = await findDeductible(transaction, claim);
    const duePaise = owedBesideNothing(order);
    const before = { ...claim, amountPaise: isOfNothing(claim) ? 0 : claim.amountPaise };
    const said = withinOpen(before, Math.max(0, duePaise), deductedOf({ taxablePaise }, deducts));
    const lessPaise = before.amountPaise - said.amountPaise;
    const { section, basisPoints, amountPaise } = said;
    await transaction
      .update(taxDeductions)
      .set(
        amountPaise === 0
          ? { section, basisPoints: 0, debtSince: now, debtBy: actor.personId, debtReason: reason }
          : { section, basisPoints, amountPaise, debtSince: null, debtBy: null, debtReason: "" },
      )
      .where(eq(taxDeductions.id, id));
    await transaction.update(orders).set({ deducts: said, updatedAt: now }).where(eq(orders.id, order.id));
    const dueOn = dueAgainOn(order.dueOn, now);
    const eventId = randomUUID();
    await postEntry(transaction, {
      orderId: order.id,
      kind: lessPaise > 0 ? "tax not certified" : "tax deducted",
      eventId,
      amountPaise: lessPaise,
      ...(lessPaise > 0 && { dueOn }),
      about: `Section ${section}`,
      reason,
      writtenBy: actor.personId,
      at: now,
    });
    const detail = { section, percent: deducts.percent, amountPaise, reason };
    await audit(transaction, actor.personId, "correct deducted tax", `order:${order.id}`, detail);
    const owedPaise = await owedOf(transaction, claim);
    if (lessPaise > 0 && owedPaise > 0)
      await tellOfDebt(services, transaction, claim, {
        eventId,
        owedPaise,
        reason,
        dueOn,
        leftPaise: amountPaise,
      });
    if (duePaise > 0 && -lessPaise === duePaise && order.state === "invoiced")
      await settleByDeducted(services, transaction, { ...order, deducts: said });
    return doneSentence(before, said, owedPaise);
  });
}

function refuseDecided({ state }: Claim, counts: boolean): void {
  if (state === "matched") throw new Failure("conflict", "Its certificate is matched: it can’t be corrected any more.");
  if (state === "uploaded")
    throw new Failure("conflict", "A certificate waits to be compared. Please match or refuse it first.");
  if (!counts)
    throw new Failure("conflict", "Nothing of it is deducted any more: it is owed again, or its invoice is cancelled.");
}

async function findDeductible(transaction: Transaction, { orderId }: Claim) {
  const [found] = await transaction
    .select({ order: orders, invoice: invoices, credited: creditedPaise })
    .from(orders)
    .innerJoin(invoices, eq(invoices.orderId, orders.id))
    .where(eq(orders.id, orderId));
  if (!found) throw notFound("Its invoice");
  return { order: found.order, taxablePaise: leftOfTaxablePaise(found.order, found.invoice, Number(found.credited)) };
}

/**
 * Counts a few rupees of the buyer's rounding as deducted.
 * @throws Failure conflict if less is open than the additional deduction
 */
function withinOpen(claim: Claim, duePaise: number, said: TaxDeducted): TaxDeducted {
  const overPaise = said.amountPaise - claim.amountPaise - duePaise;
  if (said.amountPaise <= claim.amountPaise || overPaise < -limits.deductedRoundingPaiseMax) return said;
  if (overPaise <= limits.deductedRoundingPaiseMax) return { ...said, amountPaise: claim.amountPaise + duePaise };
  const sentence = `${formatRupees(claim.amountPaise)} are deducted, and only ${formatRupees(duePaise)} are still to be paid: ${formatRupees(said.amountPaise)} can’t be deducted. Please check the rate.`;
  throw new Failure("conflict", sentence, { fields: { percent: "More than is still to be paid" } });
}

const saidSo = (claim: Claim) =>
  `${isOfNothing(claim) ? "Nothing is" : `${formatRupees(claim.amountPaise)} are`} deducted under section ${claim.section}, as it stands already.`;

function doneSentence(claim: Claim, { amountPaise, section }: TaxDeducted, owedPaise: number): string {
  const done = `${formatRupees(amountPaise)} are deducted of ${claim.invoiceNumber} under section ${section} now, where it was ${formatRupees(claim.amountPaise)}.`;
  if (owedPaise <= 0) return `${done} Nothing of it is to be paid.`;
  const told = amountPaise < claim.amountPaise ? "; the customer is told why" : "";
  return `${done} ${formatRupees(owedPaise)} are to be paid${told}.`;
}
