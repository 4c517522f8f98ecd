import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { billToOf, buyerFrom, findTaxedSeller, taxedOf } from "../server/billing/bill-to.ts";
import { issueInvoice } from "../server/billing/invoices.ts";
import { taxOf } from "../server/billing/tax.ts";
import { invoices, orders, organisations, type quotes } from "../server/database/schema/index.ts";
import type { TestServer } from "./harness.ts";
import { insertQuote } from "./paid-order.ts";
import type { Member } from "./people.ts";

/** A buyer's paid order with its invoice, taxed by the present billing details, at a given instant. */
export async function sellOrder(
  { services, ...server }: TestServer,
  buyer: Member,
  over: Partial<typeof quotes.$inferInsert> = {},
  at = services.now(),
) {
  const quote = await insertQuote({ services, ...server }, buyer, over);
  return services.database.transaction(async (transaction) => {
    const [organisation] = await transaction
      .select()
      .from(organisations)
      .where(eq(organisations.id, buyer.organisationId));
    if (!organisation) throw new Error("The buyer has no organisation");
    const contact = { name: "Asha Rao", email: buyer.email, phone: "+919876543210" };
    const tax = taxOf(await findTaxedSeller(transaction), buyerFrom(organisation), taxedOf(quote, at));
    const paymentId = randomUUID().slice(0, 13);
    const [order] = await transaction
      .insert(orders)
      .values({
        quoteId: quote.id,
        organisationId: buyer.organisationId,
        buyerId: buyer.id,
        billTo: billToOf(organisation, quote.organizationName, contact),
        tax,
        amountPaise: tax.totalPaise,
        state: "success",
        paymentId,
        paidAt: at,
      })
      .returning();
    if (!order) throw new Error("No order was made");
    await issueInvoice({ ...services, now: () => at }, transaction, { ...order, paymentId });
    const [invoice] = await transaction.select().from(invoices).where(eq(invoices.orderId, order.id));
    if (!invoice) throw new Error("No invoice was made");
    return { buyer, order, invoice };
  });
}
