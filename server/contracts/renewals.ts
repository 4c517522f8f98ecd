import { and, asc, between, desc, eq, gt, lt, sql } from "drizzle-orm";
import { startOfWrittenDay } from "../../contract/india-time.ts";
import { limits } from "../../contract/limits.ts";
import { paiseFrom } from "../../contract/money.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { daysAfter, daysFrom } from "../../contract/proration.ts";
import { audit } from "../audit/audit.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import type { Transaction } from "../database/database.ts";
import { contracts, orders, quoteRevisions, quotes } from "../database/schema/index.ts";
import { doEachOfRun, pageOfJob } from "../jobs/do-each.ts";
import { notify } from "../notices/notify.ts";
import { termsOf } from "../quotes/proposal.ts";
import { acceptedByItselfOn, isRenewalChoiceOpen, renewableUntil } from "../quotes/quotes.ts";
import { keepRevision } from "../quotes/staff-quotes.ts";
import { hashOfTerms } from "../quotes/verify-acceptance.ts";
import { currentRateCard, type RateCardRow } from "../rates/rate-card.ts";
import type { Services } from "../services.ts";
import { aboutCustomer, aboutWhoAnswers } from "./add-devices.ts";
import { factsOf } from "./ask-for-less.ts";
import { type Contract, todayInIndia } from "./find-contract.ts";
import { mailRenewal } from "./mail-renewal.ts";
import { renewalOffer, sameDevices } from "./renewal-offer.ts";

type Quote = typeof quotes.$inferSelect;

/**
 * Makes, revises and announces the quotes for the next year of contracts that end soon, and accepts those that somebody
 * chose to accept automatically. What to do follows from the rows and the date alone: a run that is repeated, late or
 * follows days of downtime ends with the same result.
 */
export async function renewContracts(services: Services, after?: string): Promise<void> {
  const card = await currentRateCard(services);
  const left = await doEachOfRun<{ id: string }>(
    services,
    "a contract could not be renewed",
    (last) => findDue(services, last?.id ?? after),
    ({ id }) => services.database.transaction((transaction) => renewContract(services, transaction, card, id)),
  );
  if (left)
    await services.database.transaction((transaction) =>
      services.jobs.add(transaction, "renew-contracts", { after: left.id }),
    );
}

/** Contracts that end within the first stage, or ended so recently that their quote can still be bought. */
const findDue = (services: Services, after: string | undefined) =>
  services.database
    .select({ id: contracts.id })
    .from(contracts)
    .where(
      and(
        between(
          contracts.endsOn,
          daysAfter(todayInIndia(services), -limits.renewalGraceDays),
          daysAfter(todayInIndia(services), limits.renewalStages[0]),
        ),
        after === undefined ? undefined : gt(contracts.id, after),
      ),
    )
    .orderBy(asc(contracts.id))
    .limit(pageOfJob);

/** The last stage reached, as days before the end: 60, 30 or 7. */
export function stageOn(today: string, endsOn: string): number {
  const left = daysFrom(today, endsOn) - 1;
  return Math.min(...limits.renewalStages.filter((stage) => left <= stage));
}

async function renewContract(services: Services, transaction: Transaction, card: RateCardRow, id: string) {
  // Locks the quote before its contract, the order in which buying it locks them.
  await findQuote(transaction, id);
  const [contract] = await transaction.select().from(contracts).where(eq(contracts.id, id)).for("update");
  if (!contract || (await isRenewed(transaction, id))) return;
  const stage = stageOn(todayInIndia(services), contract.endsOn);
  const isNews = contract.renewalStage === null || stage < contract.renewalStage;
  const before = await findQuote(transaction, id);
  const offer = await renewalOffer(transaction, card, contract);
  if (offer.lines.length === 0) return endQuote(services, transaction, contract, before);
  let told = before === undefined;
  if (!before) await makeQuote(services, transaction, card, contract, offer);
  else if (await mayRevise(transaction, before)) {
    // From the day on which the choice is carried out, the price stays what was shown while it could be taken back.
    const otherPrices = isNews && !chosenBy(services, contract) && before.totalPaise !== offer.totalPaise;
    // A quote that was ended because the contract held nothing is offered again.
    const isOver = before.validUntil < services.now();
    if (otherPrices || isOver || !sameDevices(before.lines, offer.lines)) {
      await reviseRenewal(services, transaction, card, contract, before, offer);
      told = true;
    }
  }
  const quote = await findQuote(transaction, id);
  if (!quote) throw new Error(`Contract ${id} has no renewal`);
  const chosen = await choiceToCarryOut(services, transaction, contract, quote);
  // The mail of the acceptance is enough: a reminder beside it would say that nothing renews by itself.
  if (isNews) await tellStage(services, transaction, contract, quote, { stage, told: told || chosen !== null });
  else if (told) await tellRevision(services, transaction, contract, quote);
  if (chosen) await acceptByChoice(services, transaction, contract, quote, chosen);
}

const isRenewed = async (transaction: Transaction, id: string) =>
  (await transaction.$count(contracts, eq(contracts.renews, id))) > 0;

/** The quote that renews a contract, locked. Quotes that add to the contract are not locked here. */
async function findQuote(transaction: Transaction, contractId: string): Promise<Quote | undefined> {
  const [renewal] = await transaction
    .select()
    .from(quotes)
    .where(and(eq(quotes.contractId, contractId), sql`${quotes.term}->>'kind' = 'renew'`))
    .for("update");
  return renewal;
}

type Offer = Awaited<ReturnType<typeof renewalOffer>>;

async function makeQuote(
  services: Services,
  transaction: Transaction,
  card: RateCardRow,
  contract: Contract,
  offer: Offer,
): Promise<void> {
  const [made] = await transaction
    .insert(quotes)
    .values({
      ...(await aboutCustomer(transaction, contract)),
      ...offer,
      message: "",
      organisationId: contract.organisationId,
      contractId: contract.id,
      ...dated(services, card, contract),
      createdAt: services.now(),
    })
    .returning({ id: quotes.id, serial: quotes.serial });
  if (!made) throw new Error("The renewal was not made");
  await services.jobs.add(transaction, "render-proposal", { quoteId: made.id });
  await audit(transaction, null, "quote renewal", `contract:${contract.id}`, { quote: quoteNumber(made.serial) });
}

/** Can be bought until the end of the days of grace after the contract. */
const dated = ({ now }: Services, card: RateCardRow, { endsOn }: Contract) => ({
  rateCardId: card.id,
  sampleRates: card.isSample,
  validUntil: renewableUntil(endsOn),
  validDays: Math.max(1, daysFrom(todayInIndia({ now }), daysAfter(endsOn, limits.renewalGraceDays))),
});

/** A quote that somebody has decided on, edited or begun to pay is not revised. */
async function mayRevise(transaction: Transaction, { id, decision, madeBy, ownDiscount, revisedAt, note }: Quote) {
  if (decision !== null || madeBy !== null || ownDiscount || (revisedAt !== null && note !== "")) return false;
  return (await transaction.$count(orders, eq(orders.quoteId, id))) === 0;
}

/** Ends the quote of a contract that holds nothing: there is nothing to renew. */
async function endQuote(
  services: Services,
  transaction: Transaction,
  contract: Contract,
  quote: Quote | undefined,
): Promise<void> {
  const now = services.now();
  if (!quote || quote.validUntil < now || !(await mayRevise(transaction, quote))) return;
  const validUntil = new Date(now.getTime() - 1);
  await transaction.update(quotes).set({ validUntil }).where(eq(quotes.id, quote.id));
  await audit(transaction, null, "end renewal", `contract:${contract.id}`, {
    quote: quoteNumber(quote.serial),
    before: { validUntil: quote.validUntil },
    after: { validUntil },
  });
}

async function reviseRenewal(
  services: Services,
  transaction: Transaction,
  card: RateCardRow,
  contract: Contract,
  before: Quote,
  offer: Offer,
): Promise<void> {
  const now = services.now();
  await keepRevision(transaction, before, now);
  await transaction
    .update(quotes)
    .set({
      // The person it was for may have left since.
      ...(await aboutWhoAnswers(transaction, contract)),
      ...offer,
      ...dated(services, card, contract),
      revision: before.revision + 1,
      revisedAt: now,
      proposalFile: null,
    })
    .where(eq(quotes.id, before.id));
  await services.jobs.add(transaction, "render-proposal", { quoteId: before.id });
  await audit(transaction, null, "revise renewal", `contract:${contract.id}`, {
    quote: quoteNumber(before.serial),
    before: { totalPaise: before.totalPaise },
    after: { totalPaise: offer.totalPaise },
  });
}

/** Announces each stage once: by notice, and by mail unless the proposal's own mail says the same now. */
async function tellStage(
  services: Services,
  transaction: Transaction,
  contract: Contract,
  quote: Quote,
  { stage, told }: { stage: number; told: boolean },
): Promise<void> {
  await transaction.update(contracts).set({ renewalStage: stage }).where(eq(contracts.id, contract.id));
  if (quote.decision !== null) return;
  const { organisationId } = contract;
  const facts = await factsOfRenewal(services, transaction, contract, quote);
  await notify(transaction, "renewal due", `${contract.id}:${stage}`, facts, { organisationId });
  if (!told) await mailRenewal(services, transaction, contract, quote, { about: "due", stage });
}

/**
 * Announces a revision between stages. The proposal has a mail of its own, but that can be turned off and goes to one
 * person.
 */
async function tellRevision(services: Services, transaction: Transaction, contract: Contract, quote: Quote) {
  const facts = await factsOfRenewal(services, transaction, contract, quote);
  const { organisationId } = contract;
  await notify(transaction, "renewal due", `${contract.id}:revision ${quote.revision}`, facts, { organisationId });
}

/** Facts of a notice, with the total that the customer pays. */
async function factsOfRenewal({ now }: Services, transaction: Transaction, contract: Contract, quote: Quote) {
  const taxFor = await openTaxFor({ database: transaction, now }, contract.organisationId);
  const { total, taxes } = taxFor(quote);
  return {
    ...factsOf(contract),
    quoteNumber: quoteNumber(quote.serial),
    totalPaise: paiseFrom(total),
    isTaxed: taxes.length > 0,
  };
}

/**
 * Who chose the automatic renewal and when, from the day on which it is carried out and can no longer be taken back;
 * null before that day or without a choice.
 */
function chosenBy(services: Services, contract: Contract) {
  const { renewalChosenBy: by, renewalChosenAt: at } = contract;
  return by && at && !isRenewalChoiceOpen(services, contract.endsOn) ? { by, at } : null;
}

/** Whether the customer was told of this total, or a higher one, before the day on which the choice is carried out. */
async function wasTold(transaction: Transaction, contract: Contract, quote: Quote): Promise<boolean> {
  const since = startOfWrittenDay(acceptedByItselfOn(contract.endsOn));
  if ((quote.revisedAt ?? quote.createdAt) < since) return true;
  const [told] = await transaction
    .select({ totalPaise: quoteRevisions.totalPaise })
    .from(quoteRevisions)
    .where(and(eq(quoteRevisions.quoteId, quote.id), lt(quoteRevisions.madeAt, since)))
    .orderBy(desc(quoteRevisions.revision))
    .limit(1);
  return told !== undefined && quote.totalPaise <= told.totalPaise;
}

/**
 * The choice, if the quote is to be accepted by it now. A total higher than announced waits for a person, as nobody
 * could decline it afterwards.
 */
async function choiceToCarryOut(
  services: Services,
  transaction: Transaction,
  contract: Contract,
  quote: Quote,
): Promise<ReturnType<typeof chosenBy>> {
  const chosen = chosenBy(services, contract);
  if (!chosen || quote.decision !== null || quote.ratesToConfirm || quote.validUntil < services.now()) return null;
  return (await wasTold(transaction, contract, quote)) ? chosen : null;
}

/** Accepts the quote on behalf of the person who chose it; a person pays it, nothing is charged. */
async function acceptByChoice(
  services: Services,
  transaction: Transaction,
  contract: Contract,
  quote: Quote,
  chosen: NonNullable<ReturnType<typeof chosenBy>>,
): Promise<void> {
  await transaction.update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
  // Nobody confirms this by a code: the earlier choice stands in for it (decision 99).
  await audit(transaction, chosen.by, "renew by choice", `contract:${contract.id}`, {
    quote: quoteNumber(quote.serial),
    revision: quote.revision,
    termsHash: hashOfTerms(termsOf(quote)),
    chosenAt: chosen.at.toISOString(),
  });
  const facts = await factsOfRenewal(services, transaction, contract, quote);
  await notify(transaction, "renewal accepted", quote.id, facts, { organisationId: contract.organisationId });
  await mailRenewal(services, transaction, contract, quote, { about: "accepted" });
}
