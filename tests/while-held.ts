import { Client } from "pg";
import { expect } from "vitest";
import type { TestServer } from "./harness.ts";

/**
 * Takes the locks of the statement `lock`, starts the calls that want them, and releases the locks once `waiters` of
 * these wait: they continue at the same moment, each with what it had read by then. With `ending` commit, they find
 * what the statement changed.
 */
export async function whileHeld<Result>(
  { databaseUrl }: Pick<TestServer, "databaseUrl">,
  lock: string,
  start: () => Promise<Result>[],
  waiters?: number,
  ending: "commit" | "rollback" = "rollback",
): Promise<Result[]> {
  const [holder, watcher] = [databaseUrl, databaseUrl].map((connectionString) => new Client({ connectionString }));
  if (!holder || !watcher) throw new Error("Two connections were asked for");
  await Promise.all([holder.connect(), watcher.connect()]);
  try {
    await holder.query("begin");
    await holder.query(lock);
    const started = start();
    const waiting = async () =>
      (
        await watcher.query<{ count: number }>(`select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`)
      ).rows[0]?.count ?? 0;
    await expect.poll(waiting, { interval: 20 }).toBeGreaterThanOrEqual(waiters ?? started.length);
    await holder.query(ending);
    return await Promise.all(started);
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
}

/** How many connections wait for a lock. */
export async function countWaiting({ services }: Pick<TestServer, "services">): Promise<number> {
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  return (await services.database.$client.query(waiting)).rowCount ?? 0;
}

/** Both calls wait for the locks of a statement, the second after the first, and then continue. */
export async function inTurn<First, Second>(
  server: Pick<TestServer, "databaseUrl" | "services">,
  lock: string,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  let both: Promise<[First, Second]> | undefined;
  await whileHeld(
    server,
    lock,
    () => {
      const later = () => expect.poll(() => countWaiting(server), { interval: 20 }).toBe(1);
      both = Promise.all([first(), later().then(second)]);
      return [both];
    },
    2,
  );
  return both ?? Promise.reject(new Error("Nothing has begun"));
}
