import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { dayBefore, endOfDayInIndia, startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import type { ContactRequest } from "../../contract/leads.ts";
import { limits } from "../../contract/limits.ts";
import { rupees } from "../../contract/money.ts";
import { daysAfter } from "../../contract/proration.ts";
import type { Price, QuoteRequest, SelectedDevice } from "../../contract/quotes.ts";
import { areaOf } from "../../contract/roles.ts";
import { lockOwnOrganisation } from "../accounts/lock-own-organisation.ts";
import { audit } from "../audit/audit.ts";
import type { Actor } from "../access/scope.ts";
import type { Call } from "../call.ts";
import { openTaxFor, type TaxFor } from "../billing/bill-to.ts";
import { recordConsent } from "../audit/consent.ts";
import type { Database, Transaction } from "../database/database.ts";
import { type contracts, type QuoteLine, quotes } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { accountFrom } from "../protection/limiter.ts";
import { sha256Of } from "../protection/sha256-of.ts";
import type { Services } from "../services.ts";
import { priceDevices, type PricedSelection } from "../rates/pricing.ts";
import { currentRateCard, type RateCardRow } from "../rates/rate-card.ts";

/** Prices a selection without keeping it. @throws Failure too_many_requests */
export async function priceSelection(services: Services, call: Call, devices: SelectedDevice[]): Promise<Price> {
  await services.limiter.consume("priceByAddress", call.address);
  const card = await currentRateCard(services);
  return presentPrice(priceDevices(card, devices), card.isSample, await openTaxForCaller(services, call));
}

/** The tax for prices shown to the caller: a signed-in customer's own, undecided for everybody else. */
export const openTaxForCaller = (services: Services, { actor }: Call): Promise<TaxFor> =>
  actor && areaOf(actor.role) !== "user"
    ? openTaxFor(services, null, ofCustomer)
    : openTaxFor(services, actor && actor.organisationId);

/** Partners and staff who make an estimate read about the customer's billing details, not their own. */
export const ofCustomer = "The customer’s";

export type KeptQuote = typeof quotes.$inferSelect;

/**
 * Stores a priced quote with a snapshot of its prices; its proposal and mail follow through the queue. For a signed-in
 * customer the name, e-mail, organisation and phone come from the profile, not from the form. A repeated request with
 * the same key returns the existing quote.
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
    if (!made) return madeBefore(await findEarlier(transaction, null, requestKey));
    const { id } = made;
    // Partners and administrators ask on behalf of others, who have consented to nothing: the mail tells those people
    // where the notice is.
    if (!call.actor || requester)
      await recordConsent(services, transaction, { purpose: "estimate", quoteId: id }, noticeVersion);
    await audit(transaction, call.actor?.personId ?? null, "send estimate", `quote:${id}`);
    return made;
  });
}

/** A hash of the caller and the whole request: knowing somebody else's key alone does not reveal their quote. */
export const keyOfAll = (actor: Actor | null, request: QuoteRequest | ContactRequest) =>
  sha256Of(JSON.stringify([actor?.personId ?? null, request])).slice(0, 32);

type Asked = Omit<QuoteRequest, "selectedDevices" | "noticeVersion" | "requestKey"> &
  Partial<Pick<typeof quotes.$inferInsert, "organisationId" | "partnerId" | "madeBy" | "requestKey">>;

/** Writes a quote with a snapshot of its prices and queues its proposal; undefined if the request was stored before. */
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

/** The quote that an earlier call of this request made, if any; `madeBy` is set if it was for somebody else. */
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

/** The quote of a request that was sent before. @throws Error if there is none, which can not be */
export function madeBefore<Found>(earlier: Found | undefined): Found {
  if (!earlier) throw new Error("The quote of an earlier request was not found");
  return earlier;
}

/** The devices from which lines were priced, as the person asking chose them. */
export const devicesOf = (lines: readonly QuoteLine[]): SelectedDevice[] =>
  lines.map(({ key, service, deviceType, number }) => ({ ...(key ?? { service, deviceType }), number }));

/**
 * The details for a signed-in customer's quote. Locks the person and organisation until it is stored.
 * @throws Failure unauthenticated
 */
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

/** Until when a quote made, or with rates confirmed, at this instant is valid. */
export const validFrom = (instant: Date, days: number) => endOfDayInIndia(instant, days);

/** Until when a renewal can be bought for a contract that ends on this day. */
export const renewableUntil = (endsOn: string) => endOfDayInIndia(startOfWrittenDay(endsOn), limits.renewalGraceDays);

/** The day on which the renewal of a contract that ends on this day is accepted by itself, where that was chosen. */
export const acceptedByItselfOn = (endsOn: string) => daysAfter(endsOn, -limits.autoRenewalDays);

/** Whether that can still be chosen, and taken back: until that day. */
export const isRenewalChoiceOpen = ({ now }: Pick<Services, "now">, endsOn: string) =>
  writtenDay(now()) < acceptedByItselfOn(endsOn);

/** The same day for mails; empty without the choice, and once it can't be taken back any more. */
export function acceptsByItself(
  services: Pick<Services, "now">,
  { endsOn, renewalChosenAt }: Pick<typeof contracts.$inferSelect, "endsOn" | "renewalChosenAt">,
): { acceptedOn?: string } {
  return renewalChosenAt && isRenewalChoiceOpen(services, endsOn) ? { acceptedOn: acceptedByItselfOn(endsOn) } : {};
}

/**
 * The new validity of a quote that is changed. A renewal's depends on its contract, and additions can't be bought after
 * the contract's end.
 * @throws Failure conflict if that time is over, as nobody could buy the changed quote
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

/** A visitor may enter anybody's e-mail address; such estimates don't count against its owner when signed in. */
async function countEstimate({ limiter }: Services, call: Call, userEmail: string): Promise<void> {
  await limiter.consume("estimateByAccount", call.actor?.personId ?? accountFrom(call.address, userEmail));
  if (!call.actor) await limiter.consume("estimateByMailbox", userEmail);
}

/** A price in the API's form: rupees and per cent. */
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

/** Priced lines in the API's form. */
export const presentLines = (lines: readonly QuoteLine[]): Price["lines"] =>
  lines.map(({ ratePaise, amountPaise, ...line }) => ({
    ...line,
    rate: rupees(ratePaise),
    amount: rupees(amountPaise),
  }));
