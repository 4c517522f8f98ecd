import type { Database } from "../database/database.ts";
import { ensureArticles } from "./articles.ts";
import { ensureLogSources } from "./shipped-log-sources.ts";

/** Puts the shipped log sources and articles into the database, where this version of them is not there yet. */
export async function ensureContent(database: Database): Promise<void> {
  await ensureLogSources(database);
  await ensureArticles(database);
}
