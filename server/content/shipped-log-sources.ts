import { like } from "drizzle-orm";
import { readFileSync } from "node:fs";
import type { Database } from "../database/database.ts";
import { logSources, seedings } from "../database/schema/index.ts";
import { lockCatalogue } from "./edit-log-sources.ts";
import { readLogSourceFile } from "./log-source-file.ts";

/**
 * Fills the catalogue from the shipped list, once: from then on administrators maintain it. Instances that start at
 * once take turns.
 */
export async function ensureLogSources(database: Database): Promise<void> {
  const isFilled = like(seedings.name, "log-sources:%");
  if ((await database.$count(seedings, isFilled)) > 0) return;
  await database.transaction(async (transaction) => {
    await lockCatalogue(transaction);
    if ((await transaction.$count(seedings, isFilled)) > 0) return;
    await transaction.insert(logSources).values(readShippedLogSources()).onConflictDoNothing();
    await transaction.insert(seedings).values({ name: "log-sources:shipped" });
  });
}

/** @throws Error when a line of the shipped list is invalid */
function readShippedLogSources(): (typeof logSources.$inferInsert)[] {
  const { rows, errors } = readLogSourceFile(readFileSync(new URL("./log-sources.csv", import.meta.url)));
  if (errors[0]) throw new Error(`The list of log sources is wrong in line ${errors[0].line}: ${errors[0].error}`);
  return rows;
}
