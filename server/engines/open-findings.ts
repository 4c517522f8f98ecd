import { and, desc, eq, ne, notLike, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { engineFindings } from "../database/schema/index.ts";
import { asideMark } from "./moved-aside.ts";

/** Up to `count` ids of a binding's findings that are not closed, newest first, after the finding `behind`. */
export async function readOpenFindings(
  database: Database,
  binding: string,
  { behind, count }: { behind: string | null; count: number },
): Promise<string[]> {
  const { bindingId, externalId, at, state } = engineFindings;
  const found = await database
    .select({ id: externalId })
    .from(engineFindings)
    .where(
      and(
        eq(bindingId, binding),
        ne(state, "closed"),
        notLike(externalId, `${asideMark}%`),
        behind === null
          ? undefined
          : sql`(${at}, ${externalId}) < (select last.at, last.external_id from ${engineFindings} as last
              where last.binding_id = ${binding}::uuid and last.external_id = ${behind})`,
      ),
    )
    .orderBy(desc(at), desc(externalId))
    .limit(count);
  return found.map(({ id }) => id);
}
