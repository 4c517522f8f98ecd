import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { isAlive } from "../server/database/running-process.ts";

const sharedMemory = "/dev/shm";
const prefix = "prahari-tests-";
/** A whole run needs at most half a gigabyte of this. */
const roomBytes = 3 * 1024 ** 3;

/**
 * Keeps the temporary files of this process and its children in memory, in a folder that is removed with it: each test
 * file creates and drops a database of 1,100 files, on which a disk's file system spends a third of the kernel's time.
 * Also removes what a killed run has left. A given TMPDIR stays, and so does the default where the machine lacks the
 * memory.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env["TMPDIR"] || !hasRoom()) return;
  for (const name of readdirSync(sharedMemory))
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length)))) remove(join(sharedMemory, name));
  const folder = join(sharedMemory, `${prefix}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.env["TMPDIR"] = folder;
  process.once("exit", () => remove(folder));
}

function hasRoom(): boolean {
  if (!existsSync("/proc/mounts") || !existsSync(sharedMemory)) return false;
  const options = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .find(([, place]) => place === sharedMemory)?.[3];
  // Some tests run a copy of the product from there.
  if (!options || /\b(noexec|ro)\b/.test(options)) return false;
  const { bavail, bsize } = statfsSync(sharedMemory);
  return Math.min(bavail * bsize, freemem() - roomBytes) > roomBytes;
}

/** Skips a folder of another user's. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!["EACCES", "EPERM", "ENOTEMPTY"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
