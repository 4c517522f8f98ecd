import { desc, isNull, type SQL, sql } from "drizzle-orm";
import { readFileSync } from "node:fs";
import { limits } from "../../contract/limits.ts";
import type { Catalogue } from "../../contract/rates.ts";
import type { Database, Transaction } from "../database/database.ts";
import { type CardContent, type Rate, rateCards } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { typesOf } from "./card-on-the-wire.ts";

export type RateCardRow = typeof rateCards.$inferSelect;

/** Advisory lock that serialises changes of the card and its draft. */
const cardLock = 72177245;

export const lockRates = (transaction: Transaction) =>
  transaction.execute(sql`select pg_advisory_xact_lock(${cardLock})`);

/** The rate card in force: the latest one whose time has come. @throws Error before `ensureRateCard` */
export const currentRateCard = ({
  database,
  now,
}: Pick<Services, "now"> & { database: Database | Transaction }): Promise<RateCardRow> =>
  // If none is in force yet, for example because a clock ran behind, a future card is better than none.
  lastCard(database, sql`${rateCards.inForceFrom} > ${now().toISOString()}`);

/** The starting point for the next card: the last one published, in force or not yet. */
export const latestRateCard = (database: Database | Transaction): Promise<RateCardRow> => lastCard(database);

/** The card that was not withdrawn and comes into force last, among those that `order` puts first. */
async function lastCard(database: Database | Transaction, ...order: SQL[]): Promise<RateCardRow> {
  const [card] = await database
    .select()
    .from(rateCards)
    .where(isNull(rateCards.withdrawnAt))
    .orderBy(...order, desc(rateCards.inForceFrom), desc(rateCards.id))
    .limit(1);
  if (!card) throw new Error("There is no rate card");
  return card;
}

/** The types that can be estimated now, in the card's order. */
export async function catalogueInForce(services: Pick<Services, "database" | "now">): Promise<Catalogue> {
  const offered = typesOf(await currentRateCard(services)).filter(({ retired }) => !retired);
  return {
    groups: [...Map.groupBy(offered, (rate) => rate.group)].map(([name, types]) => ({ name, types })),
  };
}

/** Puts the shipped sample card in force if there is none; several copies starting at once make only one. */
export async function ensureRateCard(database: Database, now: () => Date): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockRates(transaction);
    if ((await transaction.$count(rateCards)) > 0) return;
    await transaction
      .insert(rateCards)
      .values({ ...sampleCard(), isSample: true, inForceFrom: now(), createdAt: now() });
  });
}

/** The card of a new database. */
export const sampleCard = (): CardContent => ({
  rates: readSampleRates(),
  tiers: [
    { fromDevices: 50, discountBasisPoints: 500 },
    { fromDevices: 100, discountBasisPoints: 800 },
    { fromDevices: 250, discountBasisPoints: 1200 },
    { fromDevices: 500, discountBasisPoints: 1500 },
  ],
  gstBasisPoints: limits.gstBasisPoints,
  quoteValidDays: limits.quoteValidDays,
});

/** The shipped file has rupees per month; a card holds paise per year. */
function readSampleRates(): Rate[] {
  const [, ...rows] = readFileSync(new URL("./sample-rate-card.csv", import.meta.url), "utf8")
    .trim()
    .split(/\r?\n/);
  return rows.map((row) => {
    const [service = "", deviceType = "", rupeesMonthly = "", unit = ""] = row.split(",");
    const yearlyPaise = Number(rupeesMonthly) * 12 * 100;
    return { service, deviceType, group: service, name: deviceType, unit, yearlyPaise, retired: false };
  });
}
