import { randomUUID } from "node:crypto";
import { rupees } from "../contract/money.ts";
import { priceDevices } from "../server/rates/pricing.ts";
import { validFrom } from "../server/quotes/quotes.ts";
import { currentRateCard } from "../server/rates/rate-card.ts";
import { orders, quotes } from "../server/database/schema/index.ts";
import { postEntry } from "../server/ledger/post-entry.ts";
import { amendByOrder } from "../server/contracts/amend-by-order.ts";
import { issueInvoice } from "../server/billing/invoices.ts";
import { member, type Member } from "./people.ts";
import type { TestServer } from "./harness.ts";
import { quoteRequest } from "./factories.ts";

/** A quote in the database; without an owner, a visitor's. Its proposal has a name but is not rendered. */
export async function insertQuote(
  { services }: TestServer,
  owner: Member | null,
  over: Partial<typeof quotes.$inferInsert> = {},
) {
  const card = await currentRateCard(services);
  const { selectedDevices, ...form } = quoteRequest();
  const [quote] = await services.database
    .insert(quotes)
    .values({
      ...form,
      ...priceDevices(card, selectedDevices),
      ...(owner && { organisationId: owner.organisationId, userEmail: owner.email }),
      rateCardId: card.id,
      sampleRates: true,
      proposalFile: `proposal-${randomUUID()}.pdf`,
      validUntil: validFrom(services.now(), card.quoteValidDays),
      ...over,
    })
    .returning();
  if (!quote) throw new Error("No quote was made");
  return quote;
}

/** A customer with a quote of its own that it can pay for, made without mails. */
export async function quoteHolder(server: TestServer, known?: Member) {
  const person = known ?? (await member(server, "user", { organizationName: "Kaveri Textiles" }));
  const quote = await insertQuote(server, person);
  const total = rupees(quote.totalPaise);
  const request = { email: person.email, quote_id: quote.id, amount: total, name: "Asha Rao", phone: "+919876543210" };
  return {
    person,
    quote,
    total,
    /** Buy Now, with the given fields in place of the usual ones. */
    start: (over: object = {}) => server.call("user/orders", { ...request, ...over }, person.token),
  };
}

/** A member's order for a quote of their own; paid, with an invoice, unless another state is given. */
export async function insertOrder(
  server: TestServer,
  buyer: Member,
  over: Partial<typeof orders.$inferInsert> = {},
  quoteOver: Partial<typeof quotes.$inferInsert> = {},
) {
  const quote = await insertQuote(server, buyer, quoteOver);
  return server.services.database.transaction(async (transaction) => {
    const paid = (over.state ?? "success") === "success";
    const [order] = await transaction
      .insert(orders)
      .values({
        quoteId: quote.id,
        organisationId: buyer.organisationId,
        buyerId: buyer.id,
        billTo: {
          organizationName: quote.organizationName,
          name: quote.userName,
          email: buyer.email,
          phone: "+919876543210",
        },
        amountPaise: quote.totalPaise,
        ...(paid && { state: "success" as const, paymentId: randomUUID().slice(0, 13), paidAt: new Date() }),
        ...over,
      })
      .returning();
    if (!order) throw new Error("No order was made");
    if (paid) {
      // The invoice of an order paid in the past is dated that day.
      const { paidAt } = over;
      const services = paidAt ? { ...server.services, now: () => paidAt } : server.services;
      await issueInvoice(services, transaction, { ...order, paymentId: order.paymentId ?? "" });
      const money = { orderId: order.id, kind: "payment", eventId: order.id, about: order.paymentId ?? "" } as const;
      await postEntry(transaction, { ...money, amountPaise: -order.amountPaise, at: new Date() });
      await amendByOrder(server.services, transaction, order.id);
    }
    return order;
  });
}
