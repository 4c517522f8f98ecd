import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";

/**
 * The same database, but in its transactions no statement waits longer than this for a lock, whose holder may hang for
 * good; it then fails like an outage. Set by a statement: poolers refuse connection parameters that they don't know.
 */
export function withLockLimit(database: Database, milliseconds: number): Database {
  const limit = sql.raw(`set local lock_timeout = ${milliseconds}`);
  const transaction: Database["transaction"] = (work, config) =>
    database.transaction(async (begun) => {
      await begun.execute(limit);
      return work(begun);
    }, config);
  return Object.create(database, { transaction: { value: transaction } }) as Database;
}
