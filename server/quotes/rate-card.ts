import { desc, sql } from "drizzle-orm";
import { readFileSync } from "node:fs";
import type { Database, Transaction } from "../database/database.ts";
import { rateCards } from "../database/schema/index.ts";
import type { RateCard } from "./pricing.ts";

const sampleTiers = [
  { fromDevices: 50, discountBasisPoints: 500 },
  { fromDevices: 100, discountBasisPoints: 800 },
  { fromDevices: 250, discountBasisPoints: 1200 },
  { fromDevices: 500, discountBasisPoints: 1500 },
];

/** The rate card in force: the newest. @throws Error before `ensureRateCard` */
export async function currentRateCard(database: Database): Promise<RateCard> {
  const [card] = await database.select().from(rateCards).orderBy(desc(rateCards.id)).limit(1);
  if (!card) throw new Error("There is no rate card");
  return card;
}

/** Puts the shipped sample card in force where there is none; several copies starting at once make one. */
export async function ensureRateCard(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(72177245)`);
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
