import { Client } from "pg";
import type { DataEnv } from "../settings/env.ts";
import { runningEmbeddedPostgresUrl, startEmbeddedPostgres } from "./embedded.ts";
import { refuseAnotherDatabase } from "./identity.ts";
import { lockDataFolder } from "./lock-data-folder.ts";

export interface ReachedDatabase {
  url: string;
  /** Stops it, if it was started for this command. */
  stop(): Promise<void>;
}

type Where = Pick<DataEnv, "databaseUrl" | "pooledUrl" | "dataDir">;

/**
 * The database of DATABASE_URL, else of a running copy, else an embedded one started for this command.
 * @throws StartRefused when the address past the pooler leads to another database
 */
export async function reachDatabase(where: Where): Promise<ReachedDatabase> {
  const running = where.databaseUrl ? null : runningEmbeddedPostgresUrl(where.dataDir);
  if (running && (await answers(running))) return { url: running, stop: async () => {} };
  return reachIdleDatabase(where);
}

/**
 * The database of DATABASE_URL, else an embedded one started for this command.
 * @throws StartRefused when a copy runs with the data folder, or the address past the pooler leads to another database
 */
export async function reachIdleDatabase({ databaseUrl, pooledUrl, dataDir }: Where): Promise<ReachedDatabase> {
  if (databaseUrl && pooledUrl) await refuseAnotherDatabase(databaseUrl, pooledUrl);
  if (databaseUrl) return { url: databaseUrl, stop: async () => {} };
  const release = lockDataFolder(dataDir);
  try {
    const embedded = await startEmbeddedPostgres(dataDir);
    return {
      url: embedded.url,
      async stop() {
        await embedded.stop();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
