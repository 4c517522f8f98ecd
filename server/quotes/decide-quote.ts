import { and, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import type { QuoteAcceptance, QuoteTerms } from "../../contract/quote-decisions.ts";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { type Actor, organisationOf, type Scope } from "../access/scope.ts";
import { lockOwnOrganisation } from "../accounts/lock-own-organisation.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import { closeProforma } from "../billing/proformas.ts";
import type { Call } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { orders, people, quoteDecisions, quotes } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import { queueMail } from "../mail/outbox.ts";
import { sha256Of } from "../protection/sha256-of.ts";
import type { Services } from "../services.ts";
import { acceptanceCode, isAcceptanceCode } from "./acceptance-code.ts";
import { leaveOwnForm } from "./leave-form.ts";
import { termsOf } from "./proposal.ts";
import { boughtTax, findQuoteToBuy, isBought, presentTerm, quoteStateOf } from "./queries.ts";
import { recordDecision } from "./record-decision.ts";
import { hashOfTerms } from "./verify-acceptance.ts";

type Quote = typeof quotes.$inferSelect;
/** The revision of a quote that the person who decides has seen. */
interface OfRevision {
  quote_id: string;
  revision: number;
}

/** The terms and the sum that a person accepts with a quote, or what was decided about it. @throws Failure not_found */
export async function readTerms(
  services: Services,
  scope: Scope<"organisation">,
  quoteId: string,
): Promise<QuoteTerms> {
  const taxFor = await openTaxFor(services, organisationOf(scope));
  const [found] = await services.database
    .select({ quote: quotes, orderState: orders.state, orderTax: orders.tax, orderOwedPaise: orders.owedPaise })
    .from(quotes)
    .leftJoin(orders, eq(orders.quoteId, quotes.id))
    .where(and(eq(quotes.id, quoteId), eq(quotes.organisationId, organisationOf(scope))));
  if (!found) throw notFound("This quote");
  const { quote } = found;
  const [decision] = await services.database
    .select()
    .from(quoteDecisions)
    .where(and(eq(quoteDecisions.quoteId, quote.id), eq(quoteDecisions.revision, quote.revision)));
  const terms = decision?.terms ?? termsOf(quote);
  return {
    quote_id: quote.id,
    number: quoteNumber(quote.serial),
    organization_name: quote.organizationName,
    revision: quote.revision,
    total_cost: rupees(quote.totalPaise),
    tax: boughtTax(found) ?? taxFor(quote),
    contract: presentTerm(quote.term),
    terms,
    terms_hash: hashOfTerms(terms),
    decision: decision
      ? {
          kind: decision.kind,
          name: decision.name,
          designation: decision.designation,
          reason: decision.reason,
          decided_at: decision.decidedAt.toISOString(),
          file: decision.file,
        }
      : null,
  };
}

/** Mails the caller the code that accepts this revision. @throws Failure not_found, conflict, too_many_requests */
export async function mailAcceptanceCode(
  services: Services,
  scope: Scope<"organisation">,
  { quote_id, revision }: OfRevision,
): Promise<void> {
  const { actor } = scope;
  await services.limiter.consume("acceptanceCodeByAccount", actor.personId);
  const taxFor = await openTaxFor(services, organisationOf(scope));
  await services.database.transaction(async (transaction) => {
    const quote = await lockUndecided(services, transaction, scope, { quote_id, revision });
    await queueMail(services, transaction, {
      eventKey: `acceptance-code:${randomUUID()}`,
      to: actor.email,
      content: {
        template: "acceptanceCode",
        code: acceptanceCode(services, { personId: actor.personId, quoteId: quote.id, revision }),
        quoteNumber: quoteNumber(quote.serial),
        totalPaise: paiseFrom(taxFor(quote).total),
      },
    });
  });
}

/**
 * Accepts a revision, once, in the name of a person whose mailbox confirmed it. Keeps the evidence with it: the terms,
 * the hash of the proposal, when and from where. The accepted proposal follows through the queue.
 * @throws Failure not_found, conflict, invalid, too_many_requests
 */
export async function acceptQuote(
  services: Services,
  scope: Scope<"organisation">,
  origin: Pick<Call, "address" | "userAgent">,
  acceptance: QuoteAcceptance,
): Promise<void> {
  const { quote_id, revision, code, terms_hash, name, designation } = acceptance;
  const { personId } = scope.actor;
  await services.limiter.consume("acceptanceByAccount", personId);
  if (!isAcceptanceCode(services, { personId, quoteId: quote_id, revision }, code)) {
    throw invalidField(
      "code",
      "This code is not right, or not valid any more. Please check it, or have a new one mailed.",
    );
  }
  const file = await findProposal(services, scope, quote_id);
  const proposalHash = sha256Of(await services.files.read(file));
  await services.database.transaction(async (transaction) => {
    const quote = await lockUndecided(services, transaction, scope, { quote_id, revision });
    if (quote.proposalFile !== file || hashOfTerms(termsOf(quote)) !== terms_hash)
      throw new Failure("conflict", "The terms have changed. Please close this and read them again.");
    const id = await recordDecision(services, transaction, scope, origin, quote, {
      kind: "accepted",
      name,
      designation,
      proposalHash,
    });
    await services.jobs.add(transaction, "render-acceptance", { decisionId: id });
  });
  await services.limiter.clear("acceptanceByAccount", personId);
}

/**
 * Declines a revision, which can't be bought any more, and voids its open proforma.
 * @throws Failure not_found, conflict
 */
export async function declineQuote(
  services: Services,
  scope: Scope<"organisation">,
  origin: Pick<Call, "address" | "userAgent">,
  { reason, ...ofRevision }: OfRevision & { reason: string },
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const quote = await lockUndecided(services, transaction, scope, ofRevision);
    await leaveOrder(services, transaction, quote, scope.actor);
    const [person] = await transaction.select().from(people).where(eq(people.id, scope.actor.personId));
    await recordDecision(services, transaction, scope, origin, quote, {
      kind: "declined",
      name: `${person?.firstName} ${person?.lastName}`,
      designation: "",
      reason,
    });
  });
}

/**
 * Ends the order so that nobody is reminded of a declined quote.
 * @throws Failure conflict if money for it has come or is on its way
 */
async function leaveOrder(services: Services, transaction: Transaction, quote: Quote, actor: Actor): Promise<void> {
  const { now } = services;
  const [order] = await transaction.select().from(orders).where(eq(orders.quoteId, quote.id)).for("update");
  if (!order) return;
  const number = quoteNumber(quote.serial);
  // It may have been paid while this request waited for the lock.
  if (isBought(order.state)) throw new Failure("conflict", reasons.bought(number));
  if (order.owedPaise < 0)
    throw new Failure("conflict", `Money for ${number} has come already. Please write to us before you decline it.`);
  if (order.state === "pending" || order.state === "review")
    throw new Failure("conflict", `A payment for ${number} is being confirmed. Please wait until it is through.`);
  await leaveOwnForm(services, transaction, order.id, actor);
  if (order.state !== "awaiting_transfer") return;
  const voidBecause = `${number} was declined.`;
  await closeProforma({ now }, transaction, order.id, { voidBecause, actorId: actor.personId });
  await transaction.update(orders).set({ state: "expired", updatedAt: now() }).where(eq(orders.id, order.id));
}

async function findProposal(services: Services, scope: Scope<"organisation">, quoteId: string): Promise<string> {
  const [quote] = await services.database
    .select({ file: quotes.proposalFile })
    .from(quotes)
    .where(and(eq(quotes.id, quoteId), eq(quotes.organisationId, organisationOf(scope))));
  if (!quote) throw notFound("This quote");
  if (!quote.file) throw new Failure("conflict", "The proposal is still being made. Please try again in a moment.");
  return quote.file;
}

/**
 * Locks the quote: of many simultaneous decisions only the first succeeds.
 * @throws Failure unauthenticated, not_found, conflict
 */
async function lockUndecided(
  services: Services,
  transaction: Transaction,
  scope: Scope<"organisation">,
  { quote_id, revision }: OfRevision,
): Promise<Quote> {
  // First, as when paying: an erasure locks the organisation before the person's row, which the decision refers to.
  await lockOwnOrganisation(transaction, scope.actor);
  const quote = await findQuoteToBuy(transaction, scope, quote_id);
  if (!quote) throw notFound("This quote");
  const number = quoteNumber(quote.serial);
  if (quote.revision !== revision)
    throw new Failure(
      "conflict",
      `${number} was revised meanwhile: it is revision ${quote.revision} now. Please look at that one.`,
    );
  if (quote.decision) throw new Failure("conflict", `${number} was ${quote.decision} already.`);
  const [order] = await transaction.select({ state: orders.state }).from(orders).where(eq(orders.quoteId, quote.id));
  const state = quoteStateOf({ ...quote, orderState: order?.state ?? null }, services.now());
  if (state !== "open") throw new Failure("conflict", reasons[state](number));
  return quote;
}

const reasons = {
  bought: (number: string) => `${number} has been bought already.`,
  expired: (number: string) => `${number} has expired. Please send a new estimate.`,
  preparing: () => "The proposal is still being made. Please try again in a moment.",
  rates_to_confirm: () => "The rates of its custom devices are being confirmed. We will mail you the final proposal.",
};
