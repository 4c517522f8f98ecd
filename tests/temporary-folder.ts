import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { isAlive } from "../server/database/running-process.ts";

const sharedMemory = "/dev/shm";
const prefix = "prahari-tests-";
/** A whole run has half a gigabyte there at most. */
const roomBytes = 3 * 1024 ** 3;

/**
 * Has this process and those it starts keep their temporary files in memory, in a folder that goes with it: each test file
 * makes and deletes a database of 1,100 files, on which a disk's file system spends a third of the kernel's time. What a
 * killed run left is removed. TMPDIR stays as it is where it was given, and where the machine has no such room.
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

/** Another user's stays. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!["EACCES", "EPERM", "ENOTEMPTY"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
