import { execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { StartRefused } from "../settings/env.ts";
import { writeWhole } from "../settings/write-whole.ts";
import { holdsDatabase, refuseIfGone, takeOver } from "./cluster-checks.ts";
import { endLeftover } from "./leftover-postmaster.ts";
import { findPrograms, findRunner, reachable, type Runner, sharedFolder } from "./postgres-programs.ts";
import { reasonOf } from "./program-reason.ts";

/** The data folder of the embedded PostgreSQL, ready to start. */
export interface Cluster {
  folder: string;
  /** Path of the `postgres` program. */
  postgres: string;
  runner: Runner;
  /** The password of its superuser `prahari`. */
  password: string;
}

/**
 * Finds the cluster of a data folder, or makes it. Repairs what a killed server or a copy made by root left behind.
 * @throws StartRefused when it can't be used as it is
 */
export async function openCluster(dataDir: string): Promise<Cluster> {
  const runner = findRunner();
  const programs = await findPrograms(runner);
  const folder = clusterFolder(realpathSync(dataDir), runner);
  const passwordFile = join(dataDir, "postgres-password");
  const postgres = join(programs.folder, "postgres");
  if (existsSync(folder)) takeOver(folder, runner);
  if (!existsSync(folder) || !holdsDatabase(folder, programs.majorVersion)) {
    refuseIfGone(folder, passwordFile);
    const password = makeCluster(folder, join(programs.folder, "initdb"), runner, passwordFile);
    return { folder, postgres, runner, password };
  }
  await endLeftover(folder);
  const password = readPassword(passwordFile) ?? setPassword(folder, postgres, runner, passwordFile);
  return { folder, postgres, runner, password };
}

/** Whether a database was made for this data folder. */
export function hasCluster(dataDir: string): boolean {
  return ["postgres", "postgres-folder"].some((name) => existsSync(join(dataDir, name)));
}

function clusterFolder(dataDir: string, runner: Runner): string {
  const inside = join(dataDir, "postgres");
  // The data folder names the cluster's folder, so that deleting the data folder leads to a new database.
  const pointer = join(dataDir, "postgres-folder");
  if (existsSync(pointer)) return readPointer(pointer, dataDir);
  if (reachable(dataDir, runner)) return inside;
  if (existsSync(inside))
    throw new StartRefused(
      `The database is in ${inside}, where the user postgres may not enter; let others enter the folders on the way (chmod o+x), or move the data folder.`,
    );
  const folder = join(sharedFolder, randomUUID());
  mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });
  writeWhole(`${folder}.data-folder`, dataDir);
  writeWhole(pointer, folder);
  return folder;
}

/** @throws StartRefused for a pointer that was copied with another data folder, or that names no folder */
function readPointer(pointer: string, dataDir: string): string {
  let folder = "";
  try {
    folder = readFileSync(pointer, "utf8").trim();
  } catch (error) {
    throw new StartRefused(
      `${pointer}, which names the database's folder, can't be read: ${(error as Error).message}.`,
    );
  }
  if (!isAbsolute(folder))
    throw new StartRefused(
      `${pointer} should name the database's folder and does not. Write its path there (it is under ${sharedFolder}), or restore a backup into an empty data folder.`,
    );
  const ownerFile = `${folder}.data-folder`;
  const owner = existsSync(ownerFile) ? readFileSync(ownerFile, "utf8") : "";
  const itsPointer = join(owner, "postgres-folder");
  if (owner === dataDir) return folder;
  if (owner && existsSync(itsPointer) && readFileSync(itsPointer, "utf8").trim() === folder)
    throw new StartRefused(
      `The database ${folder} belongs to the data folder ${owner}, of which ${dataDir} is a copy without it. Make a backup there and restore it into an empty data folder.`,
    );
  if (existsSync(folder)) writeWhole(ownerFile, dataDir);
  return folder;
}

/** Makes the cluster and answers its password. A half-made one, left by a crash, is made again. */
function makeCluster(cluster: string, initdb: string, runner: Runner, passwordFile: string): string {
  const password = newPassword();
  const unfinished = `${cluster}.unfinished`;
  rmSync(passwordFile, { force: true });
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(unfinished), { recursive: true, mode: 0o755 });
  mkdirSync(unfinished, { mode: 0o700 });
  const handedOver = `${unfinished}.password`;
  writeFileSync(handedOver, password, { mode: 0o600 });
  if (runner.uid !== undefined && runner.gid !== undefined) {
    chownSync(unfinished, runner.uid, runner.gid);
    chownSync(handedOver, runner.uid, runner.gid);
  }
  const login = ["-U", "prahari", "--pwfile", handedOver, "-A", "scram-sha-256"];
  const locale = ["-E", "UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const make = (...more: string[]) =>
    run(initdb, ["-D", unfinished, ...login, ...locale, ...more], { ...runner, cwd: unfinished });
  try {
    // Lets the search index find words that are not Latin; without this locale such searches read every row.
    try {
      make("--lc-ctype=C.UTF-8");
    } catch {
      make();
    }
  } catch (error) {
    throw new StartRefused(`PostgreSQL could not make its data folder ${cluster}: ${reasonOf(error)}.`);
  } finally {
    rmSync(handedOver, { force: true });
  }
  writeWhole(passwordFile, password);
  renameSync(unfinished, cluster);
  return password;
}

/** Null when the file is missing or incomplete. */
function readPassword(passwordFile: string): string | null {
  if (!existsSync(passwordFile)) return null;
  const password = readFileSync(passwordFile, "utf8").trim();
  return passwordForm.test(password) ? password : null;
}

/** Gives the superuser a new password; whoever has the data folder can read all data anyway. */
function setPassword(cluster: string, postgres: string, runner: Runner, passwordFile: string): string {
  const password = newPassword();
  try {
    const input = `alter role prahari password '${password}'\n`;
    run(postgres, ["--single", "-D", cluster, "postgres"], { ...runner, cwd: cluster, input });
  } catch (error) {
    throw new StartRefused(`PostgreSQL could not replace its lost password ${passwordFile}: ${reasonOf(error)}.`);
  }
  writeWhole(passwordFile, password);
  return password;
}

const passwordForm = /^[\w-]{32}$/;

function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

function run(program: string, args: string[], options: Runner & { cwd: string; input?: string }): void {
  execFileSync(program, args, { ...options, stdio: ["pipe", "ignore", "pipe"] });
}
