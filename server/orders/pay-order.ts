import { eq } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { closeProforma } from "../billing/proformas.ts";
import { issueInvoice, type PaidOrder } from "../billing/invoices.ts";
import { mailReceipt } from "../billing/mail-of-invoice.ts";
import { amendByOrder } from "../contracts/amend-by-order.ts";
import { openOnboarding } from "../onboarding/open-onboarding.ts";
import { invoices, orders } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { lookAtDecision } from "./look-at-decision.ts";
import { lookAtLetter } from "./look-at-letter.ts";

/**
 * Everything that follows when an order is paid, online or by transfer: once, here only, and in the transaction that
 * books the money. Updates the order, ends its proforma, and issues its invoice, or a receipt if it was invoiced
 * before. The caller has locked the order.
 */
export async function payOrder(
  services: Services,
  transaction: Transaction,
  order: PaidOrder,
  by: "gateway" | "transfer",
): Promise<void> {
  const now = services.now();
  await transaction
    .update(orders)
    .set({ state: "success", paymentId: order.paymentId, deducts: order.deducts, paidAt: now, updatedAt: now })
    .where(eq(orders.id, order.id));
  const end = by === "transfer" ? ({ paid: true } as const) : { voidBecause: "Paid online.", actorId: null };
  await closeProforma(services, transaction, order.id, end);
  const issued = await transaction.$count(invoices, eq(invoices.orderId, order.id));
  if (issued === 0) {
    await issueInvoice(services, transaction, order);
    await lookAtLetter(transaction, order);
    await lookAtDecision(transaction, order);
  } else await mailReceipt(services, transaction, order.id);
  await amendByOrder(services, transaction, order.id);
  await openOnboarding(services, transaction, { organisationId: order.organisationId, orderId: order.id });
}
