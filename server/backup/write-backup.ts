import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import packageJson from "../../package.json" with { type: "json" };
import { StartRefused } from "../settings/env.ts";
import type { FileStore } from "../outside/files/store.ts";
import { type Add, writeArchive } from "./archive.ts";
import { connect } from "./connect.ts";
import { publicName, quoted, readAppliedMigrations, readSequences, type Table } from "./database-shape.ts";
import { holdTables } from "./hold-tables.ts";
import type { Contents, Manifest } from "./manifest.ts";

/** How much of a table's rows is held in memory at once. */
const partBytes = 1024 * 1024;

export interface Source {
  databaseUrl: string;
  files: Pick<FileStore, "list" | "read">;
  /** File with the generated secret; null if the secret is given from outside. */
  tokenSecretFile: string | null;
}

/**
 * Writes all data of the product into one file: every table's rows in one snapshot, and every file of the store. The
 * product may keep running. Jobs are left out: the sweep adds those still owed again.
 */
export async function writeBackup(source: Source, path: string, tell: (line: string) => void): Promise<Manifest> {
  const client = await connect(source.databaseUrl, "backup");
  try {
    return await writeArchive(path, async (add) => {
      const contents = await addDatabase(client, add, tell);
      // Files are written before rows name them, so the store now has every file that the snapshot names.
      const missing = await someNames(client, contents.tables);
      const looked = missing.size;
      const files = await addFiles(source.files, add, tell, (name) => missing.delete(name));
      if (looked > 0 && missing.size === looked)
        throw new StartRefused(
          "The database names documents, and the file store has none of them: this is not the product's store. Give S3_BUCKET and the other S3_ variables, or DATA_DIR, as for the product.",
        );
      if (missing.size > 0)
        tell(
          `${missing.size} of ${looked} documents that were looked for are not in the file store, such as ${[...missing][0]}`,
        );
      if (source.tokenSecretFile && existsSync(source.tokenSecretFile))
        await add("token-secret", readFileSync(source.tokenSecretFile));
      return { ...contents, files };
    });
  } finally {
    await client.end();
  }
}

async function addDatabase(client: Client, add: Add, tell: (line: string) => void): Promise<Omit<Contents, "files">> {
  if ((await readAppliedMigrations(client)).length === 0)
    throw new StartRefused("There is nothing to back up: the product was never started on this database.");
  const shapes = await holdTables(client);
  // Again, now within the snapshot of the tables.
  const migrations = await readAppliedMigrations(client);
  const tables: Contents["tables"] = [];
  for (const shape of shapes) {
    const rows = await addRows(client, shape, add);
    tell(`${shape.name}: ${rows} rows`);
    tables.push({ ...shape, rows });
  }
  // Sequences are not transactional: read last, they are past every number in the snapshot.
  const sequences = await readSequences(client);
  await client.query("commit");
  return { format: 1, version: packageJson.version, madeAt: new Date().toISOString(), migrations, tables, sequences };
}

async function addRows(client: Client, { name, columns }: Table, add: Add): Promise<number> {
  const rows = client.query(
    copyTo(`copy (select ${columns.map(quoted).join(", ")} from ${publicName(name)}) to stdout`),
  );
  let chunks: Buffer[] = [];
  let bytes = 0;
  let parts = 0;
  const flush = async () => {
    await add(`tables/${name}/${String(++parts).padStart(6, "0")}`, Buffer.concat(chunks));
    chunks = [];
    bytes = 0;
  };
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= partBytes) await flush();
  }
  if (bytes > 0) await flush();
  return rows.rowCount;
}

async function addFiles(
  store: Source["files"],
  add: Add,
  tell: (line: string) => void,
  onName: (name: string) => void,
): Promise<number> {
  let count = 0;
  for await (const name of store.list()) {
    const bytes = await store.read(name).catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
    if (!bytes) continue;
    await add(join("files", name), bytes);
    onName(name);
    if (++count % 1000 === 0) tell(`${count} files …`);
  }
  tell(`${count} files`);
  return count;
}

/** How many names per file column are checked to tell whether the store is the product's. */
const namesLooked = 1000;

/** File names that rows refer to; columns with file names are called `file` or `…_file`. */
async function someNames(client: Client, tables: Contents["tables"]): Promise<Set<string>> {
  const columns = tables.flatMap(({ name, columns: all }) =>
    all.filter((column) => /(?:^|_)file$/.test(column)).map((column) => ({ name, column })),
  );
  const names = new Set<string>();
  for (const { name, column } of columns) {
    const { rows } = await client.query<{ file: string }>(
      `select ${quoted(column)} as file from ${publicName(name)} where ${quoted(column)} is not null limit ${namesLooked}`,
    );
    for (const { file } of rows) names.add(file);
  }
  return names;
}

/** Whether the file was deleted after it was listed. */
function isGone(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && ("code" in cause ? cause.code === "ENOENT" : cause.name === "NoSuchKey");
}
