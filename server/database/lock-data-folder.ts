import { constants, copyFileSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartRefused } from "../settings/env.ts";
import { isAlive, startOf } from "./running-process.ts";

/**
 * Lets only one process at a time run the embedded database of a data folder. Answers the function that releases it.
 * @throws StartRefused when another process has it
 */
export function lockDataFolder(dataDir: string): () => void {
  const path = join(dataDir, "prahari.pid");
  const own = `${path}.${process.pid}`;
  try {
    writeFileSync(own, `${process.pid}\n${startOf(process.pid) ?? ""}\n`);
    // Only one process can make the hard link, however many try at once. A dead process's lock is moved away first.
    while (!link(own, path)) moveAway(path, `${own}.left`, dataDir);
  } finally {
    rmSync(own, { force: true });
  }
  return () => rmSync(path, { force: true });
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
  }
  // Not every file system supports hard links.
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function moveAway(path: string, left: string, dataDir: string): void {
  refuseIfHeld(path, dataDir);
  try {
    renameSync(path, left);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return; // another process was faster
    throw error;
  }
  try {
    refuseIfHeld(left, dataDir);
  } catch (error) {
    // Another process took the lock between the check and the move: it gets it back.
    link(left, path);
    throw error;
  } finally {
    rmSync(left, { force: true });
  }
}

/** The process id may belong to another program by now; its start time, where the system tells it, shows that. */
function refuseIfHeld(path: string, dataDir: string): void {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return;
  }
  const [number = "", start = ""] = text.split("\n");
  const holder = Number(number);
  if (holder === process.pid || !isAlive(holder)) return;
  if (start && start !== (startOf(holder) ?? start)) return;
  throw new StartRefused(`Another copy (process ${holder}) already runs with the data folder ${dataDir}.`);
}
