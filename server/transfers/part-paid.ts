import { and, desc, eq, inArray } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { formatRupees } from "../../contract/money.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { findOpenProforma, type Proforma } from "../billing/proformas.ts";
import type { Transaction } from "../database/database.ts";
import { enteredStates, orders, type TaxDeducted, type TaxSplit, transfers } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { findQuoteToBuy } from "../quotes/queries.ts";
import type { Services } from "../services.ts";
import { settleOrder } from "./match-transfer.ts";

type Order = typeof orders.$inferSelect;

/** An order that is partly paid by transfer and waits for the rest; its proforma is still open. */
export interface PartPaid {
  order: Order & { tax: TaxSplit };
  proforma: Proforma;
  /** The latest transfer. */
  last: Pick<typeof transfers.$inferSelect, "utr">;
}

/** Finds and locks a quote's order if it is partly paid; otherwise null. */
export async function findPartPaid(
  transaction: Transaction,
  scope: Scope<"organisation">,
  quoteId: string,
): Promise<PartPaid | null> {
  const quote = await findQuoteToBuy(transaction, scope, quoteId);
  if (!quote) return null;
  const [order] = await transaction.select().from(orders).where(eq(orders.quoteId, quote.id)).for("update");
  return order ? asPartPaid(transaction, order) : null;
}

/** A locked order with its proforma if it is partly paid; otherwise null. */
export async function asPartPaid(transaction: Transaction, order: Order): Promise<PartPaid | null> {
  const { id, state, owedPaise, tax } = order;
  if (state !== "awaiting_transfer" || owedPaise >= 0 || tax === null) return null;
  const proforma = await findOpenProforma(transaction, id);
  const last = await findLastTransfer(transaction, id);
  return proforma && last ? { order: { ...order, tax }, proforma, last } : null;
}

/** The transfer that was entered last for an order; null if there is none. */
export async function findLastTransfer(transaction: Transaction, orderId: string): Promise<PartPaid["last"] | null> {
  const [last] = await transaction
    .select({ utr: transfers.utr })
    .from(transfers)
    .where(and(eq(transfers.orderId, orderId), inArray(transfers.state, enteredStates)))
    .orderBy(desc(transfers.matchedAt))
    .limit(1);
  return last ?? null;
}

/**
 * Pays an order of which everything has come except tax that the buyer deducted without declaring it before. A few
 * rupees of the buyer's rounding count as deducted.
 * @throws Failure conflict if more or less than that has come
 */
export async function settleDeducted(
  services: Services,
  transaction: Transaction,
  { actor }: Scope<"organisation">,
  { order, last }: PartPaid,
  deducts: TaxDeducted,
): Promise<void> {
  const amountPaise = order.amountPaise + order.owedPaise;
  const overPaise = deducts.amountPaise - amountPaise;
  if (Math.abs(overPaise) > limits.deductedRoundingPaiseMax) {
    const sum = formatRupees(deducts.amountPaise);
    throw new Failure(
      "conflict",
      overPaise > 0
        ? `Of this order ${formatRupees(amountPaise)} are still to come, less than the ${sum} that would be deducted so. Please check the rate.`
        : `A part of this order has come already. With ${sum} deducted, ${formatRupees(-overPaise)} are still to come: please transfer them as the proforma says.`,
    );
  }
  const detail = { section: deducts.section, deductedPaise: amountPaise };
  await audit(transaction, actor.personId, "order by transfer", `order:${order.id}`, detail);
  await settleOrder(services, transaction, { ...order, deducts: { ...deducts, amountPaise } }, last);
}
