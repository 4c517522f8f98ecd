import { asc, count, countDistinct, inArray, type SQL, sql } from "drizzle-orm";
import type { LogCount, LogQuery, LogSource } from "../../contract/content.ts";
import type { Database } from "../database/database.ts";
import { logSources } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

type Reading = Pick<Services, "database">;

/** One page of the public catalogue, by product. */
export async function listLogSources({ database }: Reading, query: LogQuery): Promise<LogSource[]> {
  const { id, product, category, label, format } = logSources;
  return database
    .select({ id, Product: product, Category: category, label, Format: format })
    .from(logSources)
    .where(inCategories(query.categories))
    .orderBy(asc(product), asc(id))
    .limit(query.limit)
    .offset(query.startingNode);
}

/** Condition: offered, and in one of these categories; an empty list stands for all. */
export function inCategories(categories: string[]): SQL {
  const offered = sql`not ${logSources.retired}`;
  return categories.length > 0 ? sql`${offered} and ${inArray(logSources.category, categories)}` : offered;
}

export async function countLogSources({ database }: Reading): Promise<LogCount> {
  const [found] = await database
    .select({ sources: count(), categories: countDistinct(logSources.category) })
    .from(logSources)
    .where(inCategories([]));
  return found ?? { sources: 0, categories: 0 };
}

export async function listCategories({ database }: { database: Database }): Promise<string[]> {
  const { category } = logSources;
  const rows = await database.selectDistinct({ category }).from(logSources).where(inCategories([]));
  // Sorted here, as databases differ in how they order capitals.
  return rows.map((row) => row.category).toSorted((one, other) => one.localeCompare(other, "en"));
}
