import { once } from "node:events";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { StartRefused } from "../settings/env.ts";
import type { FileStore } from "../outside/files/store.ts";
import { type Entry, readArchive } from "./archive.ts";
import { connect } from "./connect.ts";
import { longRun, publicName, quoted } from "./database-shape.ts";
import { leaveRoomForLost } from "./leave-room.ts";
import type { Manifest, TableContents } from "./manifest.ts";
import { applyMigrations, emptyDatabase, freeTables, isEmpty, lockMigrations } from "./schema-for-restore.ts";

/** Longer than a watch takes to reconnect (server/database/watch.ts). */
const watchIsBackMs = 1000;

export interface Target {
  databaseUrl: string;
  files: Pick<FileStore, "write">;
}

/**
 * Fills an empty database and file store from a verified backup, then applies newer migrations, in one transaction:
 * interrupted, it leaves the database as it was. Answers the secret that signed tokens, if the backup has it.
 * @param options.replace drops the database's content first
 * @param options.nothingSince the data have not been used since the backup: numbers and sessions simply continue
 * @throws StartRefused when the database is not empty, or a copy of the product is connected
 */
export async function restoreBackup(
  target: Target,
  path: string,
  manifest: Manifest,
  options: { replace: boolean; nothingSince: boolean; tell(line: string): void },
): Promise<string | null> {
  const client = await connect(target.databaseUrl, "restore");
  try {
    await refuseWhileInUse(client);
    await client.query("begin");
    await client.query(longRun);
    await lockMigrations(client);
    // By now the watch of a copy that was migrating, or had just lost its connection, is connected and can be seen.
    await sleep(watchIsBackMs);
    await refuseWhileInUse(client);
    if (options.replace) await emptyDatabase(client);
    else if (!(await isEmpty(client)))
      throw new StartRefused("There is something in this database. --force replaces all of it with the backup.");
    const secret = await load(client, target, path, manifest, options.tell);
    if (!options.nothingSince) await leaveRoomForLost(client, new Date(manifest.madeAt));
    await client.query("analyze");
    await client.query("commit");
    return secret;
  } finally {
    await client.end();
  }
}

/** Applies the backup's migrations, loads its rows, then applies newer migrations. Answers the secret, if any. */
async function load(client: Client, target: Target, path: string, manifest: Manifest, tell: (line: string) => void) {
  const last = Math.max(...manifest.migrations.map(({ createdAt }) => createdAt));
  await applyMigrations(client, ({ folderMillis }) => folderMillis <= last);
  const bind = await freeTables(client);
  let loading: Loading | null = null;
  let secret: string | null = null;
  let files = 0;
  for await (const entry of readArchive(path)) {
    const [, place, name = ""] = /^([^/]+)\/?(.*)$/.exec(entry.name) ?? [];
    if (place === "tables") {
      const table = tableOf(manifest, name);
      if (loading?.table !== table) {
        await loading?.finish(tell);
        loading = startLoading(client, table);
      }
      await loading.add(entry);
    } else if (place === "files") {
      await target.files.write(name, await buffer(entry.chunks));
      if (++files % 1000 === 0) tell(`${files} files …`);
    } else if (place === "token-secret") secret = (await buffer(entry.chunks)).toString("utf8").trim();
  }
  await loading?.finish(tell);
  tell(`${files} files`);
  for (const { name, lastValue, isCalled } of manifest.sequences)
    await client.query("select setval($1::regclass, $2, $3)", [publicName(name), lastValue, isCalled]);
  await bind();
  await applyMigrations(client, ({ folderMillis }) => folderMillis > last);
  return secret;
}

interface Loading {
  table: TableContents;
  add(entry: Entry): Promise<void>;
  /** @throws StartRefused when not all rows were loaded */
  finish(tell: (line: string) => void): Promise<void>;
}

function startLoading(client: Client, table: TableContents): Loading {
  const columns = table.columns.map(quoted).join(", ");
  const rows = client.query(copyFrom(`copy ${publicName(table.name)} (${columns}) from stdin`));
  const feed = new PassThrough();
  const loaded = pipeline(feed, rows);
  // Whoever awaits it next gets the error.
  loaded.catch(() => {});
  return {
    table,
    async add({ chunks }) {
      for await (const chunk of chunks) if (!feed.write(chunk)) await Promise.race([once(feed, "drain"), loaded]);
    },
    async finish(tell) {
      feed.end();
      await loaded;
      if (rows.rowCount !== table.rows)
        throw new StartRefused(
          `Of ${table.rows} rows of ${table.name}, ${rows.rowCount} came in; nothing was restored.`,
        );
      tell(`${table.name}: ${table.rows} rows`);
    },
  };
}

/** The table of an entry, named NAME/PART after its place. */
function tableOf({ tables }: Manifest, name: string): TableContents {
  const found = tables.find((table) => name.startsWith(`${table.name}/`));
  if (!found) throw new StartRefused(`The backup has rows of an unknown table, ${name}; nothing was restored.`);
  return found;
}

/**
 * Every copy keeps a session named prahari-watch, past any pooler. Of the others only active ones count: a pooler keeps
 * idle sessions, under their last user's name, for minutes after all copies have stopped.
 */
async function refuseWhileInUse(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and (application_name = 'prahari-watch' or application_name like 'prahari%' and state is distinct from 'idle')`,
  );
  if (rows.length > 0)
    throw new StartRefused("A copy of the product is connected to this database; stop every copy and try again.");
}
