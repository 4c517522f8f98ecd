import { drizzle } from "drizzle-orm/node-postgres";
import type { PoolClient } from "pg";
import { type Database, drizzleConfig, openDatabase } from "./database.ts";
import type { CheckedPool } from "./pool.ts";
import type { DatabaseWatch } from "./watch.ts";

/** Reads that look through much: on few connections of their own, each statement within five seconds. */
export interface HeavyReads {
  /** The database for one caller: when the signal says that they have left, what they asked for ends. */
  until(signal: AbortSignal): Database;
  close(graceMs: number): Promise<void>;
}

/** At most so many statements at once; the gate in front lets in half as many callers. */
export const heavyConnections = 4;
const statementMs = 5000;

export function openHeavyReads(connectionString: string, database: Database, watch: DatabaseWatch): HeavyReads {
  // A caller asks several things at once, so some of it waits for the rest.
  const heavy = openDatabase(connectionString, { max: heavyConnections, watch, statementMs, waitMs: 2 * statementMs });
  const cancel = async (client: PoolClient) => {
    // pg knows it from the server's greeting; its types don't.
    const { processID } = client as PoolClient & { processID: number | null };
    await database.$client.query("select pg_cancel_backend($1)", [processID]);
  };
  return {
    until(signal) {
      const pool = lendUntil(heavy.$client, signal, cancel);
      return Object.assign(drizzle(pool, drizzleConfig), { $client: pool, transaction: heavy.transaction });
    },
    close: (graceMs) => heavy.$client.close(graceMs),
  };
}

/** The same pool, whose connections are lent until the signal: then their statements are cancelled. */
function lendUntil(pool: CheckedPool, signal: AbortSignal, cancel: (client: PoolClient) => Promise<void>): CheckedPool {
  const lend = async () => {
    signal.throwIfAborted();
    const client = await pool.connect();
    const release = client.release.bind(client);
    // Whoever has to wait for the database to answer here finds the statement ended by its time limit.
    const leave = () => void cancel(client).catch(() => {});
    client.release = (error) => {
      signal.removeEventListener("abort", leave);
      // A cancellation may still be on its way to this connection: it must not meet the next one's statement.
      release(signal.aborted ? true : error);
    };
    signal.addEventListener("abort", leave);
    if (!signal.aborted) return client;
    client.release();
    throw signal.reason;
  };
  const lent = Object.create(pool) as CheckedPool;
  const connect = (handOver?: Parameters<CheckedPool["connect"]>[0]): Promise<PoolClient> | void => {
    const client = lend();
    if (!handOver) return client;
    client.then(
      (one) => handOver(undefined, one, (error) => one.release(error ? true : undefined)),
      (error: Error) => handOver(error, undefined, () => {}),
    );
  };
  lent.connect = connect as CheckedPool["connect"];
  return lent;
}
