import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { dayBefore, endOfDayInIndia, startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import type { ContactRequest } from "../../contract/leads.ts";
import { limits } from "../../contract/limits.ts";
import { rupees } from "../../contract/money.ts";
import type { Price, QuoteRequest, SelectedDevice } from "../../contract/quotes.ts";
import { areaOf } from "../../contract/roles.ts";
import { lockOwnOrganisation } from "../accounts/lock-own-organisation.ts";
import { audit } from "../audit/audit.ts";
import type { Actor } from "../access/scope.ts";
import type { Call } from "../call.ts";
import { openTaxFor, type TaxFor } from "../billing/bill-to.ts";
import { recordConsent } from "../audit/consent.ts";
import type { Database, Transaction } from "../database/database.ts";
import { type QuoteLine, quotes } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { accountFrom } from "../protection/limiter.ts";
import type { Services } from "../services.ts";
import { priceDevices, type PricedSelection } from "../rates/pricing.ts";
import { currentRateCard, type RateCardRow } from "../rates/rate-card.ts";
import { sha256 } from "./verify-acceptance.ts";

/** Prices a selection without keeping it. @throws Failure too_many_requests */
export async function priceSelection(services: Services, call: Call, devices: SelectedDevice[]): Promise<Price> {
  await services.limiter.consume("priceByAddress", call.address);
  const card = await currentRateCard(services);
  return presentPrice(priceDevices(card, devices), card.isSample, await openTaxForCaller(services, call));
}

/** As prices are shown to whoever calls: with the tax of a customer who is signed in, before it is known for all others. */
export const openTaxForCaller = (services: Services, { actor }: Call): Promise<TaxFor> =>
  actor && areaOf(actor.role) !== "user"
    ? openTaxFor(services, null, ofCustomer)
    : openTaxFor(services, actor && actor.organisationId);

/** Whoever makes an estimate for a customer reads of that one's billing details. */
const ofCustomer = "The customer’s";

export type KeptQuote = typeof quotes.$inferSelect;

/**
 * Keeps a priced quote with a snapshot of its prices; its proposal and mail follow through the queue.
 * A signed-in customer's name, e-mail, organisation and phone come from the profile, whatever the form says. The same
 * request again, with its key, answers the quote that there is.
 * @throws Failure too_many_requests
 */
export async function createQuote(services: Services, call: Call, request: QuoteRequest): Promise<KeptQuote> {
  const asker = call.actor && areaOf(call.actor.role) === "user" ? call.actor : null;
  const userEmail = asker?.email ?? request.userEmail;
  await services.limiter.consume("estimateByAddress", call.address);
  await countEstimate(services, call, userEmail);
  const card = await currentRateCard(services);
  const { selectedDevices, noticeVersion, ...form } = request;
  const requestKey = request.requestKey ? keyOfAll(call.actor, request) : null;
  return services.database.transaction(async (transaction) => {
    const requester = asker && (await lockRequester(transaction, asker));
    const made = await keepQuote(services, transaction, card, selectedDevices, { ...form, ...requester, requestKey });
    if (!made) return kept(await findEarlier(transaction, null, requestKey));
    const { id } = made;
    // Partners and administrators ask for others, who have agreed to nothing: the mail tells those where the notice is.
    if (!call.actor || requester)
      await recordConsent(services, transaction, { purpose: "estimate", quoteId: id }, noticeVersion);
    await audit(transaction, call.actor?.personId ?? null, "send estimate", `quote:${id}`);
    return made;
  });
}

/** Of who asks and all that they say: whoever knows but another's key comes by no quote of theirs. */
export const keyOfAll = (actor: Actor | null, request: QuoteRequest | ContactRequest) =>
  sha256(JSON.stringify([actor?.personId ?? null, request])).slice(0, 32);

type Asked = Omit<QuoteRequest, "selectedDevices" | "noticeVersion" | "requestKey"> &
  Partial<Pick<typeof quotes.$inferInsert, "organisationId" | "partnerId" | "madeBy" | "requestKey">>;

/** Writes a quote with a snapshot of its prices and has its proposal made; undefined where its request was kept before. */
export async function keepQuote(
  services: Services,
  transaction: Transaction,
  card: RateCardRow,
  devices: SelectedDevice[],
  asked: Asked,
): Promise<KeptQuote | undefined> {
  const now = services.now();
  const [made] = await transaction
    .insert(quotes)
    .values({
      ...asked,
      ...priceDevices(card, devices),
      rateCardId: card.id,
      sampleRates: card.isSample,
      createdAt: now,
      validDays: card.quoteValidDays,
      validUntil: validFrom(now, card.quoteValidDays),
    })
    .onConflictDoNothing(
      asked.madeBy
        ? { target: [quotes.madeBy, quotes.requestKey], where: isNotNull(quotes.madeBy) }
        : { target: quotes.requestKey, where: isNull(quotes.madeBy) },
    )
    .returning();
  if (made) await services.jobs.add(transaction, "render-proposal", { quoteId: made.id });
  return made;
}

/** The quote that this request was answered by before, if it was; `madeBy` of whoever asked for somebody else. */
export async function findEarlier(
  database: Database | Transaction,
  madeBy: string | null,
  requestKey: string | null,
): Promise<typeof quotes.$inferSelect | undefined> {
  const [earlier] = await database
    .select()
    .from(quotes)
    .where(and(madeBy ? eq(quotes.madeBy, madeBy) : isNull(quotes.madeBy), eq(quotes.requestKey, requestKey ?? "")));
  return earlier;
}

/** Of a request that was kept before. */
export function kept<Found>(earlier: Found | undefined): Found {
  if (!earlier) throw new Error("The quote of an earlier request was not found");
  return earlier;
}

/** The devices that lines were priced from, as who asked chose them. */
export const devicesOf = (lines: readonly QuoteLine[]): SelectedDevice[] =>
  lines.map(({ key, service, deviceType, number }) => ({ ...(key ?? { service, deviceType }), number }));

/** What a signed-in customer's quote says about them, who stay as they are until it is kept. @throws Failure unauthenticated */
async function lockRequester(transaction: Transaction, actor: Actor) {
  const { organisation, person } = await lockOwnOrganisation(transaction, actor);
  return {
    organisationId: actor.organisationId,
    userName: `${person.firstName} ${person.lastName}`,
    userEmail: person.email,
    organizationName: organisation?.name ?? "",
    phoneNumber: person.phone,
  };
}

/** Until when a quote is valid that is made, or whose rates are confirmed, at this instant. */
export const validFrom = (instant: Date, days: number) => endOfDayInIndia(instant, days);

/** Until when the next year of a contract can be bought that ends on this day. */
export const renewableUntil = (endsOn: string) => endOfDayInIndia(startOfWrittenDay(endsOn), limits.renewalGraceDays);

/**
 * The same of a quote that says something else from now on. That of a renewal goes by its contract, and what is added to one
 * can't be bought after its end.
 * @throws Failure conflict where that is over: nobody could buy what it says then
 */
export function validAnew({ term }: Pick<typeof quotes.$inferSelect, "term">, now: Date, days: number): Date {
  const until = validFrom(now, days);
  if (!term) return until;
  const isRenewal = term.kind === "renew";
  const last = isRenewal ? renewableUntil(dayBefore(term.from)) : endOfDayInIndia(startOfWrittenDay(term.to));
  if (last < now)
    throw new Failure(
      "conflict",
      `What goes with ${term.contractNumber} could be bought until ${paperDay(writtenDay(last))}. Please make a new quote instead.`,
    );
  return isRenewal || last < until ? last : until;
}

/** A visitor's e-mail may be anybody's: what is sent with it elsewhere does not count against whoever is signed in. */
async function countEstimate({ limiter }: Services, call: Call, userEmail: string): Promise<void> {
  await limiter.consume("estimateByAccount", call.actor?.personId ?? accountFrom(call.address, userEmail));
  if (!call.actor) await limiter.consume("estimateByMailbox", userEmail);
}

/** A price as the contract shows it: rupees and per cent. */
export function presentPrice(priced: PricedSelection, sampleRates: boolean, taxFor: TaxFor): Price {
  const { lines, subtotalPaise, discountBasisPoints, discountPaise, gstBasisPoints, gstPaise, totalPaise } = priced;
  return {
    lines: presentLines(lines),
    subtotal: rupees(subtotalPaise),
    discountPercent: discountBasisPoints / 100,
    discount: rupees(discountPaise),
    taxable: rupees(subtotalPaise - discountPaise),
    gstPercent: gstBasisPoints / 100,
    gst: rupees(gstPaise),
    total: rupees(totalPaise),
    tax: taxFor(priced),
    sampleRates,
  };
}

/** Priced lines as the contract shows them. */
export const presentLines = (lines: readonly QuoteLine[]): Price["lines"] =>
  lines.map(({ ratePaise, amountPaise, ...line }) => ({
    ...line,
    rate: rupees(ratePaise),
    amount: rupees(amountPaise),
  }));
