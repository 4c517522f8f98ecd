import { existsSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { noteBackup } from "../backup/note-backup.ts";
import { writeBackup } from "../backup/write-backup.ts";
import { hasCluster } from "../database/cluster.ts";
import { reachDatabase } from "../database/reach-database.ts";
import { readDataEnv, StartRefused } from "../settings/env.ts";
import { openFileStore } from "../outside/files/open-file-store.ts";
import { runCommand } from "./run-command.ts";

/** `npm run backup -- FILE`: writes all data of the product to one file, whether or not it is running. */
runCommand(async () => {
  const path = readPath();
  const env = readDataEnv();
  if (!env.databaseUrl && !hasCluster(env.dataDir))
    throw new StartRefused(`There is no database in ${env.dataDir}; set DATA_DIR or DATABASE_URL as for the product.`);
  const unfinished = `${path}.${process.pid}.unfinished`;
  // SIGHUP comes when the terminal is closed.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => {
      rmSync(unfinished, { force: true });
      process.exit(1);
    });
  const files = openFileStore({ ...env, tokenSecret: "" }, "", () => new Date());
  const { url, stop } = await reachDatabase(env);
  try {
    const source = { databaseUrl: url, files, tokenSecretFile: env.generatedSecretFile };
    const manifest = await writeBackup(source, unfinished, console.log);
    const { tables, files: count } = manifest;
    renameSync(unfinished, path);
    await noteBackup(url, manifest).catch((error: unknown) =>
      console.error(`The backup is good, and could not be noted in the database: ${String(error)}`),
    );
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`${path} holds ${rows} rows of ${tables.length} tables and ${count} files.`);
    console.log("It holds personal data and secrets: keep it as safe as the product itself.");
  } finally {
    rmSync(unfinished, { force: true });
    await stop();
  }
});

function readPath(): string {
  const [name, ...more] = process.argv.slice(2);
  if (!name || name.startsWith("-") || more.length > 0)
    throw new StartRefused("Please give one file to write. Usage: npm run backup -- FILE.tar.gz");
  const path = resolve(name);
  if (existsSync(path)) throw new StartRefused(`${path} is there already; give another name.`);
  return path;
}
