import { eq } from "drizzle-orm";
import { randomBytes } from "node:crypto";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import type { PaymentForm, PaymentRequest } from "../../contract/orders.ts";
import { later } from "../../contract/durations.ts";
import { audit } from "../audit/audit.ts";
import type { Actor, Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { closeProforma, findOpenProforma } from "../billing/proformas.ts";
import { attempts, orders, type quotes } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import type { Services } from "../services.ts";
import { asksAgain, findLivingAttempt, supersede } from "./living-form.ts";
import { type Bill, countTry, prepareOrder } from "./prepare-order.ts";

type QuoteRow = typeof quotes.$inferSelect;
type OrderRow = typeof orders.$inferSelect;

/**
 * Starts paying for a quote. A quote has one order, with an attempt for each try and one usable form; a double click
 * returns the same form. The amount comes from the quote; the browser's is only compared with it.
 * @throws Failure not_found, conflict, payment_in_progress, invalid or too_many_requests
 */
export async function startPayment(
  services: Services,
  scope: Scope<"organisation">,
  request: PaymentRequest,
): Promise<PaymentForm> {
  const { actor } = scope;
  await countTry(services, actor, request);
  return services.database.transaction(async (transaction) => {
    const { quote, order, bill } = await prepareOrder(services, transaction, scope, request);
    refusePartPaid(order);
    const living = await findLivingAttempt(services, transaction, order);
    if (living && asksAgain(living, order, actor, bill)) return living.form;
    if (living) await supersede(services, transaction, actor, living, request.takeOver === true);
    await leaveTransfer(services, transaction, actor, order, request.takeOver === true);
    await rememberBill(services, transaction, scope, order, bill);
    const form = await makeAttempt(services, transaction, actor, order, quote, bill);
    await audit(transaction, actor.personId, "start payment", `order:${order.id}`);
    return form;
  });
}

/** @throws Failure conflict if part of the sum has already come, even if a form was handed out before that */
function refusePartPaid({ owedPaise }: OrderRow): void {
  if (owedPaise < 0)
    throw new Failure("conflict", "A part of this order has come by bank transfer. Please transfer the rest, too.");
}

/**
 * Voids the open proforma, because a quote is paid in one way only. The person must ask for it, and nothing may have
 * come by transfer.
 * @throws Failure payment_in_progress
 */
async function leaveTransfer(
  services: Services,
  transaction: Transaction,
  { personId }: Actor,
  order: OrderRow,
  takeOver: boolean,
): Promise<void> {
  const open = await findOpenProforma(transaction, order.id);
  if (!open) return;
  if (!takeOver)
    throw new Failure(
      "payment_in_progress",
      `Proforma ${open.number} waits for a bank transfer. Please go on only if nobody has sent it: paying online makes it void.`,
    );
  await closeProforma(services, transaction, order.id, { voidBecause: "Paid online instead.", actorId: personId });
}

/** Makes the order show the form that was handed out last. */
async function rememberBill(
  services: Services,
  transaction: Transaction,
  { actor }: Scope<"organisation">,
  { id }: OrderRow,
  { billTo, tax }: Bill,
): Promise<void> {
  // Tax is not deducted from online payments.
  const shown = { billTo, tax, amountPaise: tax.totalPaise, buyerId: actor.personId, deducts: null };
  await transaction
    .update(orders)
    .set({ state: "initiated", ...shown, updatedAt: services.now() })
    .where(eq(orders.id, id));
}

async function makeAttempt(
  services: Services,
  transaction: Transaction,
  actor: Actor,
  order: OrderRow,
  quote: QuoteRow,
  { billTo, tax }: Bill,
): Promise<PaymentForm> {
  const now = services.now();
  const reference = newReference(now);
  const form = services.gateway.initiate({
    reference,
    amountPaise: tax.totalPaise,
    description: `${brand.name} SOC subscription, ${boughtBy(quote)}, ${quoteNumber(quote.serial)}`,
    name: billTo.name,
    email: billTo.email,
    phone: billTo.phone,
    returnUrl: `${services.publicUrl}/api/payments/return`,
  });
  await transaction.insert(attempts).values({
    orderId: order.id,
    gateway: services.gateway.name,
    reference,
    amountPaise: tax.totalPaise,
    form,
    startedBy: actor.personId,
    billTo,
    tax,
    createdAt: now,
    expiresAt: later(now, { minutes: limits.paymentMinutes }),
  });
  return form;
}

const boughtBy = ({ term }: QuoteRow) =>
  term && term.kind !== "renew" ? `${term.days} days of ${term.contractNumber}` : "1 year";

/** Ordered by time and unguessable, within the gateway's limit of 25 characters. */
function newReference(now: Date): string {
  return `P${now.getTime().toString(36)}${randomBytes(8).toString("hex")}`.slice(0, 25).toUpperCase();
}
