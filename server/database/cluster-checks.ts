import { chmodSync, existsSync, lchownSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { StartRefused } from "../settings/env.ts";
import type { Runner } from "./postgres-programs.ts";

/**
 * Ensures that the folder belongs to the user that PostgreSQL runs as, and that nobody else can enter it. A copy made
 * by root is handed over to that user.
 * @throws StartRefused when another user owns it
 */
export function takeOver(folder: string, runner: Runner): void {
  const { uid, mode } = statSync(folder);
  const wanted = runner.uid ?? process.getuid?.();
  if (wanted === undefined) return;
  if (uid !== wanted) {
    if (uid !== 0 || runner.uid === undefined || runner.gid === undefined)
      throw new StartRefused(
        `The database's folder ${folder} belongs to the user with the number ${uid}; start as that user, or hand it over with: chown -R ${wanted} ${folder}`,
      );
    for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }))
      lchownSync(join(folder, entry), runner.uid, runner.gid);
    // The folder itself comes last, so that an interrupted handover starts over.
    lchownSync(folder, runner.uid, runner.gid);
  }
  if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/**
 * Whether the folder contains a database; false for an empty folder.
 * @throws StartRefused for an incomplete database, or one that this PostgreSQL can't read
 */
export function holdsDatabase(folder: string, majorVersion: string): boolean {
  const versionFile = join(folder, "PG_VERSION");
  if (!existsSync(versionFile) && readdirSync(folder).length > 0)
    throw new StartRefused(
      `${folder} is not a whole database: its PG_VERSION is missing. Move it away and restore a backup (npm run restore).`,
    );
  if (!existsSync(versionFile)) return false;
  const found = readFileSync(versionFile, "utf8").trim();
  if (found === majorVersion) return true;
  throw new StartRefused(
    `The database in ${folder} is one of PostgreSQL ${found || "unknown"}, and PostgreSQL ${majorVersion} can't read it. Back it up with the version of Prahari that made it (npm run backup), and restore that into an empty data folder.`,
  );
}

/** @throws StartRefused when the database once made here is gone: an empty one in its place would hide the loss */
export function refuseIfGone(folder: string, passwordFile: string): void {
  // An interrupted first start leaves its unfinished folder.
  if (existsSync(passwordFile) && !existsSync(`${folder}.unfinished`))
    throw new StartRefused(
      `The database's folder ${folder} is gone. Put it back or restore a backup; to begin with an empty database instead, delete ${passwordFile}.`,
    );
}
