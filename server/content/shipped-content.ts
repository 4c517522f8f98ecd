import type { Database } from "../database/database.ts";
import { ensureArticles } from "./articles.ts";
import { ensureLogSources } from "./shipped-log-sources.ts";

/** Fills log sources and articles from the shipped ones, once per database. */
export async function ensureContent(database: Database): Promise<void> {
  await ensureLogSources(database);
  await ensureArticles(database);
}
