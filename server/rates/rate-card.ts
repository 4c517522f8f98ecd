import { desc, isNull, type SQL, sql } from "drizzle-orm";
import { readFileSync } from "node:fs";
import { limits } from "../../contract/limits.ts";
import type { Catalogue } from "../../contract/rates.ts";
import type { Database, Transaction } from "../database/database.ts";
import { type CardContent, type Rate, rateCards } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { typesOf } from "./card-on-the-wire.ts";

export type RateCardRow = typeof rateCards.$inferSelect;

/** Advisory lock: changes of the card and of its draft take turns. */
const cardLock = 72177245;

export const lockRates = (transaction: Transaction) =>
  transaction.execute(sql`select pg_advisory_xact_lock(${cardLock})`);

/** The rate card in force: of those whose time has come, the one with the latest. @throws Error before `ensureRateCard` */
export const currentRateCard = ({
  database,
  now,
}: Pick<Services, "now"> & { database: Database | Transaction }): Promise<RateCardRow> =>
  // Where none is in force yet, as a clock that was behind may have it, one that is to come is better than none.
  lastCard(database, sql`${rateCards.inForceFrom} > ${now().toISOString()}`);

/** What the next card starts from: the last one published, in force or coming. */
export const latestRateCard = (database: Database | Transaction): Promise<RateCardRow> => lastCard(database);

/** Of the cards that were not withdrawn the one with the latest time, of those that come first by `order`. */
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

/** What can be estimated now, in the order of the card. */
export async function catalogueInForce(services: Pick<Services, "database" | "now">): Promise<Catalogue> {
  const offered = typesOf(await currentRateCard(services)).filter(({ retired }) => !retired);
  return {
    groups: [...Map.groupBy(offered, (rate) => rate.group)].map(([name, types]) => ({ name, types })),
  };
}

/** Puts the shipped sample card in force where there is none; several copies starting at once make one. */
export async function ensureRateCard(database: Database, now: () => Date): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockRates(transaction);
    if ((await transaction.$count(rateCards)) > 0) return;
    await transaction
      .insert(rateCards)
      .values({ ...sampleCard(), isSample: true, inForceFrom: now(), createdAt: now() });
  });
}

/** What a new database is filled with. */
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

/** The shipped file gives rupees a month; a card holds paise a year. */
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
