import { eq } from "drizzle-orm";
import { earlier, later } from "../../contract/durations.ts";
import { formatRupees, rupees } from "../../contract/money.ts";
import { randomBytes } from "node:crypto";
import { priceDevices } from "../rates/pricing.ts";
import { validFrom } from "../quotes/quotes.ts";
import { currentRateCard, type RateCardRow } from "../rates/rate-card.ts";
import { billToOf, buyerFrom, findTaxedSeller, taxedOf } from "../billing/bill-to.ts";
import { taxOf } from "../billing/tax.ts";
import { issueInvoice } from "../billing/invoices.ts";
import { amendByOrder } from "../contracts/amend-by-order.ts";
import { postEntry } from "../ledger/post-entry.ts";
import { noteFindings } from "../orders/findings.ts";
import type { Services } from "../services.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, mails, orders, organisations, quotes, sandboxTransactions } from "../database/schema/index.ts";
import { deductedOf } from "../transfers/deducted-of.ts";
import { buyByBank, countAsSent, insertUnknownTransfer, sampleDeduction, stateByBank } from "./by-bank.ts";
import type { DemoCustomer } from "./customers.ts";
import { type DemoEstimate, demoEstimates } from "./estimates.ts";

type QuoteRow = typeof quotes.$inferSelect;
type Attempt = typeof attempts.$inferSelect;

/** How an attempt ended, and what it took in paise. */
type Ended = Pick<Attempt, "state" | "capturedPaise"> &
  Partial<Pick<Attempt, "reason" | "reviewReason">> & { paymentId: string | null };

const declined: Ended = {
  state: "failure",
  paymentId: null,
  capturedPaise: null,
  reason: "Sample: the bank declined the card.",
};

/** Makes the quotes, then the orders in the order of payment, so that invoice numbers follow the calendar. */
export async function insertBusiness(
  services: Services,
  transaction: Transaction,
  customers: Map<string, DemoCustomer>,
): Promise<void> {
  const card = await currentRateCard(services);
  const bought: { estimate: DemoEstimate; quote: QuoteRow; buyer: DemoCustomer; at: Date }[] = [];
  for (const estimate of demoEstimates) {
    const buyer = customers.get(estimate.customer ?? "");
    const quote = await insertQuote(services, transaction, card, estimate, buyer);
    const at = later(quote.createdAt, { days: estimate.paidAfterDays ?? 1 });
    if (buyer && (estimate.paidAfterDays || estimate.unpaid)) bought.push({ estimate, quote, buyer, at });
  }
  for (const { estimate, quote, buyer, at } of bought.toSorted((one, other) => one.at.getTime() - other.at.getTime()))
    await insertOrder(services, transaction, estimate, quote, buyer, at);
  await insertUnknownTransfer(services, transaction);
  await insertFailedMail(transaction, services.now());
}

/** The proposal is rendered like any other; its mail counts as sent. */
async function insertQuote(
  services: Services,
  transaction: Transaction,
  card: RateCardRow,
  { visitor, daysAgo, users, message, devices }: DemoEstimate,
  customer: DemoCustomer | undefined,
): Promise<QuoteRow> {
  const createdAt = earlier(services.now(), { days: daysAgo, hours: 1 });
  const [quote] = await transaction
    .insert(quotes)
    .values({
      ...priceDevices(card, devices),
      organisationId: customer?.organisationId ?? null,
      organizationName: customer?.organizationName ?? visitor?.organizationName ?? "",
      userName: customer?.userName ?? visitor?.userName ?? "",
      userEmail: customer?.userEmail ?? visitor?.email ?? "",
      phoneNumber: customer?.phoneNumber ?? "+918000000150",
      numberOfUsers: users,
      message,
      rateCardId: card.id,
      sampleRates: card.isSample,
      createdAt,
      validDays: card.quoteValidDays,
      validUntil: validFrom(createdAt, card.quoteValidDays),
    })
    .returning();
  if (!quote) throw new Error("A quote of the demo was not made");
  await countAsSent(transaction, `proposal:${quote.id}`, quote.userEmail, createdAt);
  await services.jobs.add(transaction, "render-proposal", { quoteId: quote.id });
  return quote;
}

/** A paid order gets its invoice through the code of every order, backdated; its mail counts as sent. */
async function insertOrder(
  services: Services,
  transaction: Transaction,
  { unpaid, failedFirst, byBank }: DemoEstimate,
  quote: QuoteRow,
  buyer: DemoCustomer,
  at: Date,
): Promise<void> {
  const { organizationName, userName: name, userEmail: email, phoneNumber: phone } = buyer;
  const [organisation] = await transaction
    .select()
    .from(organisations)
    .where(eq(organisations.id, buyer.organisationId));
  if (!organisation) return;
  const billTo = billToOf(organisation, organizationName, { name, email, phone });
  const tax = taxOf(await findTaxedSeller(transaction), buyerFrom(organisation), taxedOf(quote, at));
  // So that nobody takes it for a gateway's number.
  const paymentId = `SAMPLE-${String(quote.serial).padStart(4, "0")}`;
  const [order] = await transaction
    .insert(orders)
    .values({
      quoteId: quote.id,
      organisationId: buyer.organisationId,
      buyerId: buyer.personId,
      billTo,
      tax,
      amountPaise: tax.totalPaise,
      state: unpaid ?? (byBank ? stateByBank[byBank.way] : "success"),
      ...(!unpaid && !byBank && { paymentId, paidAt: at }),
      deducts: byBank?.deducts ? deductedOf(tax, sampleDeduction) : null,
      ...(unpaid === "review" && {
        reviewReason: `Sample: the gateway took ${formatRupees(takenAmissPaise)} for an order of ${formatRupees(quote.totalPaise)}.`,
      }),
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  if (!order) return;
  if (byBank) return buyByBank(services, transaction, byBank.way, order, quote, at);
  if (failedFirst || unpaid === "failure") await insertTry(services, transaction, order, declined);
  if (order.reviewReason) await insertTakenAmiss(services, transaction, order, paymentId);
  if (!unpaid)
    await insertTry(services, transaction, order, { state: "success", paymentId, capturedPaise: order.amountPaise });
  if (unpaid) return;
  await countAsSent(transaction, `receipt:${order.id}`, email, at);
  await issueInvoice({ ...services, now: () => at }, transaction, { ...order, paymentId });
  const paid = { orderId: order.id, kind: "payment", eventId: order.id, about: paymentId, at } as const;
  await postEntry(transaction, { ...paid, amountPaise: -order.amountPaise });
  await amendByOrder({ ...services, now: () => at }, transaction, order.id);
}

/** What the gateway took in the sample of a payment of another sum, in paise. */
const takenAmissPaise = 100;

/** A payment of another sum than was owed: an attempt that waits for a person, its money in the ledger, and a finding. */
async function insertTakenAmiss(
  services: Services,
  transaction: Transaction,
  order: typeof orders.$inferSelect,
  paymentId: string,
): Promise<void> {
  const says = order.reviewReason ?? "";
  const taken = { state: "review", reviewReason: says, paymentId, capturedPaise: takenAmissPaise } as const;
  const attempt = await insertTry(services, transaction, order, taken);
  await noteFindings(transaction, [{ kind: "amount differs", key: attempt.reference, says, order }]);
  const paid = { orderId: order.id, kind: "payment", eventId: attempt.id, about: paymentId } as const;
  await postEntry(transaction, { ...paid, amountPaise: -takenAmissPaise, at: order.createdAt });
}

/** An attempt that has ended and is not polled; what it took can be given back in the sandbox. */
async function insertTry(
  { gateway }: Services,
  transaction: Transaction,
  { id, buyerId, billTo, tax, amountPaise, createdAt }: typeof orders.$inferSelect,
  { paymentId, capturedPaise, ...ended }: Ended,
) {
  const minutesBefore = (minutes: number) => earlier(createdAt, { minutes });
  const reference = `SAMPLE${randomBytes(8).toString("hex").toUpperCase()}`;
  if (paymentId && capturedPaise)
    await transaction.insert(sandboxTransactions).values({
      reference,
      gatewayPaymentId: paymentId,
      status: "success",
      unmappedStatus: "captured",
      form: { txnid: reference, amount: rupees(capturedPaise) },
      createdAt,
    });
  const [attempt] = await transaction
    .insert(attempts)
    .values({
      ...ended,
      orderId: id,
      gateway: gateway.name,
      reference,
      gatewayPaymentId: paymentId,
      capturedPaise,
      amountPaise,
      form: { action: "https://gateway.demo.example/", fields: {} },
      startedBy: buyerId,
      billTo,
      tax,
      createdAt: minutesBefore(paymentId ? 4 : 9),
      expiresAt: createdAt,
      endedAt: paymentId ? createdAt : minutesBefore(7),
      nextCheckAt: null,
    })
    .returning();
  if (!attempt) throw new Error("An attempt of the demo was not made");
  return attempt;
}

/** A mail that the mail server refused permanently: its content is gone and it is not retried. */
async function insertFailedMail(transaction: Transaction, now: Date): Promise<void> {
  await transaction.insert(mails).values({
    eventKey: "invite:sample",
    recipient: "no-such-mailbox@lead.example",
    attachments: [],
    createdAt: earlier(now, { days: 2 }),
    tries: 1,
    lastError: "Sample: 550 5.1.1 No such mailbox here",
  });
}
