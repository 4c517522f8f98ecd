import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { verifyArchive } from "../backup/archive.ts";
import { numbersLeftOut } from "../backup/leave-room.ts";
import { refuseUnknownSchema } from "../backup/manifest.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { reachIdleDatabase } from "../database/reach-database.ts";
import { readDataEnv, StartRefused } from "../settings/env.ts";
import { openFileStore } from "../outside/files/open-file-store.ts";
import { runCommand } from "./run-command.ts";
import { writeWhole } from "../settings/write-whole.ts";

const usage = "Usage: npm run restore -- FILE.tar.gz [--force] [--nothing-since]";

const whatIsLeftOut = `The numbers of quotes, orders, invoices and all other papers go on ${numbersLeftOut} further up, as the next ones may have been given out since the backup, and everybody has to sign in again. Keep this line: gaps in a series of invoices are to be explained. How to give out the next number all the same: docs/operations.md, "Restore".`;
const whatAnotherSecretEnds =
  "Unless TOKEN_SECRET is the one the product had, everybody has to sign in anew, links in mails that were sent no longer hold, and where ENGINES_KEY is not set the credentials of engines have to be entered again.";

/** `npm run restore -- FILE`: fills an empty database and file store from a backup, here or on another machine. */
runCommand(async () => {
  const { path, force, nothingSince } = readOptions();
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
      nothingSince,
      tell: console.log,
    });
    if (secret && secretFile) writeWhole(secretFile, secret);
    console.log(`The backup of ${manifest.madeAt} is restored; start the product with the settings it had.`);
    if (!nothingSince) console.log(whatIsLeftOut);
    // Only a generated secret is in a backup, and it is not restored where TOKEN_SECRET is set.
    if (!secret || !secretFile) console.log(whatAnotherSecretEnds);
  } finally {
    await stop();
  }
});

function readOptions(): { path: string; force: boolean; nothingSince: boolean } {
  const flag = { type: "boolean", default: false } as const;
  let parsed;
  try {
    parsed = parseArgs({ allowPositionals: true, options: { force: flag, "nothing-since": flag } });
  } catch (error) {
    throw new StartRefused(`${error instanceof Error ? error.message.split(". ")[0] : "Wrong options"}. ${usage}`);
  }
  const [name] = parsed.positionals;
  if (!name || parsed.positionals.length > 1) throw new StartRefused(`Please give one backup to restore. ${usage}`);
  const { force, "nothing-since": nothingSince } = parsed.values;
  return { path: resolve(name), force, nothingSince };
}
