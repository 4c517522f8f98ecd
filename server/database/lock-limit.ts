import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";

/**
 * The same database, in whose transactions no statement waits longer for a lock than this: whoever holds it may have
 * stopped for good. It then fails as an outage does. By a statement, as pools between us and PostgreSQL refuse parameters
 * of a connection that they don't know.
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
