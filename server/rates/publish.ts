import { eq } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { startOfDayInIndia } from "../../contract/india-time.ts";
import { limits } from "../../contract/limits.ts";
import type { RateCardContent } from "../../contract/rates.ts";
import type { Actor, Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { whoIs } from "../audit/who-is.ts";
import type { Transaction } from "../database/database.ts";
import { type CardContent, rateCardDrafts, rateCards } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import { paperDate } from "../outside/documents/paper.ts";
import type { Services } from "../services.ts";
import { changesBetween } from "./card-changes.ts";
import { presentContent, readContent } from "./card-on-the-wire.ts";
import { findDraft } from "./find-rates.ts";
import { latestRateCard, lockRates, type RateCardRow } from "./rate-card.ts";

/** The id of what was edited: a draft, or the latest card if there was no draft. */
interface Edited {
  id: string;
}

/**
 * Stores the edited content as the draft, and returns the draft's new id. Nothing changes for customers.
 * @throws Failure conflict if somebody else saved or published meanwhile; invalid
 */
export async function saveDraft(
  services: Services,
  { actor }: Scope<"any">,
  { id, content }: Edited & { content: RateCardContent },
): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const latest = await lockEdited(transaction, id);
    const kept = readContent(content, latest);
    const draftId = await keepDraft(services, transaction, actor, kept);
    await audit(transaction, actor.personId, "save rate card draft", `rate card:${latest.id}`, {
      changes: changesBetween(latest, kept),
    });
    return draftId;
  });
}

/** @throws Failure conflict if the draft was replaced or is gone */
export async function discardDraft(services: Services, { actor }: Scope<"any">, { id }: Edited): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const latest = await lockEdited(transaction, id);
    const [draft] = await transaction.delete(rateCardDrafts).returning();
    if (!draft) throw new Failure("conflict", "There is no draft to discard.");
    await audit(transaction, actor.personId, "discard rate card draft", `rate card:${latest.id}`, {
      changes: changesBetween(latest, draft.content),
    });
  });
}

/**
 * Puts the draft in force, at once or from the start of a day in India; quotes made under earlier cards keep their
 * prices. Cards come into force in the order of publication, so that each is a change of the one before it. Returns a
 * sentence for the page.
 * @throws Failure conflict or invalid
 */
export async function publishDraft(
  services: Services,
  { actor }: Scope<"any">,
  { id, from }: Edited & { from: string | null },
): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const latest = await lockEdited(transaction, id);
    const draft = await findDraft(transaction);
    if (!draft) throw new Failure("conflict", "There is no draft to publish. Please save one first.");
    const inForceFrom = startOfCard(services.now(), from, latest);
    // The card on which the draft was based may have been withdrawn since.
    const content = readContent(presentContent(draft.content), latest);
    const changes = changesBetween(latest, content);
    const createdAt = services.now();
    const [made] = await transaction
      .insert(rateCards)
      .values({ ...content, changes, isSample: false, inForceFrom, createdAt, createdBy: actor.personId })
      .returning({ id: rateCards.id, serial: rateCards.serial });
    await transaction.delete(rateCardDrafts);
    const detail = { replaces: latest.id, inForceFrom, changes };
    await audit(transaction, actor.personId, "publish rate card", `rate card:${made?.id}`, detail);
    return from === null
      ? `Card ${made?.serial} is in force.`
      : `Card ${made?.serial} comes into force on ${paperDate(inForceFrom)}.`;
  });
}

/**
 * Withdraws the last card before it comes into force. It becomes the draft if there is none.
 * @throws Failure not_found or conflict
 */
export async function withdrawCard(services: Services, { actor }: Scope<"any">, cardId: string): Promise<string> {
  return services.database.transaction(async (transaction) => {
    await lockRates(transaction);
    const [card] = await transaction.select().from(rateCards).where(eq(rateCards.id, cardId));
    if (!card) throw notFound("This rate card");
    const name = `Card ${card.serial}`;
    if (card.withdrawnAt) throw new Failure("conflict", `${name} has been withdrawn already.`);
    const now = services.now();
    if (card.inForceFrom <= now) throw new Failure("conflict", `${name} is in force, or was: publish another one.`);
    const latest = await latestRateCard(transaction);
    if (latest.id !== card.id)
      throw new Failure("conflict", `Card ${latest.serial} builds on it. Please withdraw that one first.`);
    const withdrawal = { withdrawnAt: now, withdrawnBy: actor.personId };
    await transaction.update(rateCards).set(withdrawal).where(eq(rateCards.id, cardId));
    if (!(await findDraft(transaction))) await keepDraft(services, transaction, actor, contentOf(card));
    await audit(transaction, actor.personId, "withdraw rate card", `rate card:${cardId}`, { changes: card.changes });
    return `${name} is withdrawn.`;
  });
}

const contentOf = ({ rates, tiers, gstBasisPoints, quoteValidDays }: RateCardRow): CardContent => ({
  rates,
  tiers,
  gstBasisPoints,
  quoteValidDays,
});

/** A new row each time, so that somebody who still edits the old draft is told. */
async function keepDraft(services: Services, transaction: Transaction, actor: Actor, content: CardContent) {
  await transaction.delete(rateCardDrafts);
  const [draft] = await transaction
    .insert(rateCardDrafts)
    .values({ content, savedAt: services.now(), savedBy: actor.personId })
    .returning({ id: rateCardDrafts.id });
  return draft?.id ?? "";
}

/**
 * Serialises changes, and returns the latest card.
 * @throws Failure conflict unless the edited version is still the newest
 */
async function lockEdited(transaction: Transaction, editedId: string): Promise<RateCardRow> {
  await lockRates(transaction);
  const latest = await latestRateCard(transaction);
  const draft = await findDraft(transaction);
  if (editedId === (draft?.id ?? latest.id)) return latest;
  if (draft) throw new Failure("conflict", `${draft.savedBy} has saved the draft meanwhile.`);
  throw new Failure("conflict", await whatHappenedTo(transaction, latest, editedId));
}

async function whatHappenedTo(transaction: Transaction, latest: RateCardRow, editedId: string): Promise<string> {
  const [edited] = await transaction.select().from(rateCards).where(eq(rateCards.id, editedId));
  const wasCard = edited && !edited.withdrawnAt;
  return wasCard
    ? `${await whoIs(transaction, latest.createdBy)} has published card ${latest.serial} meanwhile.`
    : `The draft is gone: somebody has discarded or published it meanwhile. The latest is card ${latest.serial}.`;
}

/** @throws Failure invalid */
function startOfCard(now: Date, from: string | null, latest: RateCardRow): Date {
  const [year = 0, month = 0, day = 0] = (from ?? "").split("-").map(Number);
  const start = from === null ? now : startOfDayInIndia(year, month - 1, day);
  const furthest = later(now, { days: limits.rateCardDaysAheadMax });
  if (start < now) throw invalidDay("This day has begun already. Please choose a later one, or publish at once.");
  if (start > furthest) throw invalidDay("Please choose a day within a year.");
  if (start <= latest.inForceFrom && latest.inForceFrom > now)
    throw invalidDay(
      `Card ${latest.serial} comes into force on ${paperDate(latest.inForceFrom)}. Please choose a later day, or withdraw that card first.`,
    );
  return start;
}

const invalidDay = (sentence: string) => invalidField("from", sentence);
