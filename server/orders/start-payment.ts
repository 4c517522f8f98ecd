import { desc, eq } from "drizzle-orm";
import { randomBytes } from "node:crypto";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { formatRupees, rupees } from "../../contract/money.ts";
import type { PaymentForm, PaymentRequest } from "../../contract/orders.ts";
import { audit } from "../audit.ts";
import type { Actor } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, type BillTo, orders, organisations, type quotes } from "../database/schema/index.ts";
import { Failure, notFound } from "../errors.ts";
import { findQuoteToBuy } from "../quotes/queries.ts";
import { quoteNumber } from "../quotes/quotes.ts";
import type { Services } from "../services.ts";
import { isUnderWay } from "./show-attempts.ts";

type QuoteRow = typeof quotes.$inferSelect;
type OrderRow = typeof orders.$inferSelect;

/**
 * Starts paying for a quote: one order a quote, an attempt a try. A double click gets the same form again.
 * The amount is the quote's; what the browser says is only compared with it.
 * @throws Failure not_found, conflict, invalid or too_many_requests
 */
export async function startPayment(services: Services, actor: Actor, request: PaymentRequest): Promise<PaymentForm> {
  await services.limiter.consume("paymentByAccount", actor.personId);
  if (request.email !== actor.email.toLowerCase()) {
    const sentence = "Please use the e-mail address you are signed in with.";
    throw new Failure("invalid", sentence, { fields: { email: sentence } });
  }
  return services.database.transaction(async (transaction) => {
    const quote = await findQuoteToBuy(transaction, actor, request.quote_id);
    if (!quote) throw notFound("This quote");
    const known = await findOrder(transaction, quote);
    if (known) refusePaid(known);
    refuseUnbuyable(services, quote, request);
    const billTo = billingOf(quote, request);
    const order = known ?? (await makeOrder(transaction, actor, quote, billTo));
    const open = await findOpenAttempt(services, transaction, order);
    if (open && sameBilling(order.billTo, billTo)) return open.form;
    await rememberBilling(services, transaction, actor, order, billTo);
    const form = await makeAttempt(services, transaction, order, quote, billTo);
    await audit(transaction, actor.personId, "start payment", `order:${order.id}`);
    return form;
  });
}

function refuseUnbuyable(services: Services, quote: QuoteRow, request: PaymentRequest): void {
  if (quote.totalPaise <= 0)
    throw new Failure(
      "conflict",
      `This quote comes to ${formatRupees(quote.totalPaise)}, which can't be paid online. Please write to ${brand.emails.sales}.`,
    );
  if (quote.validUntil < services.now())
    throw new Failure("conflict", "This quote has expired. Please send a new estimate.");
  if (rupees(quote.totalPaise) !== request.amount)
    throw new Failure("conflict", "The amount is not the quote's. Please reload the page and try again.");
}

function refusePaid({ state }: OrderRow): void {
  if (state === "review")
    throw new Failure("conflict", "We are checking a payment for this quote and will be in touch.");
  if (!["initiated", "pending", "failure", "expired"].includes(state))
    throw new Failure("conflict", "This quote has been paid already.");
}

function billingOf(quote: QuoteRow, request: PaymentRequest): BillTo {
  const state = request.gstin?.slice(0, 2) ?? request.billingState;
  return {
    organizationName: quote.organizationName,
    name: request.name,
    email: request.email,
    phone: request.phone,
    ...(request.gstin && { gstin: request.gstin }),
    ...(request.billingAddress && { address: request.billingAddress }),
    ...(state && { state }),
  };
}

/** jsonb does not keep the order of keys. */
function sameBilling(one: BillTo, other: BillTo): boolean {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])] as (keyof BillTo)[];
  return keys.every((key) => one[key] === other[key]);
}

/** The quote's row is locked: of two clicks at once the second one finds the first one's order. */
async function findOrder(transaction: Transaction, quote: QuoteRow): Promise<OrderRow | undefined> {
  const [known] = await transaction.select().from(orders).where(eq(orders.quoteId, quote.id)).for("update");
  return known;
}

async function makeOrder(transaction: Transaction, actor: Actor, quote: QuoteRow, billTo: BillTo): Promise<OrderRow> {
  const [made] = await transaction
    .insert(orders)
    .values({
      quoteId: quote.id,
      organisationId: actor.organisationId,
      buyerId: actor.personId,
      billTo,
      amountPaise: quote.totalPaise,
    })
    .returning();
  if (!made) throw new Error("The order was not made");
  return made;
}

/**
 * The newest attempt, if its form can still be used.
 * @throws Failure conflict while a bank has yet to confirm one, however old: a second payment would have to be refunded
 */
async function findOpenAttempt(services: Services, transaction: Transaction, order: OrderRow) {
  const tries = await transaction
    .select()
    .from(attempts)
    .where(eq(attempts.orderId, order.id))
    .orderBy(desc(attempts.id));
  if (tries.some(isUnderWay))
    throw new Failure("conflict", "A payment for this quote is being confirmed. Please wait a moment.");
  const [newest] = tries;
  return newest?.state === "initiated" && newest.expiresAt > services.now() ? newest : null;
}

/** On the order, and on the organisation for its next one unless none was given. */
async function rememberBilling(
  services: Services,
  transaction: Transaction,
  actor: Actor,
  order: OrderRow,
  billTo: BillTo,
): Promise<void> {
  await transaction
    .update(orders)
    .set({ state: "initiated", billTo, buyerId: actor.personId, updatedAt: services.now() })
    .where(eq(orders.id, order.id));
  if (!billTo.gstin && !billTo.address && !billTo.state) return;
  await transaction
    .update(organisations)
    .set({ gstin: billTo.gstin ?? null, billingAddress: billTo.address ?? null, billingState: billTo.state ?? null })
    .where(eq(organisations.id, actor.organisationId));
}

async function makeAttempt(
  services: Services,
  transaction: Transaction,
  order: OrderRow,
  quote: QuoteRow,
  billTo: BillTo,
): Promise<PaymentForm> {
  const now = services.now();
  const reference = newReference(now);
  const form = services.gateway.initiate({
    reference,
    amountPaise: quote.totalPaise,
    description: `${brand.name} SOC subscription, 1 year, ${quoteNumber(quote.serial)}`,
    name: billTo.name,
    email: billTo.email,
    phone: billTo.phone,
    returnUrl: `${services.publicUrl}/api/payments/return`,
  });
  await transaction.insert(attempts).values({
    orderId: order.id,
    gateway: services.gateway.name,
    reference,
    amountPaise: quote.totalPaise,
    form,
    createdAt: now,
    expiresAt: new Date(now.getTime() + limits.paymentMinutes * 60_000),
  });
  return form;
}

/** Ordered by time and unguessable, within the gateway's 25 characters. */
function newReference(now: Date): string {
  return `P${now.getTime().toString(36)}${randomBytes(8).toString("hex")}`.slice(0, 25).toUpperCase();
}
