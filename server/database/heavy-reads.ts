import { drizzle } from "drizzle-orm/node-postgres";
import type { PoolClient } from "pg";
import type { Logger } from "pino";
import { causesOf, isOutage } from "../failures/outage.ts";
import { cancelStatement } from "./cancel-statement.ts";
import { type Database, drizzleConfig, openDatabase, transactionsOn } from "./database.ts";
import type { CheckedPool } from "./pool.ts";
import { type Replica, watchReplica } from "./replica.ts";
import { type DatabaseWatch, isUnanswered } from "./watch.ts";

/** Expensive reads: on a few connections of their own, each statement limited to five seconds. */
export interface HeavyReads {
  /**
   * The database for one request: aborting the signal, when its caller has left, cancels its statements. "anywhere" may
   * read from the replica, if there is one; transactions may write, so they always go to the primary.
   */
  until(signal: AbortSignal, from?: "primary" | "anywhere"): Database;
  close(graceMs: number): Promise<void>;
}

/** How many statements run at once; the two gates in front together admit as many requests. */
export const heavyConnections = 4;
const statementMs = 5000;

interface Settings {
  url: string;
  /** Address of a replica; null without one. */
  readUrl: string | null;
  pooled: boolean;
  database: Database;
  watch: DatabaseWatch;
  log: Logger;
}

export function openHeavyReads({ url, readUrl, pooled, database, watch, log }: Settings): HeavyReads {
  // A request runs several statements at once, so some of them wait for the others.
  const settings = { max: heavyConnections, statementMs, waitMs: 2 * statementMs, pooled };
  const primary = openDatabase(url, { ...settings, watch });
  const replica = readUrl
    ? {
        ...watchReplica(readUrl, database, log, pooled),
        // A statement that waits longer goes to the primary.
        pool: openDatabase(readUrl, { ...settings, waitMs: 1000 }).$client,
      }
    : null;
  return {
    until(signal, from = "primary") {
      const here = lendUntil(primary.$client, signal);
      const pool =
        replica && from === "anywhere" ? readAnywhere(here, lendUntil(replica.pool, signal), replica, signal) : here;
      return Object.assign(drizzle(pool, drizzleConfig), { $client: pool, transaction: transactionsOn(here) });
    },
    async close(graceMs) {
      await Promise.all([primary.$client.close(graceMs), replica?.pool.close(graceMs), replica?.stop()]);
    },
  };
}

/** Asks the replica while it is usable, and `here` whatever it fails to answer. */
function readAnywhere(here: CheckedPool, there: CheckedPool, replica: Replica, signal: AbortSignal): CheckedPool {
  const askHere = here.query.bind(here) as (...given: unknown[]) => Promise<unknown>;
  const askThere = there.query.bind(there) as typeof askHere;
  const query = async (...given: unknown[]) => {
    if (!replica.isUsable()) return askHere(...given);
    try {
      return await askThere(...given);
    } catch (error) {
      if (signal.aborted || !isOutage(error) || tookTooLong(error)) throw error;
      // When all its connections are in use the replica is busy, not down.
      if (there.totalCount < heavyConnections) replica.leave(error);
      return askHere(...given);
    }
  };
  return Object.assign(Object.create(here) as CheckedPool, { query });
}

/** A statement that used up its time on the replica would do so on the primary, too. */
const tookTooLong = (error: unknown) => causesOf(error).some(({ code }) => code === "57014") || isUnanswered(error);

/** The same pool, whose connections are lent until the signal aborts; then their statements are cancelled. */
function lendUntil(pool: CheckedPool, signal: AbortSignal): CheckedPool {
  const lend = async () => {
    signal.throwIfAborted();
    const client = await pool.connect();
    const release = client.release.bind(client);
    const { query } = client;
    // Between two statements of a transaction there is nothing to cancel, so the next one is refused.
    const askUntil = (...given: unknown[]) => {
      signal.throwIfAborted();
      return (query as (...asked: unknown[]) => unknown).apply(client, given);
    };
    client.query = askUntil as typeof client.query;
    const leave = () => cancelStatement(client);
    client.release = (error) => {
      client.query = query;
      signal.removeEventListener("abort", leave);
      // A cancel request on its way could hit the statement of the connection's next user, so close the connection.
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
