import { eq } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { formatRupees, paiseFrom } from "../../contract/money.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import type { PaymentRequest } from "../../contract/orders.ts";
import { later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { lockOwnOrganisation } from "../accounts/lock-own-organisation.ts";
import { type Actor, organisationOf, type Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { billToOf, buyerFrom, findBuyer, findTaxedSeller, taxedOf } from "../billing/bill-to.ts";
import { taxOf } from "../billing/tax.ts";
import { type BillTo, orders, type quotes, type TaxSplit } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { findQuoteToBuy } from "../quotes/queries.ts";
import type { Services } from "../services.ts";

type QuoteRow = typeof quotes.$inferSelect;
type OrderRow = typeof orders.$inferSelect;

/**
 * Counts an attempt to buy against its limit.
 * @throws Failure too_many_requests; invalid for somebody else's e-mail address
 */
export async function countTry(services: Services, actor: Actor, { email }: PaymentRequest): Promise<void> {
  await services.limiter.consume("paymentByAccount", actor.personId);
  if (email === actor.email.toLowerCase()) return;
  throw invalidField("email", "Please use the e-mail address you are signed in with.");
}

/**
 * The first step of every way to pay: finds the quote, its only order, the bill-to details and the tax, all of them
 * locked.
 * @throws Failure unauthenticated for a person who has lost access meanwhile; not_found, conflict or invalid if this
 * quote can't be bought in this way
 */
export async function prepareOrder(
  services: Services,
  transaction: Transaction,
  scope: Scope<"organisation">,
  request: PaymentRequest,
): Promise<{ quote: QuoteRow; order: OrderRow; bill: Bill }> {
  // Waits for a concurrent move or merge of the organisation, so that the order ends up where the organisation does.
  await lockOwnOrganisation(transaction, scope.actor);
  const quote = await findQuoteToBuy(transaction, scope, request.quote_id);
  if (!quote) throw notFound("This quote");
  const known = await findOrder(transaction, quote);
  if (known) refusePaid(known);
  const bill = await billOf(services, transaction, scope, quote, request);
  refuseUnbuyable(services, quote, bill.tax, request);
  return { quote, order: known ?? (await makeOrder(services, transaction, scope, quote, bill)), bill };
}

/** The bill-to details of a form and the tax in its amount; both are frozen with the form. */
export interface Bill {
  billTo: BillTo;
  tax: TaxSplit;
}

async function billOf(
  { now }: Services,
  transaction: Transaction,
  scope: Scope<"organisation">,
  quote: QuoteRow,
  { name, email, phone, purchaseOrder, serviceStart }: PaymentRequest,
): Promise<Bill> {
  const buyer = await findBuyer(transaction, scope);
  const start = quote.term?.from ?? serviceStart;
  const order = { ...(purchaseOrder && { purchaseOrder }), ...(start && { serviceStart: start }) };
  return {
    billTo: billToOf(buyer, quote.organizationName, { name, email, phone, ...order }),
    tax: taxOf(await findTaxedSeller(transaction), buyerFrom(buyer), taxedOf(quote, now())),
  };
}

function refuseUnbuyable(services: Services, quote: QuoteRow, tax: TaxSplit, request: PaymentRequest): void {
  refuseServiceStart(services, quote, request);
  const duePaise = Math.min(quote.totalPaise, tax.totalPaise);
  if (duePaise <= 0)
    throw new Failure(
      "conflict",
      `This quote comes to ${formatRupees(duePaise)}, which can't be paid online. Please write to ${brand.emails.sales}.`,
    );
  if (quote.validUntil < services.now())
    throw new Failure("conflict", "This quote has expired. Please send a new estimate.");
  if (quote.decision === "declined")
    throw new Failure("conflict", "This quote was declined. Please send a new estimate, or ask us for another quote.");
  if (quote.ratesToConfirm)
    throw new Failure(
      "conflict",
      "The rates of the custom devices in this quote are being confirmed. We will mail you the final proposal; then you can buy it.",
    );
  if (request.revision !== undefined && request.revision !== quote.revision)
    throw new Failure(
      "conflict",
      `${quoteNumber(quote.serial)} was revised meanwhile: it is revision ${quote.revision} now. Please look at that one.`,
    );
  if (!isAmountOf(quote, tax, paiseFrom(request.amount)))
    throw new Failure("conflict", "The amount is not the quote's. Please reload the page and try again.");
}

/**
 * Whether the amount is the one that was shown: the sum with its tax, or the quote's own total if the two differ only
 * by how taxes are rounded.
 */
function isAmountOf(quote: QuoteRow, { totalPaise, taxes }: TaxSplit, amountPaise: number): boolean {
  if (amountPaise === totalPaise) return true;
  const basisPoints = taxes.reduce((sum, tax) => sum + tax.basisPoints, 0);
  return amountPaise === quote.totalPaise && basisPoints === quote.gstBasisPoints;
}

/** @throws Failure invalid for a day that is past, too far ahead, or not the one that the quote sets */
function refuseServiceStart({ now }: Services, { term }: QuoteRow, { serviceStart }: PaymentRequest): void {
  if (serviceStart === undefined) return;
  if (term) {
    if (serviceStart === term.from) return;
    throw invalidField(
      "serviceStart",
      `The service of this quote begins on ${paperDay(term.from)}: the contract ${term.contractNumber} says so`,
    );
  }
  const last = writtenDay(later(now(), { days: limits.serviceStartDaysAheadMax }));
  if (serviceStart >= writtenDay(now()) && serviceStart <= last) return;
  throw invalidField("serviceStart", `Please choose a day from today to ${limits.serviceStartDaysAheadMax} days ahead`);
}

function refusePaid({ state }: OrderRow): void {
  if (state === "invoiced")
    throw new Failure("conflict", "This quote was bought against invoice. Please transfer what the invoice asks for.");
  if (state === "closed")
    throw new Failure("conflict", "This quote was bought against invoice, and nothing is to be paid for it any more.");
  if (state === "review")
    throw new Failure("conflict", "We are checking a payment for this quote and will be in touch.");
  if (!["initiated", "pending", "failure", "expired", "awaiting_transfer"].includes(state))
    throw new Failure("conflict", "This quote has been paid already.");
}

/** The quote's row is locked, so the second of two simultaneous clicks finds the order that the first one made. */
async function findOrder(transaction: Transaction, quote: QuoteRow): Promise<OrderRow | undefined> {
  const [known] = await transaction.select().from(orders).where(eq(orders.quoteId, quote.id)).for("update");
  return known;
}

async function makeOrder(
  services: Services,
  transaction: Transaction,
  scope: Scope<"organisation">,
  quote: QuoteRow,
  { billTo, tax }: Bill,
): Promise<OrderRow> {
  const [made] = await transaction
    .insert(orders)
    .values({
      quoteId: quote.id,
      organisationId: organisationOf(scope),
      buyerId: scope.actor.personId,
      billTo,
      tax,
      amountPaise: tax.totalPaise,
      createdAt: services.now(),
    })
    .returning();
  if (!made) throw new Error("The order was not made");
  return made;
}
