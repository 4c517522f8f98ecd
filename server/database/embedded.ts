import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { StartRefused } from "../settings/env.ts";
import { writeWhole } from "../settings/write-whole.ts";
import { openCluster } from "./cluster.ts";
import { endLeftover } from "./leftover-postmaster.ts";
import { freePort, type Postmaster, startPostmaster } from "./postmaster.ts";

/** A PostgreSQL that this process started. */
export interface EmbeddedPostgres {
  url: string;
  /** Rolls back open transactions and shuts the database down. */
  stop(): Promise<void>;
}

/** Told to the caller when the database ends by itself. */
export interface Events {
  /** The server process was started and does not accept connections yet: time for other work. */
  starting?(): void;
  /** It had ended by itself and was started again; `cause` says why it had ended. */
  restarted(cause: string): void;
  /** It could not be started again. */
  lost(cause: string): void;
}

/** Pauses before each restart; their sum is longer than PostgreSQL's last processes take to end. */
const restartPausesSeconds = [0.1, 0.3, 1, 2, 4, 8, 8, 8];
/** After it has run for this long, the next end counts as the first. */
const steadySeconds = 60;

/**
 * Starts the embedded PostgreSQL with its data under `dataDir`, creating it at the first start. It is restarted under
 * the same address when it ends by itself, and ends with this process.
 * @param processes how many processes of the product will use it
 * @throws StartRefused when it can't run here
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  events?: Events,
  processes = 1,
  pauses = restartPausesSeconds,
): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir).catch(refuse);
  const port = await freePort();
  const url = `postgres://prahari:${cluster.password}@127.0.0.1:${port}/prahari`;
  const urlFile = join(dataDir, "postgres-url");
  const postmaster = await startPostmaster(cluster, port, processes, events?.starting);
  try {
    await createDatabase(url, dataDir);
    writeWhole(urlFile, url);
  } catch (error) {
    await postmaster.stop();
    return refuse(error);
  }
  const startAgain = () => endLeftover(cluster.folder).then(() => startPostmaster(cluster, port, processes));
  const stop = keepRunning(postmaster, startAgain, pauses, events);
  return {
    url,
    async stop() {
      rmSync(urlFile, { force: true });
      await stop();
    },
  };
}

/** Address of the database that a running copy started with this data folder, or null. */
export function runningEmbeddedPostgresUrl(dataDir: string): string | null {
  const path = join(dataDir, "postgres-url");
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/** Restarts it whenever it ends by itself. Answers a function that stops it for good. */
function keepRunning(
  first: Postmaster,
  startAgain: () => Promise<Postmaster>,
  pauses: number[],
  events?: Events,
): () => Promise<void> {
  const stopping = new AbortController();
  let running: Postmaster | null = first;
  const watch = async () => {
    let tries = 0;
    let cause = "";
    for (;;) {
      if (stopping.signal.aborted) return running?.stop();
      if (running) {
        const startedAt = Date.now();
        cause = await running.ended;
        running = null;
        if (Date.now() - startedAt > steadySeconds * 1000) tries = 0;
      }
      const pause = pauses[tries++];
      if (pause === undefined) return events?.lost(cause);
      await sleep(pause * 1000, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        running = await startAgain();
        events?.restarted(cause);
      } catch (error) {
        cause = (error as Error).message;
      }
    }
  };
  const watching = watch();
  return async () => {
    stopping.abort();
    await running?.stop();
    await watching;
  };
}

async function createDatabase(url: string, dataDir: string): Promise<void> {
  const client = new Client({ connectionString: url.replace(/\/prahari$/, "/postgres") });
  // Without a listener, a broken connection would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'prahari'");
    if (!rowCount) await client.query("create database prahari");
  } catch (error) {
    // invalid_password
    if ((error as { code?: string }).code !== "28P01") throw error;
    const file = join(dataDir, "postgres-password");
    throw new StartRefused(
      `The password in ${file} is not the database's. Put the right file back, or delete it: the next start sets a new one.`,
    );
  } finally {
    await client.end();
  }
}

/** Turns failures such as a full disk or an inaccessible folder into one sentence instead of a stack trace. */
function refuse(error: unknown): never {
  if (error instanceof StartRefused) throw error;
  throw new StartRefused(`PostgreSQL could not be started: ${(error as Error).message}.`, { cause: error });
}
