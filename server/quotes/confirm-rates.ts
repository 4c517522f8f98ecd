import { eq } from "drizzle-orm";
import { keyOf } from "../../contract/devices.ts";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { priceOfDays } from "../../contract/proration.ts";
import type { QuoteRates, RatesConfirmation } from "../../contract/quotes.ts";
import { totalsOf } from "../../contract/totals.ts";
import { audit } from "../audit/audit.ts";
import { whoIs } from "../audit/who-is.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import { noteReached } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { type QuoteLine, quotes, type QuoteTerm } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { lockQuote } from "./lock-quote.ts";
import { presentPrice, validAnew } from "./quotes.ts";
import { keepRevision } from "./staff-quotes.ts";
import { tellQuoteRevised } from "./tell-quote.ts";

type QuoteRow = typeof quotes.$inferSelect;
type Rates = RatesConfirmation["rates"];

/** The lines and rates of any organisation's quote. @throws Failure not_found */
export async function findQuoteRates(services: Services, scope: Scope<"any">, quoteId: string): Promise<QuoteRates> {
  const [quote] = await services.database.select().from(quotes).where(eq(quotes.id, quoteId));
  if (!quote) throw notFound("This quote");
  noteReached(scope, quote.organisationId);
  return {
    quote_id: quote.id,
    number: quoteNumber(quote.serial),
    organization_name: quote.organizationName,
    user_email: quote.userEmail,
    valid_days: quote.validDays,
    revision: quote.revision,
    part_of_year: partOfYear(quote.term),
    price: presentPrice(quote, quote.sampleRates, await openTaxFor(services, quote.organisationId)),
  };
}

/**
 * Confirms the rates of a quote's custom devices, whatever rate card is in force now; the other lines and the discount
 * stay. The quote's validity starts again; a new proposal and its mail follow through the queue.
 * @throws Failure not_found, conflict or invalid
 */
export async function confirmRates(
  services: Services,
  { actor }: Scope<"any">,
  confirmation: RatesConfirmation,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const quote = await lockQuote(transaction, confirmation.quote_id);
    if (!quote) throw notFound("This quote");
    await refuseSettled(services, transaction, quote);
    const lines = confirmLines(quote, confirmation.rates);
    const totals = totalsOf(lines, quote);
    if (rupees(totals.totalPaise) !== confirmation.total_cost)
      throw new Failure("conflict", "These rates give a different total from the one shown. Please reload the quote.");
    const now = services.now();
    await keepRevision(transaction, quote, now);
    const revision = quote.revision + 1;
    await transaction
      .update(quotes)
      .set({
        lines,
        ...totals,
        revision,
        proposalFile: null,
        revisedAt: now,
        validUntil: validAnew(quote, now, quote.validDays),
        ratesConfirmedAt: now,
        ratesConfirmedBy: actor.personId,
      })
      .where(eq(quotes.id, quote.id));
    await services.jobs.add(transaction, "render-proposal", { quoteId: quote.id });
    await audit(transaction, actor.personId, "confirm quote rates", `quote:${quote.id}`, {
      revision,
      before: summaryOf(quote.lines, quote.totalPaise),
      after: summaryOf(lines, totals.totalPaise, quote.lines),
    });
    await tellQuoteRevised(services, transaction, quote.id, actor.personId);
  });
}

/** The quote's row is locked, so the second of two administrators is told who confirmed first. */
async function refuseSettled(services: Services, transaction: Transaction, quote: QuoteRow): Promise<void> {
  if (!quote.ratesToConfirm) throw new Failure("conflict", await whoConfirmed(transaction, quote));
  if (quote.validUntil < services.now())
    throw new Failure("conflict", "This quote has expired. Please ask the customer for a new estimate.");
}

async function whoConfirmed(transaction: Transaction, { ratesConfirmedBy }: QuoteRow): Promise<string> {
  if (!ratesConfirmedBy) return "Nothing in this quote is subject to confirmation.";
  return `${await whoIs(transaction, ratesConfirmedBy)} has confirmed the rates of this quote already.`;
}

/** Devices added to a contract cost a share of the contract year, less the discount already included in their lines. */
const partOfYear = (term: QuoteTerm | null): QuoteRates["part_of_year"] =>
  term && term.kind !== "renew"
    ? { days: term.days, days_of_year: term.daysOfYear, discount_percent: term.discountBasisPoints / 100 }
    : null;

function amountIn(term: QuoteTerm | null, price: { quantity: number; ratePaise: number }): number {
  if (!term || term.kind === "renew") return price.ratePaise * price.quantity;
  const { days, daysOfYear, discountBasisPoints } = term;
  return priceOfDays({ ...price, discountBasisPoints }, days, daysOfYear);
}

/**
 * @throws Failure invalid unless every line subject to confirmation gets exactly one rate, and no other line gets any
 */
function confirmLines({ lines, term }: QuoteRow, rates: Rates): QuoteLine[] {
  const open = lines.filter((line) => line.subjectToConfirmation);
  const rateOf = new Map(rates.map((rate) => [keyOf(rate), paiseFrom(rate.yearly)]));
  if (rates.length !== open.length || open.some((line) => !rateOf.has(keyOf(line)))) {
    throw invalidField("rates", "Please give one rate for each device that is subject to confirmation.");
  }
  return lines.map((line) => {
    if (!line.subjectToConfirmation) return line;
    const ratePaise = rateOf.get(keyOf(line)) ?? line.ratePaise;
    const amountPaise = amountIn(term, { quantity: line.number, ratePaise });
    return { ...line, ratePaise, amountPaise, subjectToConfirmation: false };
  });
}

/** For the audit: the total, and the rates of the lines that were subject to confirmation. */
function summaryOf(lines: QuoteLine[], totalPaise: number, before: QuoteLine[] = lines) {
  const rates = lines
    .filter((_line, index) => before[index]?.subjectToConfirmation)
    .map(({ deviceType, ratePaise }) => ({ deviceType, ratePaise }));
  return { totalPaise, rates };
}
