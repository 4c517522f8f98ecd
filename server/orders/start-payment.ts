import { eq, sql } from "drizzle-orm";
import { randomBytes } from "node:crypto";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { formatRupees, rupees } from "../../contract/money.ts";
import type { PaymentForm, PaymentRequest } from "../../contract/orders.ts";
import { later } from "../../contract/durations.ts";
import { lockOrganisation } from "../accounts/queries.ts";
import { audit } from "../audit/audit.ts";
import { type Actor, organisationOf, type Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, type BillTo, orders, organisations, type quotes } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { findQuoteToBuy } from "../quotes/queries.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import type { Services } from "../services.ts";
import { asksAgain, findLivingAttempt, supersede } from "./living-form.ts";

type QuoteRow = typeof quotes.$inferSelect;
type OrderRow = typeof orders.$inferSelect;

/**
 * Starts paying for a quote: one order a quote, an attempt a try, one living form. A double click gets it again.
 * The amount is the quote's; what the browser says is only compared with it.
 * @throws Failure not_found, conflict, payment_in_progress, invalid or too_many_requests
 */
export async function startPayment(
  services: Services,
  scope: Scope<"organisation">,
  request: PaymentRequest,
): Promise<PaymentForm> {
  const { actor } = scope;
  await services.limiter.consume("paymentByAccount", actor.personId);
  if (request.email !== actor.email.toLowerCase()) {
    const sentence = "Please use the e-mail address you are signed in with.";
    throw new Failure("invalid", sentence, { fields: { email: sentence } });
  }
  return services.database.transaction(async (transaction) => {
    // Who moves or merges the organisation meanwhile takes turns: its order goes wherever it goes.
    await lockOrganisation(transaction, organisationOf(scope));
    const quote = await findQuoteToBuy(transaction, scope, request.quote_id);
    if (!quote) throw notFound("This quote");
    const known = await findOrder(transaction, quote);
    if (known) refusePaid(known);
    refuseUnbuyable(services, quote, request);
    const billTo = billingOf(quote, request);
    const order = known ?? (await makeOrder(services, transaction, scope, quote, billTo));
    const living = await findLivingAttempt(services, transaction, order);
    if (living && asksAgain(living, order, actor, billTo)) return living.form;
    if (living) await supersede(services, transaction, actor, living, request.takeOver === true);
    await rememberBilling(services, transaction, scope, order, billTo);
    const form = await makeAttempt(services, transaction, actor, order, quote, billTo);
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
  if (quote.ratesToConfirm)
    throw new Failure(
      "conflict",
      "The rates of the custom devices in this quote are being confirmed. We will mail you the final proposal; then you can buy it.",
    );
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

/** The quote's row is locked: of two clicks at once the second one finds the first one's order. */
async function findOrder(transaction: Transaction, quote: QuoteRow): Promise<OrderRow | undefined> {
  const [known] = await transaction.select().from(orders).where(eq(orders.quoteId, quote.id)).for("update");
  return known;
}

async function makeOrder(
  services: Services,
  transaction: Transaction,
  scope: Scope<"organisation">,
  quote: QuoteRow,
  billTo: BillTo,
): Promise<OrderRow> {
  const [made] = await transaction
    .insert(orders)
    .values({
      quoteId: quote.id,
      organisationId: organisationOf(scope),
      buyerId: scope.actor.personId,
      billTo,
      amountPaise: quote.totalPaise,
      createdAt: services.now(),
    })
    .returning();
  if (!made) throw new Error("The order was not made");
  return made;
}

/** On the order, and on the organisation for its next one unless none was given. */
async function rememberBilling(
  services: Services,
  transaction: Transaction,
  scope: Scope<"organisation">,
  order: OrderRow,
  billTo: BillTo,
): Promise<void> {
  await transaction
    .update(orders)
    .set({ state: "initiated", billTo, buyerId: scope.actor.personId, updatedAt: services.now() })
    .where(eq(orders.id, order.id));
  if (!billTo.gstin && !billTo.address && !billTo.state) return;
  await transaction
    .update(organisations)
    .set({
      gstin: billTo.gstin ?? null,
      billingAddress: billTo.address ?? null,
      billingState: billTo.state ?? null,
      version: sql`${organisations.version} + 1`,
    })
    .where(eq(organisations.id, organisationOf(scope)));
}

async function makeAttempt(
  services: Services,
  transaction: Transaction,
  actor: Actor,
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
    startedBy: actor.personId,
    billTo,
    createdAt: now,
    expiresAt: later(now, { minutes: limits.paymentMinutes }),
  });
  return form;
}

/** Ordered by time and unguessable, within the gateway's 25 characters. */
function newReference(now: Date): string {
  return `P${now.getTime().toString(36)}${randomBytes(8).toString("hex")}`.slice(0, 25).toUpperCase();
}
