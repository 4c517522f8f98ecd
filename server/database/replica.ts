import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { summariseError } from "../failures/describe-error.ts";
import { type Database, openDatabase } from "./database.ts";
import { identity } from "./identity.ts";

/** A read-only copy of the database, and how far behind it is. */
export interface Replica {
  /** Whether it answers, and was at most `behindMsMax` behind when last checked. */
  isUsable(): boolean;
  /** Stops using it until it answers again, after a statement on it failed. */
  leave(reason: unknown): void;
  stop(): Promise<void>;
}

const askEveryMs = 1000;
/** How old the data read from a replica may be. */
export const behindMsMax = 10_000;

interface Mark {
  at: number;
  /** The primary's log position at that time, in bytes. */
  written: number;
}

interface Position {
  written: number;
  identity: string;
}

// A server that doesn't replay counts by its own write position: managed services replicate in ways of their own.
const position = `select pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0')::float8 as written,
  ${identity} as identity`;

/**
 * Checks once a second how far the replica is. The primary's positions over time tell the age of the replica's state,
 * even when the replica has lost the connection and believes itself up to date.
 */
export function watchReplica(url: string, primary: Database, log: Logger, pooled: boolean): Replica {
  const asked = openDatabase(url, { max: 1, statementMs: askEveryMs, pooled });
  const stopped = new AbortController();
  const marks: Mark[] = [];
  let usable: boolean | null = null;
  const tell = (next: boolean, why: string) => {
    if (next === usable) return;
    usable = next;
    if (next) log.info("heavy reads go to the replica");
    else log.warn({ why }, "heavy reads go to the primary");
  };
  const look = async () => {
    const there = await readPosition(primary);
    marks.push({ at: performance.now(), written: there.written });
    const here = await readPosition(asked);
    if (here.identity !== there.identity) return tell(false, "DATABASE_READ_URL leads to another database");
    const behindMs = ageOf(marks, here.written);
    if (behindMs <= behindMsMax) return tell(true, "");
    tell(false, `the replica is more than ${behindMsMax / 1000} seconds behind`);
  };
  const leave = (reason: unknown) => tell(false, `the replica does not answer: ${summariseError(reason)}`);
  const run = async () => {
    while (!stopped.signal.aborted) {
      await look().catch(leave);
      await sleep(askEveryMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    isUsable: () => usable === true,
    leave,
    async stop() {
      stopped.abort();
      await asked.$client.close(500);
      await running;
    },
  };
}

async function readPosition({ $client }: Database): Promise<Position> {
  const { rows } = await $client.query<Position>(position);
  if (!rows[0]) throw new Error("no answer");
  return rows[0];
}

/**
 * For how long the primary has been ahead of `written`, in milliseconds. Drops marks older than the last one reached.
 */
function ageOf(marks: Mark[], written: number): number {
  const reached = marks.findLastIndex((mark) => mark.written <= written);
  // It is behind even the oldest mark: at least that old, and nobody knows how much older.
  if (reached < 0) {
    marks.splice(0, marks.length - 60);
    return Number.POSITIVE_INFINITY;
  }
  marks.splice(0, reached);
  return performance.now() - (marks[0]?.at ?? 0);
}
