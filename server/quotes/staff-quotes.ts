import { isDeepStrictEqual } from "node:util";
import { and, eq, inArray, sql } from "drizzle-orm";
import { openLeadStates } from "../../contract/lead-states.ts";
import { formatRupees, rupees } from "../../contract/money.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import type { NewQuote, OfferPrice, QuoteRevision, Terms } from "../../contract/staff-quotes.ts";
import { claimMadeNow } from "../accounts/claim-estimates.ts";
import { audit } from "../audit/audit.ts";
import { noteReached } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { leads, orders, quoteRevisions, quotes } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { currentRateCard } from "../rates/rate-card.ts";
import type { Services } from "../services.ts";
import { lockQuote } from "./lock-quote.ts";
import { type Offer, offerAt, priceOffer } from "./offer.ts";
import { validAnew, validFrom } from "./quotes.ts";
import { tellQuoteMade, tellQuoteRevised } from "./tell-quote.ts";

type Quote = typeof quotes.$inferSelect;

/** The price of terms, as a new quote or as the next revision of one. @throws Failure not_found, invalid */
export async function priceTerms(
  services: Services,
  scope: Scope<"any">,
  { quote_id, ...terms }: Terms & { quote_id: string | null },
): Promise<OfferPrice> {
  if (quote_id === null) return priceOffer(services, scope, terms, null);
  const [quote] = await services.database.select().from(quotes).where(eq(quotes.id, quote_id));
  if (!quote) throw notFound("This quote");
  noteReached(scope, quote.organisationId);
  return priceOffer(services, scope, terms, quote);
}

/**
 * Makes a quote for a person whose lead shows it from then on; its proposal and mail follow through the queue. A
 * repeated call makes no second one. Returns the lead's id.
 * @throws Failure not_found, invalid; conflict if the total differs from the one shown, or the id belongs to a
 * different quote
 */
export async function makeQuote(services: Services, { actor }: Scope<"any">, asked: NewQuote): Promise<string> {
  const { quote_id: id, lead_id: madeForLead, devices, discountPercent, total_cost, ...form } = asked;
  const offer = offerAt(await currentRateCard(services), { devices, discountPercent }, null);
  refuseOtherTotal(offer, total_cost);
  const now = services.now();
  return services.database.transaction(async (transaction) => {
    if (madeForLead !== null) await lockShownLead(transaction, madeForLead, id);
    const made = await transaction
      .insert(quotes)
      .values({
        ...form,
        ...offer,
        id,
        message: "",
        madeBy: actor.personId,
        madeForLead,
        createdAt: now,
        validUntil: validFrom(now, offer.validDays),
      })
      .onConflictDoNothing({ target: quotes.id });
    if (made.rowCount === 1) {
      await claimMadeNow(transaction, form.userEmail, now);
      await services.jobs.add(transaction, "render-proposal", { quoteId: id });
      await advanceLead(transaction, id);
      await audit(transaction, actor.personId, "make quote", `quote:${id}`, {
        totalPaise: offer.totalPaise,
        discountPercent,
      });
      await tellQuoteMade(services, transaction, id, actor.personId);
    } else await refuseOther(transaction, { ...form, ...offer, id, madeForLead });
    const [lead] = await transaction.select({ id: leads.id }).from(leads).where(eq(leads.quoteId, id));
    return lead?.id ?? "";
  });
}

type Said = Offer &
  Pick<Quote, "userName" | "userEmail" | "organizationName" | "phoneNumber" | "numberOfUsers" | "note" | "madeForLead">;

/**
 * If an earlier attempt arrived and the form was corrected since, refuses: the customer already has the first version.
 * @throws Failure conflict
 */
async function refuseOther(transaction: Transaction, asked: Said & Pick<Quote, "id">): Promise<void> {
  const [made] = await transaction.select().from(quotes).where(eq(quotes.id, asked.id));
  if (!made || isDeepStrictEqual(saidIn(made), saidIn(asked))) return;
  throw new Failure(
    "conflict",
    `An earlier try has arrived: ${quoteNumber(made.serial)} of ${formatRupees(made.totalPaise)} was made for ${made.userEmail}, and its proposal goes there by e-mail. Please revise that one, or close this and begin a new one.`,
  );
}

const saidIn = (quote: Omit<Said, "rateCardId" | "validDays">) => [
  [quote.userName, quote.userEmail, quote.organizationName, quote.phoneNumber, quote.numberOfUsers],
  [quote.madeForLead, quote.note, quote.ownDiscount, quote.discountBasisPoints, quote.totalPaise],
  ...[quote.lines, quote.options].map((lines) =>
    lines.map(({ service, deviceType, number, ratePaise }) => [service, deviceType, number, ratePaise]),
  ),
];

/**
 * Revises a quote: the previous revision is kept as superseded, and the validity starts again. A new proposal and its
 * mail follow through the queue.
 * @throws Failure not_found, invalid; conflict if it was revised meanwhile, or somebody has begun to pay for it
 */
export async function reviseQuote(services: Services, scope: Scope<"any">, asked: QuoteRevision): Promise<void> {
  const card = await currentRateCard(services);
  await services.database.transaction(async (transaction) => {
    const quote = await lockQuote(transaction, asked.quote_id);
    if (!quote) throw notFound("This quote");
    noteReached(scope, quote.organisationId);
    await refuseUnrevisable(transaction, quote, asked.revision);
    const offer = offerAt(card, asked, quote);
    refuseOtherTotal(offer, asked.total_cost);
    const now = services.now();
    await keepRevision(transaction, quote, now);
    const revision = quote.revision + 1;
    await transaction
      .update(quotes)
      .set({
        ...offer,
        note: asked.note,
        revision,
        proposalFile: null,
        revisedAt: now,
        decision: null,
        ratesConfirmedAt: null,
        ratesConfirmedBy: null,
        validUntil: validAnew(quote, now, offer.validDays),
        // A renewal that the job made belongs to this person from now on.
        madeBy: quote.madeBy ?? (quote.term && scope.actor.personId),
      })
      .where(eq(quotes.id, quote.id));
    await services.jobs.add(transaction, "render-proposal", { quoteId: quote.id });
    await advanceLead(transaction, quote.id);
    await audit(transaction, scope.actor.personId, "revise quote", `quote:${quote.id}`, {
      revision,
      before: { totalPaise: quote.totalPaise, discountPercent: quote.discountBasisPoints / 100 },
      after: { totalPaise: offer.totalPaise, discountPercent: offer.discountBasisPoints / 100 },
    });
    await tellQuoteRevised(services, transaction, quote.id, scope.actor.personId);
  });
}

/** Keeps the current revision as superseded, before the quote changes. The caller has locked the quote's row. */
export async function keepRevision(transaction: Transaction, quote: Quote, now: Date): Promise<void> {
  await transaction.insert(quoteRevisions).values({
    quoteId: quote.id,
    revision: quote.revision,
    lines: quote.lines,
    totalPaise: quote.totalPaise,
    proposalFile: quote.proposalFile,
    madeAt: quote.revisedAt ?? quote.createdAt,
    supersededAt: now,
  });
}

function refuseOtherTotal({ totalPaise }: Offer, shown: string): void {
  if (rupees(totalPaise) !== shown)
    throw new Failure("conflict", "The total has changed since it was shown. Please check it and send it again.");
}

/**
 * Buyers pay for what their form said: a quote with an order keeps its lines. The caller has locked the quote's row.
 */
async function refuseUnrevisable(transaction: Transaction, quote: Quote, revision: number): Promise<void> {
  if (quote.revision !== revision)
    throw new Failure(
      "conflict",
      `Somebody has revised ${quoteNumber(quote.serial)} meanwhile: it is revision ${quote.revision} now. Send yours again to replace that one.`,
    );
  if (quote.term && quote.term.kind !== "renew")
    throw new Failure(
      "conflict",
      `This quote adds devices to ${quote.term.contractNumber}. Please let it expire, and add others there.`,
    );
  if (quote.decision === "accepted")
    throw new Failure("conflict", "The customer has accepted this quote. Please make a new one instead.");
  if ((await transaction.$count(orders, eq(orders.quoteId, quote.id))) > 0)
    throw new Failure("conflict", "Somebody has begun to pay this quote. Please make a new one instead.");
}

/** Locks the lead that a quote is made for, after the lead's current quote, in the same order as a revision does. */
async function lockShownLead(transaction: Transaction, id: string, newQuoteId: string): Promise<void> {
  const shown = { quoteId: leads.quoteId, joinedTo: leads.joinedTo };
  const [seen] = await transaction.select(shown).from(leads).where(eq(leads.id, id));
  if (seen?.quoteId)
    await transaction.select({ id: quotes.id }).from(quotes).where(eq(quotes.id, seen.quoteId)).for("key share");
  const [lead] = await transaction.select(shown).from(leads).where(eq(leads.id, id)).for("update");
  if (!lead) throw notFound("This lead");
  if (lead.joinedTo) throw new Failure("conflict", "This lead was joined into another one. Please open that one.");
  if (lead.quoteId !== seen?.quoteId && lead.quoteId !== newQuoteId)
    throw new Failure("conflict", "Somebody has made a quote for this lead meanwhile. Please look at that one first.");
}

/** Moves an open lead to “proposal sent” when its quote is made or revised. */
async function advanceLead(transaction: Transaction, quoteId: string): Promise<void> {
  await transaction
    .update(leads)
    .set({
      state: sql`case when ${leads.state} in ('new', 'contacted') then 'proposal_sent' else ${leads.state} end`,
      furthest: sql`greatest(${leads.furthest}, 2)`,
      version: sql`${leads.version} + 1`,
    })
    .where(
      and(
        eq(leads.id, sql`(select coalesce(joined_to, id) from leads as quoted where quoted.quote_id = ${quoteId})`),
        inArray(leads.state, openLeadStates),
      ),
    );
}
