import { eq } from "drizzle-orm";
import type { Addition, NewAddition } from "../../contract/contract-operations.ts";
import type { AdditionPrice } from "../../contract/contracts.ts";
import { customService } from "../../contract/devices.ts";
import { endOfDayInIndia, startOfWrittenDay } from "../../contract/india-time.ts";
import { limits } from "../../contract/limits.ts";
import { rupees } from "../../contract/money.ts";
import { contractNumber, quoteNumber } from "../../contract/numbers.ts";
import { contractYear, daysAfter, daysFrom, priceOfDays } from "../../contract/proration.ts";
import type { SelectedDevice } from "../../contract/quotes.ts";
import { findAnswering } from "../accounts/queries.ts";
import { areaOf, mainRoles } from "../../contract/roles.ts";
import { type Totals, totalsOf } from "../../contract/totals.ts";
import { audit } from "../audit/audit.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import type { Database, Transaction } from "../database/database.ts";
import { orders, organisations, type QuoteLine, quotes, type QuoteTerm } from "../database/schema/index.ts";
import { Failure, invalidField } from "../failures/failure.ts";
import { refuseUnlessSame } from "../failures/sent-before.ts";
import { notify } from "../notices/notify.ts";
import { tellQuoteMade } from "../quotes/tell-quote.ts";
import { devicesOf, madeBefore, validFrom } from "../quotes/quotes.ts";
import { discountFor, priceDevice } from "../rates/pricing.ts";
import { currentRateCard, type RateCardRow } from "../rates/rate-card.ts";
import type { Services } from "../services.ts";
import { factsOf } from "./ask-for-less.ts";
import { type Contract, type ContractScope, findContract, refuseEnded, todayInIndia } from "./find-contract.ts";
import { devicesAtEnd } from "./lines.ts";

/** A quote for devices added to a contract: each line is priced for its part of the contract's year. */
export interface PricedAddition extends Totals {
  lines: QuoteLine[];
  term: QuoteTerm;
}

/** What adding devices to a contract would cost. @throws Failure not_found, conflict, invalid */
export async function priceAddition(services: Services, scope: ContractScope, asked: Addition): Promise<AdditionPrice> {
  const contract = await findContract(services.database, scope, asked.contract_id);
  const card = await currentRateCard(services);
  const priced = await additionOf(services, card, contract, asked);
  const taxFor = await openTaxFor(services, contract.organisationId);
  const { term, lines, subtotalPaise, totalPaise } = priced;
  return {
    contract_number: term.contractNumber,
    from: term.from,
    to: term.to,
    days: term.days,
    days_of_year: term.daysOfYear,
    discount_percent: term.discountBasisPoints / 100,
    lines: lines.map(({ service, deviceType, number, unit, ratePaise, amountPaise, subjectToConfirmation }) => ({
      service,
      deviceType,
      number,
      unit,
      rate: rupees(ratePaise),
      amount: rupees(amountPaise),
      subjectToConfirmation,
    })),
    taxable: rupees(subtotalPaise),
    tax: taxFor(priced),
    total: rupees(totalPaise),
    sampleRates: card.isSample,
  };
}

/**
 * Makes the quote that adds devices to a contract, for its customer; proposal and mail follow through the queue. A
 * repeated id makes no second quote.
 * @throws Failure not_found, conflict, invalid, too_many_requests
 */
export async function addDevices(
  services: Services,
  scope: ContractScope,
  asked: NewAddition,
): Promise<{ id: string; serial: number }> {
  const { actor } = scope;
  await services.limiter.consume("estimateByAccount", actor.personId);
  const contract = await findContract(services.database, scope, asked.contract_id);
  // Looked up before pricing: by now the first day may be over, or the price different.
  const before = await findEarlier(services.database, contract, asked);
  if (before) return before;
  const card = await currentRateCard(services);
  const priced = await additionOf(services, card, contract, asked);
  if (rupees(priced.totalPaise) !== asked.total_cost)
    throw new Failure("conflict", "The total has changed since it was shown. Please check it and send it again.");
  return services.database.transaction(async (transaction) => {
    const origin = {
      madeBy: areaOf(actor.role) === "user" ? null : actor.personId,
      partnerId: areaOf(actor.role) === "partner" ? actor.organisationId : null,
    };
    const made = await keepAddition(services, transaction, card, contract, priced, { id: asked.quote_id, ...origin });
    if (!made) return madeBefore(await findEarlier(transaction, contract, asked));
    await audit(transaction, actor.personId, "quote addition", `contract:${contract.id}`, {
      quote: quoteNumber(made.serial),
      totalPaise: priced.totalPaise,
    });
    if (priced.lines.some((line) => line.subjectToConfirmation)) {
      const facts = { ...factsOf(contract), quoteNumber: quoteNumber(made.serial) };
      await notify(transaction, "rates to confirm", made.id, facts, { except: actor.personId });
    }
    if (origin.madeBy) await tellQuoteMade(services, transaction, made.id, actor.personId);
    return made;
  });
}

/** Inserts the quote; undefined if its id was used before. */
export async function keepAddition(
  services: Services,
  transaction: Transaction,
  card: RateCardRow,
  contract: Contract,
  priced: PricedAddition,
  origin: { id?: string; madeBy?: string | null; partnerId?: string | null },
): Promise<{ id: string; serial: number } | undefined> {
  const now = services.now();
  const lastDay = endOfDayInIndia(startOfWrittenDay(contract.endsOn));
  const until = validFrom(now, limits.coTermQuoteDays);
  const [made] = await transaction
    .insert(quotes)
    .values({
      ...(await aboutCustomer(transaction, contract)),
      ...origin,
      ...priced,
      message: "",
      organisationId: contract.organisationId,
      contractId: contract.id,
      rateCardId: card.id,
      sampleRates: card.isSample,
      createdAt: now,
      validDays: limits.coTermQuoteDays,
      validUntil: until < lastDay ? until : lastDay,
    })
    .onConflictDoNothing({ target: quotes.id })
    .returning({ id: quotes.id, serial: quotes.serial });
  if (made) await services.jobs.add(transaction, "render-proposal", { quoteId: made.id });
  return made;
}

async function additionOf(
  services: Services,
  card: RateCardRow,
  contract: Contract,
  { selectedDevices, from }: Addition,
): Promise<PricedAddition> {
  const today = todayInIndia(services);
  refuseEnded(contract, today);
  refuseFirstDay(contract, from, today);
  const contracted = await devicesAtEnd(services.database, contract);
  const held = contracted.reduce((sum, { quantity }) => sum + quantity, 0);
  return coTermed(card, contract, selectedDevices, { from, held, kind: "add" });
}

/**
 * Prices devices for the rest of a contract's year from a rate card. Each line: the price of a year less the discount ÷
 * the days of that year × the days left including the first, rounded half up once. The discount is the card's for all
 * devices that the contract then has. Devices typed in by hand have the card's default rate until somebody confirms
 * theirs.
 * @throws Failure invalid for a device type that the card does not have
 */
export function coTermed(
  card: RateCardRow,
  { serial, startsOn, endsOn }: Pick<Contract, "serial" | "startsOn" | "endsOn">,
  devices: readonly SelectedDevice[],
  { from, held, kind }: { from: string; held: number; kind: "add" | "true up" },
): PricedAddition {
  const count = devices.reduce((total, { number }) => total + number, held);
  const discountBasisPoints = discountFor(card.tiers, count);
  const [days, daysOfYear] = [daysFrom(from, endsOn), contractYear(startsOn).days];
  const lines = devices.map((device, index) => {
    const field = `selectedDevices.${index}.deviceType`;
    // Nobody asked for these devices, so a type without a listed price is for a person to quote.
    if (kind === "true up") refuseCustom(device, field);
    const line = priceDevice(card, device, field);
    const yearly = { quantity: line.number, ratePaise: line.ratePaise, discountBasisPoints };
    return { ...line, amountPaise: priceOfDays(yearly, days, daysOfYear) };
  });
  return {
    ...totalsOf(lines, { discountBasisPoints: 0, gstBasisPoints: card.gstBasisPoints }),
    lines,
    term: { kind, contractNumber: contractNumber(serial), from, to: endsOn, days, daysOfYear, discountBasisPoints },
  };
}

/** @throws Failure invalid for a day in the past, after the contract, or too far ahead */
function refuseFirstDay({ startsOn, endsOn }: Contract, from: string, today: string): void {
  const first = startsOn > today ? startsOn : today;
  const ahead = daysAfter(first, limits.coTermStartDaysAheadMax);
  if (from >= first && from <= endsOn && from <= ahead) return;
  throw invalidField(
    "from",
    `Please choose a first day within the contract, at most ${limits.coTermStartDaysAheadMax} days ahead`,
  );
}

function refuseCustom({ service, deviceType }: SelectedDevice, field: string): void {
  if (service !== customService) return;
  throw invalidField(field, `“${deviceType}” has no listed price. Please write to us, and we quote it for you.`);
}

/**
 * The person a quote about a contract is for: its buyer if they still answer for the customer, or whoever does now.
 * @throws Failure conflict if nobody does
 */
export async function aboutCustomer(transaction: Transaction, contract: Contract) {
  const about = await aboutWhoAnswers(transaction, contract);
  if (!about) throw new Failure("conflict", "Nobody answers for this customer now: no quote can be made.");
  return about;
}

/** The same; null if nobody answers for the customer now. */
export async function aboutWhoAnswers(transaction: Transaction, { organisationId, orderId }: Contract) {
  const [bought] = await transaction
    .select({ numberOfUsers: quotes.numberOfUsers, buyerId: orders.buyerId, organizationName: organisations.name })
    .from(orders)
    .innerJoin(quotes, eq(quotes.id, orders.quoteId))
    .innerJoin(organisations, eq(organisations.id, organisationId))
    .where(eq(orders.id, orderId));
  const person = await findAnswering(
    transaction,
    organisationId,
    ({ id, role }) => id === bought?.buyerId && mainRoles.includes(role),
  );
  if (!bought || !person) return null;
  return {
    userName: `${person.firstName} ${person.lastName}`,
    userEmail: person.email,
    phoneNumber: person.phone,
    organizationName: bought.organizationName,
    numberOfUsers: bought.numberOfUsers,
  };
}

/**
 * The quote that an earlier copy of this request made.
 * @throws Failure conflict if the id was sent with other content
 */
async function findEarlier(database: Database | Transaction, contract: Contract, asked: NewAddition) {
  const [earlier] = await database.select().from(quotes).where(eq(quotes.id, asked.quote_id));
  if (!earlier) return undefined;
  if (earlier.contractId !== contract.id)
    throw new Failure("conflict", "Another quote has this id. Please reload the page and try again.");
  // Once its rates are confirmed, its total is no longer the one that was shown.
  const total = earlier.ratesConfirmedAt ? asked.total_cost : rupees(earlier.totalPaise);
  const known = { devices: devicesOf(earlier.lines), from: earlier.term?.from, total };
  refuseUnlessSame(known, { devices: asked.selectedDevices, from: asked.from, total: asked.total_cost });
  return earlier;
}
