import { desc, eq } from "drizzle-orm";
import type { RateCard, RateCardEntry, Rates } from "../../contract/rates.ts";
import type { Scope } from "../access/scope.ts";
import type { Database } from "../database/database.ts";
import { people, rateCardDrafts, rateCards } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { presentContent } from "./card-on-the-wire.ts";
import { currentRateCard, latestRateCard, type RateCardRow } from "./rate-card.ts";

const shownCards = 100;

/** The cards and the draft, for administrators. */
export async function findRates(services: Services, _scope: Scope<"any">): Promise<Rates> {
  const { database } = services;
  const [inForce, latest, draft, cards] = await Promise.all([
    currentRateCard(services),
    latestRateCard(database),
    findDraft(database),
    cardsWithPublisher(database).orderBy(desc(rateCards.serial)).limit(shownCards),
  ]);
  const present = (card: RateCardRow, publisher: Publisher) =>
    presentEntry(card, publisher, inForce.id, services.now());
  const publisherOf = (card: RateCardRow) => cards.find((each) => each.card.id === card.id)?.publisher ?? null;
  const presentWhole = (card: RateCardRow): RateCard => ({
    ...present(card, publisherOf(card)),
    content: presentContent(card),
  });
  return {
    inForce: presentWhole(inForce),
    latest: presentWhole(latest),
    draft: draft && {
      id: draft.id,
      saved_at: draft.savedAt.toISOString(),
      saved_by: draft.savedBy,
      content: presentContent(draft.content),
    },
    history: cards.map(({ card, publisher }) => present(card, publisher)),
  };
}

/** One published card, for administrators. @throws Failure not_found */
export async function findCard(services: Services, _scope: Scope<"any">, id: string): Promise<RateCard> {
  const [found] = await cardsWithPublisher(services.database).where(eq(rateCards.id, id));
  if (!found) throw notFound("This rate card");
  const inForce = await currentRateCard(services);
  return {
    ...presentEntry(found.card, found.publisher, inForce.id, services.now()),
    content: presentContent(found.card),
  };
}

/** The draft with the name of the person who saved it; null if there is none. */
export async function findDraft(database: Pick<Database, "select">) {
  const [found] = await database
    .select({ draft: rateCardDrafts, publisher: publisherColumns })
    .from(rateCardDrafts)
    .innerJoin(people, eq(people.id, rateCardDrafts.savedBy));
  return found ? { ...found.draft, savedBy: fullName(found.publisher) } : null;
}

type Publisher = { firstName: string; lastName: string } | null;
const publisherColumns = { firstName: people.firstName, lastName: people.lastName };

const cardsWithPublisher = (database: Database) =>
  database
    .select({ card: rateCards, publisher: publisherColumns })
    .from(rateCards)
    .leftJoin(people, eq(people.id, rateCards.createdBy));

function presentEntry(card: RateCardRow, publisher: Publisher, inForceId: string, now: Date): RateCardEntry {
  return {
    id: card.id,
    number: card.serial,
    state: stateOf(card, inForceId, now),
    isSample: card.isSample,
    in_force_from: card.inForceFrom.toISOString(),
    published_at: card.createdAt.toISOString(),
    published_by: publisher && fullName(publisher),
    changes: card.changes,
  };
}

function stateOf({ id, withdrawnAt, inForceFrom }: RateCardRow, inForceId: string, now: Date): RateCardEntry["state"] {
  if (withdrawnAt) return "withdrawn";
  if (id === inForceId) return "in_force";
  return inForceFrom > now ? "coming" : "past";
}

const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;
