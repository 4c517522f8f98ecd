import { eq, sql } from "drizzle-orm";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Database } from "../database/database.ts";
import { logSources, seedings } from "../database/schema/index.ts";

/** Fills the catalogue from the shipped list, once for each version of it. Several copies starting at once take turns. */
export async function ensureLogSources(database: Database): Promise<void> {
  const file = readFileSync(new URL("./log-sources.csv", import.meta.url), "utf8");
  const name = `log-sources:${createHash("sha256").update(file).digest("base64url").slice(0, 22)}`;
  const isFilled = eq(seedings.name, name);
  if ((await database.$count(seedings, isFilled)) > 0) return;
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(72177248)`);
    if ((await transaction.$count(seedings, isFilled)) > 0) return;
    await transaction
      .insert(logSources)
      .values(readLogSources(file))
      .onConflictDoUpdate({
        target: logSources.label,
        set: { product: sql`excluded.product`, category: sql`excluded.category`, format: sql`excluded.format` },
      });
    await transaction.insert(seedings).values({ name });
  });
}

/** Product, Category, label and Format, a line each; a field with a comma stands in quotes. @throws Error for another head. */
export function readLogSources(file: string): (typeof logSources.$inferInsert)[] {
  const [head, ...rows] = file.trim().split(/\r?\n/);
  if (head !== "Product,Category,label,Format") throw new Error("The list of log sources has other columns");
  return rows.map((row) => {
    const fields = [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)];
    const [product = "", category = "", label = "", format = ""] = fields.map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
    );
    return { product, category, label, format };
  });
}
