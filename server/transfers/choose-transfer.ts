import { and, eq } from "drizzle-orm";
import { isDeepStrictEqual } from "node:util";
import { writtenDay } from "../../contract/india-time.ts";
import { formatRupees, rupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import { type BankAccount, deductionsOn } from "../../contract/seller.ts";
import type { TransferOrder, TransferRequest, WaysToPay } from "../../contract/transfers.ts";
import { lockOwnOrganisation } from "../accounts/lock-own-organisation.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { issueInvoice } from "../billing/invoices.ts";
import { closeProforma, findOpenProforma, issueProforma, type Proforma } from "../billing/proformas.ts";
import { amendByOrder } from "../contracts/amend-by-order.ts";
import { openOnboarding } from "../onboarding/open-onboarding.ts";
import type { Transaction } from "../database/database.ts";
import { invoices, orders, type TaxDeducted } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import { findLivingAttempt, supersede } from "../orders/living-form.ts";
import { type Bill, countTry, prepareOrder } from "../orders/prepare-order.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { claimDeducted } from "./claim-deducted.ts";
import { deductedOf, saidToDeduct } from "./deducted-of.ts";
import { findPartPaid, settleDeducted } from "./part-paid.ts";

type Order = typeof orders.$inferSelect;

/** The ways to pay for a quote other than online that the operator offers today. */
export async function findWaysToPay({ database, now }: Services): Promise<WaysToPay> {
  const { bank, creditDays, deductions } = await readSeller(database);
  return {
    transfer: bank !== null,
    credit_days: bank && creditDays,
    deductions: deductionsOn(writtenDay(now()), deductions).map(({ section, percent }) => ({ section, percent })),
  };
}

/**
 * Buys a quote by bank transfer, which makes a proforma, or against invoice, which makes the tax invoice. A double
 * click gets the same result; other details void the earlier proforma, once the person has confirmed.
 * @throws Failure not_found, conflict, payment_in_progress, invalid or too_many_requests
 */
export async function chooseTransfer(
  services: Services,
  scope: Scope<"organisation">,
  request: TransferRequest,
): Promise<TransferOrder> {
  const { actor } = scope;
  await countTry(services, actor, request);
  const { bank, creditDays } = await readSeller(services.database);
  if (!bank || (request.way === "invoice" && creditDays === null))
    throw new Failure("conflict", "This way of paying is not offered. Please choose another one.");
  return services.database.transaction(async (transaction) => {
    // A second click waits for the first one.
    await lockOwnOrganisation(transaction, scope.actor);
    const again = await findInvoiced(transaction, scope, request);
    if (again) return again;
    const settled = await sayDeducted(services, transaction, scope, request);
    if (settled) return settled;
    const { quote, order, bill } = await prepareOrder(services, transaction, scope, request);
    if (!bill.billTo.kind)
      throw new Failure("conflict", "The documents need billing details. Please fill them in under Billing Details.");
    if (request.way === "invoice" && quote.decision !== "accepted")
      throw new Failure("conflict", "Please accept the proposal first: then it can be bought against invoice.");
    const living = await findLivingAttempt(services, transaction, order);
    if (living) await supersede(services, transaction, actor, living, request.takeOver === true);
    const deducts = request.deducts ? saidToDeduct(bill.tax, request.deducts) : null;
    const open = await findOpenProforma(transaction, order.id);
    if (open && request.way === "transfer" && asksSame(order, bill, deducts, bank, open))
      return transferOrder(order, open);
    if (order.owedPaise < 0)
      throw new Failure(
        "conflict",
        "A part of this order has come already. Please transfer the rest as the proforma says.",
      );
    if (open && !request.takeOver)
      throw new Failure(
        "payment_in_progress",
        `Proforma ${open.number} over ${formatRupees(open.payPaise)} asks for this quote already. With other details it is void: please tell whoever has it.`,
      );
    const voidBecause = "Chosen anew with other details.";
    await closeProforma(services, transaction, order.id, { voidBecause, actorId: actor.personId });
    const chosen = await rememberChoice(services, transaction, scope, order, bill, deducts, request.way);
    return request.way === "transfer"
      ? transferOrder(chosen, await issueProforma(services, transaction, chosen, quote, bank))
      : invoiceOrder(services, transaction, chosen, bank, creditDays ?? 0);
  });
}

/** Whether the open proforma matches the request. */
const asksSame = (order: Order, bill: Bill, deducts: TaxDeducted | null, bank: BankAccount, { content }: Proforma) =>
  isDeepStrictEqual(
    { billTo: order.billTo, tax: order.tax, deducts: order.deducts, bank: content.bank },
    { billTo: bill.billTo, tax: bill.tax, deducts, bank },
  );

async function rememberChoice(
  { now }: Services,
  transaction: Transaction,
  { actor }: Scope<"organisation">,
  order: Order,
  { billTo, tax }: Bill,
  deducts: TaxDeducted | null,
  way: TransferRequest["way"],
): Promise<Order> {
  const [chosen] = await transaction
    .update(orders)
    .set({
      state: way === "transfer" ? "awaiting_transfer" : "invoiced",
      billTo,
      tax,
      amountPaise: tax.totalPaise,
      buyerId: actor.personId,
      deducts,
      updatedAt: now(),
    })
    .where(eq(orders.id, order.id))
    .returning();
  if (!chosen) throw new Error(`Order ${order.id} is gone`);
  await audit(
    transaction,
    actor.personId,
    way === "transfer" ? "order by transfer" : "order against invoice",
    `order:${order.id}`,
    deducts ? { section: deducts.section, deductedPaise: deducts.amountPaise } : {},
  );
  return chosen;
}

/**
 * If an order is fully paid but for the tax that the buyer deducts, the buyer can still declare that tax; everything
 * else stays as bought, even after the quote has expired. Null for any other order.
 */
async function sayDeducted(
  services: Services,
  transaction: Transaction,
  scope: Scope<"organisation">,
  { way, deducts, takeOver, quote_id }: TransferRequest,
): Promise<TransferOrder | null> {
  if (way !== "transfer" || !deducts) return null;
  const partPaid = await findPartPaid(transaction, scope, quote_id);
  if (!partPaid || partPaid.order.deducts !== null) return null;
  const { order, proforma } = partPaid;
  const living = await findLivingAttempt(services, transaction, order);
  if (living) await supersede(services, transaction, scope.actor, living, takeOver === true);
  await settleDeducted(services, transaction, scope, partPaid, saidToDeduct(order.tax, deducts));
  return { ...transferOrder(order, proforma), pay: rupees(0) };
}

const transferOrder = (order: Order, proforma: Proforma): TransferOrder => ({
  order_id: order.id,
  order_number: orderNumber(order.serial),
  document: proforma.number,
  reference: proforma.reference,
  pay: rupees(proforma.payPaise),
  due_on: proforma.dueOn,
  bank: proforma.content.bank,
});

/** The tax invoice is issued before the money comes; the deducted tax is claimed with it. */
async function invoiceOrder(
  services: Services,
  transaction: Transaction,
  order: Order,
  bank: BankAccount,
  creditDays: number,
): Promise<TransferOrder> {
  await issueInvoice(services, transaction, { ...order, paymentId: "" }, { creditDays, bank });
  await claimDeducted(services, transaction, order);
  await amendByOrder(services, transaction, order.id);
  await openOnboarding(services, transaction, { organisationId: order.organisationId, orderId: order.id });
  const [invoice] = await transaction.select().from(invoices).where(eq(invoices.orderId, order.id));
  if (!invoice) throw new Error(`Order ${order.id} has no invoice`);
  return invoicedOrder(order, invoice, bank);
}

const invoicedOrder = (
  order: Order,
  { number, content }: typeof invoices.$inferSelect,
  bank: BankAccount,
): TransferOrder => ({
  order_id: order.id,
  order_number: orderNumber(order.serial),
  document: number,
  reference: number,
  pay: rupees(content.totalPaise - (content.taxDeducted?.amountPaise ?? 0)),
  due_on: content.dueOn ?? "",
  bank: content.bank ?? bank,
});

/**
 * What a first click made, if the same purchase against invoice is asked for again.
 * @throws Failure conflict for another deduction
 */
async function findInvoiced(
  transaction: Transaction,
  scope: Scope<"organisation">,
  { way, quote_id, deducts }: TransferRequest,
): Promise<TransferOrder | null> {
  if (way !== "invoice") return null;
  const [found] = await transaction
    .select({ order: orders, invoice: invoices })
    .from(orders)
    .innerJoin(invoices, eq(invoices.orderId, orders.id))
    .where(
      and(
        eq(orders.quoteId, quote_id),
        eq(orders.organisationId, organisationOf(scope)),
        eq(orders.buyerId, scope.actor.personId),
        eq(orders.state, "invoiced"),
      ),
    );
  if (!found) return null;
  const { order, invoice } = found;
  if (deducts && !isDeepStrictEqual(order.deducts, order.tax && deductedOf(order.tax, deducts)))
    throw new Failure(
      "conflict",
      `This quote was bought against invoice ${invoice.number} already, with another deduction or none. Tax that you deduct and have not said can be said under Payments Due.`,
    );
  // Tax may have been deducted, or a part paid or credited, since then.
  const pay = rupees(owedBesideNothing(order));
  return invoice.content.bank ? { ...invoicedOrder(order, invoice, invoice.content.bank), pay } : null;
}
