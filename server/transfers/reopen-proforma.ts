import { desc, eq } from "drizzle-orm";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { orders, type ProformaContent, proformas, quotes, type TaxSplit } from "../database/schema/index.ts";
import { showAttempts } from "../orders/show-attempts.ts";
import type { Services } from "../services.ts";

type Order = typeof orders.$inferSelect;

/**
 * Reopens the newest void proforma of an order when money comes that pays only part of it: the proforma asks for the
 * rest and sets the deduction. Does nothing if there never was a proforma, or the quote was declined. The caller has
 * locked the order, which has no invoice and no open proforma. Returns the order as changed.
 */
export async function reopenProforma(
  services: Services,
  transaction: Transaction,
  order: Order,
  actorId: string | null,
): Promise<Order> {
  const [newest] = await transaction
    .select({ proforma: proformas, decision: quotes.decision })
    .from(proformas)
    .innerJoin(orders, eq(orders.id, proformas.orderId))
    .innerJoin(quotes, eq(quotes.id, orders.quoteId))
    .where(eq(proformas.orderId, order.id))
    .orderBy(desc(proformas.id))
    .limit(1);
  if (!newest || newest.decision === "declined") return order;
  const { id, number, content } = newest.proforma;
  await transaction
    .update(proformas)
    .set({ state: "open", closedAt: null, closedBecause: "" })
    .where(eq(proformas.id, id));
  await transaction
    .update(orders)
    .set({ ...billIn(content, order), deducts: content.taxDeducted ?? null, updatedAt: services.now() })
    .where(eq(orders.id, order.id));
  await audit(transaction, actorId, "reopen proforma", `proforma:${number}`, { orderId: order.id });
  await showAttempts(transaction, order.id, services.now());
  const [asked] = await transaction.select().from(orders).where(eq(orders.id, order.id));
  if (!asked) throw new Error(`Order ${order.id} is gone`);
  return asked;
}

/** A form handed out since may have another sum; from now on the proforma's bill counts. */
function billIn(content: ProformaContent, { amountPaise, tax }: Order): Partial<Order> {
  const { billTo, placeOfSupply, taxablePaise, taxes, roundOffPaise = 0, totalPaise, sentences = [] } = content;
  const treatment = content.treatment ?? tax?.treatment;
  if (totalPaise === amountPaise || !treatment) return {};
  const own: TaxSplit = { treatment, placeOfSupply, taxablePaise, taxes, roundOffPaise, totalPaise, sentences };
  return { billTo, tax: own, amountPaise: totalPaise };
}
