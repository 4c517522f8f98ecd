import { desc, sql } from "drizzle-orm";
import { readFileSync } from "node:fs";
import { paiseFrom, rupees } from "../../contract/money.ts";
import type { RateCard, RateCardUpdate } from "../../contract/quotes.ts";
import { audit } from "../audit/audit.ts";
import type { Scope } from "../access/scope.ts";
import type { Database, Transaction } from "../database/database.ts";
import { rateCards } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/** Advisory lock: changes of the card take turns. */
const cardLock = 72177245;

const sampleTiers = [
  { fromDevices: 50, discountBasisPoints: 500 },
  { fromDevices: 100, discountBasisPoints: 800 },
  { fromDevices: 250, discountBasisPoints: 1200 },
  { fromDevices: 500, discountBasisPoints: 1500 },
];

/** The rate card in force: the newest. @throws Error before `ensureRateCard` */
export async function currentRateCard(database: Database | Transaction) {
  const [card] = await database.select().from(rateCards).orderBy(desc(rateCards.id)).limit(1);
  if (!card) throw new Error("There is no rate card");
  return card;
}

/**
 * Puts a new card in force: the quotes made by the earlier ones keep their prices.
 * @throws Failure conflict when another card came into force since this one was read
 */
export async function updateRateCard(
  services: Services,
  { actor }: Scope<"any">,
  update: RateCardUpdate,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(${cardLock})`);
    const { id } = await currentRateCard(transaction);
    if (id !== update.id)
      throw new Failure(
        "conflict",
        "Somebody else has changed the rate card meanwhile. Please reload it and make your change again.",
      );
    const [made] = await transaction
      .insert(rateCards)
      .values({
        rates: update.rates.map(({ yearly, ...rate }) => ({ ...rate, yearlyPaise: paiseFrom(yearly) })),
        tiers: update.tiers.map(({ fromDevices, discountPercent }) => ({
          fromDevices,
          discountBasisPoints: Math.round(discountPercent * 100),
        })),
        isSample: update.isSample,
        createdBy: actor.personId,
      })
      .returning({ id: rateCards.id });
    await audit(transaction, actor.personId, "update rate card", `rate card:${made?.id}`, { replaces: id });
  });
}

/** A card as the contract shows it: rupees and per cent. */
export function presentRateCard(card: Awaited<ReturnType<typeof currentRateCard>>): RateCard {
  return {
    id: card.id,
    rates: card.rates.map(({ yearlyPaise, ...rate }) => ({ ...rate, yearly: rupees(yearlyPaise) })),
    tiers: card.tiers.map(({ fromDevices, discountBasisPoints }) => ({
      fromDevices,
      discountPercent: discountBasisPoints / 100,
    })),
    isSample: card.isSample,
    created_at: card.createdAt.toISOString(),
  };
}

/** Puts the shipped sample card in force where there is none; several copies starting at once make one. */
export async function ensureRateCard(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(${cardLock})`);
    if ((await transaction.$count(rateCards)) === 0) await insertSample(transaction);
  });
}

async function insertSample(transaction: Transaction): Promise<void> {
  await transaction.insert(rateCards).values({ rates: readSampleRates(), tiers: sampleTiers, isSample: true });
}

/** The shipped file gives rupees a month; a card holds paise a year. */
export function readSampleRates() {
  const [, ...rows] = readFileSync(new URL("./sample-rate-card.csv", import.meta.url), "utf8")
    .trim()
    .split(/\r?\n/);
  return rows.map((row) => {
    const [service = "", deviceType = "", rupeesMonthly = "", unit = ""] = row.split(",");
    return { service, deviceType, unit, yearlyPaise: Number(rupeesMonthly) * 12 * 100 };
  });
}
