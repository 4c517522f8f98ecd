import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { verifyArchive } from "../backup/archive.ts";
import { refuseUnknownSchema } from "../backup/manifest.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { reachIdleDatabase } from "../database/reach-database.ts";
import { readDataEnv, StartRefused } from "../settings/env.ts";
import { openFileStore } from "../outside/files/open-file-store.ts";
import { runCommand } from "./run-command.ts";
import { writeWhole } from "../settings/write-whole.ts";

const usage = "Usage: npm run restore -- FILE.tar.gz [--force]";

/** `npm run restore -- FILE`: fills an empty database and file store from a backup, here or on another machine. */
runCommand(async () => {
  const { path, force } = readOptions();
  const env = readDataEnv();
  console.log("Checking the backup …");
  const manifest = await verifyArchive(path);
  refuseUnknownSchema(manifest);
  const files = openFileStore({ ...env, tokenSecret: "" }, "", () => new Date());
  const secretFile = env.generatedSecretFile;
  const { url, stop } = await reachIdleDatabase(env);
  try {
    const secret = await restoreBackup({ databaseUrl: url, files }, path, manifest, {
      replace: force,
      tell: console.log,
    });
    if (secret && secretFile) writeWhole(secretFile, secret);
    console.log(`The backup of ${manifest.madeAt} is restored; start the product with the settings it had.`);
    // A backup has the secret where it was generated, and is restored without it where TOKEN_SECRET is given.
    if (!secret || !secretFile)
      console.log("Unless TOKEN_SECRET is the one the product had, everybody has to sign in anew.");
  } finally {
    await stop();
  }
});

function readOptions(): { path: string; force: boolean } {
  let parsed;
  try {
    parsed = parseArgs({ allowPositionals: true, options: { force: { type: "boolean", default: false } } });
  } catch (error) {
    throw new StartRefused(`${error instanceof Error ? error.message.split(". ")[0] : "Wrong options"}. ${usage}`);
  }
  const [name] = parsed.positionals;
  if (!name || parsed.positionals.length > 1) throw new StartRefused(`Please give one backup to restore. ${usage}`);
  return { path: resolve(name), force: parsed.values.force };
}
