import { and, eq } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { formatRupees } from "../../contract/money.ts";
import type { Input } from "../../contract/operations.ts";
import type { Deducts } from "../../contract/transfers.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { invoices, orders, type TaxDeducted, taxDeductions } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { claimByLedger } from "../ledger/claim-by-ledger.ts";
import { creditedPaise, deductibleOfPaise, isClosedByCredit } from "../ledger/deductible.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import { writtenOffOf } from "../ledger/take-back-write-off.ts";
import { noteFindings } from "../orders/findings.ts";
import type { Services } from "../services.ts";
import { claimDeducted } from "./claim-deducted.ts";
import { deductedOf, saidToDeduct } from "./deducted-of.ts";
import { settleOrder } from "./match-transfer.ts";
import { findLastTransfer } from "./part-paid.ts";

type Claim = typeof taxDeductions.$inferSelect;
type Order = typeof orders.$inferSelect;

/**
 * Claims the tax that a buyer deducts from an unpaid invoice, if it was not declared with the purchase. The rest is to
 * be transferred; if it has come already, the order is paid. If it came before credit notes lowered the invoice, the
 * tax on the credited part counts as deducted too, and a person looks at the credit. A repeated call changes nothing.
 * Returns a sentence for the page.
 * @throws Failure not_found; conflict for a different deduction than was declared, for more than is open, and if
 * nothing is due
 */
export async function deductOfInvoice(
  services: Services,
  scope: Scope<"organisation">,
  { order_id, ...deducts }: Input<"user/transfers/deduct">,
): Promise<string> {
  const { personId } = scope.actor;
  await services.limiter.consume("paymentByAccount", personId);
  return services.database.transaction(async (transaction) => {
    const own = and(eq(orders.id, order_id), eq(orders.organisationId, organisationOf(scope)));
    const [order] = await transaction.select().from(orders).where(own).for("update");
    if (!order) throw notFound("This order");
    const [claim] = await transaction.select().from(taxDeductions).where(eq(taxDeductions.orderId, order_id));
    if (claim) return saidBefore(claim, deducts);
    const [invoiced] = await transaction
      .select({ invoice: invoices, credited: creditedPaise, isByCredit: isClosedByCredit })
      .from(invoices)
      .innerJoin(orders, eq(orders.id, invoices.orderId))
      .where(eq(invoices.orderId, order_id));
    const deductiblePaise =
      invoiced && deductibleOfPaise(order, invoiced.invoice, Number(invoiced.credited), invoiced.isByCredit);
    if (!invoiced || typeof deductiblePaise !== "number")
      throw new Failure("conflict", "Of this order no invoice is to be paid. Please look at Payments Due again.");
    const duePaise = owedBesideNothing(order);
    const taxable = { taxablePaise: deductiblePaise };
    const said =
      (await deductedBefore(transaction, order, taxable, deducts)) ??
      roundedTo(duePaise, saidToDeduct(taxable, deducts));
    const deducting = { ...order, deducts: said };
    await transaction.update(orders).set({ deducts: said, updatedAt: services.now() }).where(eq(orders.id, order_id));
    await claimDeducted(services, transaction, deducting);
    const detail = { section: said.section, deductedPaise: said.amountPaise };
    await audit(transaction, personId, "deduct of invoice", `order:${order_id}`, detail);
    if (said.amountPaise >= duePaise) await settleByDeducted(services, transaction, deducting);
    const { number } = invoiced.invoice;
    const creditPaise = said.amountPaise - Math.max(0, duePaise);
    if (creditPaise > 0) await noteCredit(transaction, order, number, creditPaise);
    return doneSentence(number, said.amountPaise, duePaise);
  });
}

/** Pays an order by its last transfer once all that was still due is deducted, unless part of it is written off. */
export async function settleByDeducted(services: Services, transaction: Transaction, order: Order): Promise<void> {
  const last = await findLastTransfer(transaction, order.id);
  if (last && (await writtenOffOf(transaction, order.id)) === 0) await settleOrder(services, transaction, order, last);
}

/**
 * The deduction of a buyer that paid before its invoice was lowered, if it exceeds what is open, but not the credited
 * part of what it paid; null for any other buyer.
 */
async function deductedBefore(
  transaction: Transaction,
  order: Order,
  left: { taxablePaise: number },
  deducts: Deducts,
): Promise<TaxDeducted | null> {
  const openPaise = owedBesideNothing(order) + limits.deductedRoundingPaiseMax;
  if (!order.tax || deductedOf(left, deducts).amountPaise <= openPaise) return null;
  const whole = deductedOf(order.tax, deducts);
  const found = await claimByLedger(transaction, order, whole.amountPaise);
  if (!found || found.claimedPaise === 0 || found.claimedPaise > found.claimablePaise + limits.deductedRoundingPaiseMax)
    return null;
  const { claimedPaise, claimablePaise } = found;
  const isRounded = claimablePaise - claimedPaise <= limits.deductedRoundingPaiseMax;
  return { ...whole, amountPaise: isRounded ? claimablePaise : claimedPaise };
}

/** A person checks before this credit is given back: so far only the buyer says that it deducted the tax. */
async function noteCredit(transaction: Transaction, order: Order, number: string, creditPaise: number): Promise<void> {
  const says = `${order.organisationName} says that it had deducted tax of ${number} before credit notes lowered it: ${formatRupees(creditPaise)} more came than was to be paid. It stands as a credit. Please give it back in the order’s History.`;
  await noteFindings(transaction, [{ kind: "transfer over", key: number, says, order }]);
}

/**
 * Counts a few rupees of the buyer's rounding as deducted.
 * @throws Failure conflict if less is open than would be deducted
 */
function roundedTo(owedPaise: number, deducted: TaxDeducted): TaxDeducted {
  const duePaise = Math.max(0, owedPaise);
  const overPaise = deducted.amountPaise - duePaise;
  if (duePaise > 0 && Math.abs(overPaise) <= limits.deductedRoundingPaiseMax)
    return { ...deducted, amountPaise: duePaise };
  if (overPaise < 0) return deducted;
  const sentence = `Of this invoice ${formatRupees(duePaise)} are still to be paid, less than the ${formatRupees(deducted.amountPaise)} that would be deducted so. Please check the rate.`;
  throw new Failure("conflict", sentence, { fields: { percent: "More than is still to be paid" } });
}

function doneSentence(number: string, deductedPaise: number, duePaise: number): string {
  const done = `${formatRupees(deductedPaise)} are deducted of ${number}`;
  const restPaise = duePaise - deductedPaise;
  if (restPaise > 0)
    return `${done}: please transfer the other ${formatRupees(restPaise)}, and upload Form 16A once you have it.`;
  const creditPaise = Math.min(deductedPaise, -restPaise);
  const credit =
    creditPaise > 0
      ? ` ${formatRupees(creditPaise)} more than that has come: it stands as your credit, and we see to it.`
      : "";
  return `${done}, and nothing of it is to be paid any more.${credit} Please upload Form 16A once you have it.`;
}

function saidBefore(
  { section, basisPoints, amountPaise, invoiceNumber, state, debtSince }: Claim,
  deducts: Deducts,
): string {
  if (debtSince !== null && state !== "matched")
    throw new Failure(
      "conflict",
      `${formatRupees(amountPaise)} that were said to be deducted of ${invoiceNumber} no longer count as deducted. Payments Due shows what is to be paid. Please write to us if that is not right.`,
    );
  const sentence = `${formatRupees(amountPaise)} are deducted of ${invoiceNumber} under section ${section}, as was said before.`;
  if (section === deducts.section && basisPoints === Math.round(deducts.percent * 100)) return sentence;
  throw new Failure("conflict", `${sentence} Please write to us if that is not right.`);
}
