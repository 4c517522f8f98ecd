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
import { creditedPaise, deductibleOfPaise } from "../ledger/deductible.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import { writtenOffOf } from "../ledger/take-back-write-off.ts";
import type { Services } from "../services.ts";
import { deductedOf } from "./choose-transfer.ts";
import { claimDeducted } from "./claim-deducted.ts";
import { settleOrder } from "./match-transfer.ts";
import { findLastTransfer } from "./part-paid.ts";

type Claim = typeof taxDeductions.$inferSelect;

/**
 * Claims the tax that a buyer deducts of an invoice that is not paid, where the purchase did not say it: what is left is to be
 * transferred, and where all but that has come the order is paid. The same again changes nothing. Answers what was done.
 * @throws Failure not_found; conflict for another deduction than was said, for more than is open, and where nothing is to be paid
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
      .select({ invoice: invoices, credited: creditedPaise })
      .from(invoices)
      .where(eq(invoices.orderId, order_id));
    const deductiblePaise = invoiced ? deductibleOfPaise(order, invoiced.invoice, Number(invoiced.credited)) : null;
    if (!invoiced || deductiblePaise === null)
      throw new Failure("conflict", "Of this order no invoice is to be paid. Please look at Payments Due again.");
    const duePaise = owedBesideNothing(order);
    const said = roundedTo(duePaise, deductedOf({ taxablePaise: deductiblePaise }, deducts));
    const deducting = { ...order, deducts: said };
    await transaction.update(orders).set({ deducts: said, updatedAt: services.now() }).where(eq(orders.id, order_id));
    await claimDeducted(services, transaction, deducting);
    const detail = { section: said.section, deductedPaise: said.amountPaise };
    await audit(transaction, personId, "deduct of invoice", `order:${order_id}`, detail);
    if (said.amountPaise === duePaise) await settleByDeducted(services, transaction, deducting);
    return doneSentence(invoiced.invoice.number, said.amountPaise, duePaise - said.amountPaise);
  });
}

/** An order of which all that was still to be paid is deducted is paid by its last transfer; what was written off stays so. */
export async function settleByDeducted(
  services: Services,
  transaction: Transaction,
  order: typeof orders.$inferSelect,
): Promise<void> {
  const last = await findLastTransfer(transaction, order.id);
  if (last && (await writtenOffOf(transaction, order.id)) === 0) await settleOrder(services, transaction, order, last);
}

/** A few rupees by which the buyer has rounded are of what it deducts. @throws Failure conflict where less is open than would be deducted */
function roundedTo(duePaise: number, deducted: TaxDeducted): TaxDeducted {
  const overPaise = deducted.amountPaise - duePaise;
  if (Math.abs(overPaise) <= limits.deductedRoundingPaiseMax) return { ...deducted, amountPaise: duePaise };
  if (overPaise < 0) return deducted;
  const sentence = `Of this invoice ${formatRupees(duePaise)} are still to be paid, less than the ${formatRupees(deducted.amountPaise)} that would be deducted so. Please check the rate.`;
  throw new Failure("conflict", sentence, { fields: { percent: "More than is still to be paid" } });
}

const doneSentence = (number: string, deductedPaise: number, restPaise: number) =>
  restPaise === 0
    ? `${formatRupees(deductedPaise)} are deducted of ${number}, and nothing of it is to be paid any more. Please upload Form 16A once you have it.`
    : `${formatRupees(deductedPaise)} are deducted of ${number}: please transfer the other ${formatRupees(restPaise)}, and upload Form 16A once you have it.`;

function saidBefore({ section, basisPoints, amountPaise, invoiceNumber }: Claim, deducts: Deducts): string {
  const sentence = `${formatRupees(amountPaise)} are deducted of ${invoiceNumber} under section ${section}, as was said before.`;
  if (section === deducts.section && basisPoints === Math.round(deducts.percent * 100)) return sentence;
  throw new Failure("conflict", `${sentence} Please write to us if that is not right.`);
}
