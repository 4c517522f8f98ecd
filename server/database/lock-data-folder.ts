import { constants, copyFileSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartRefused } from "../settings/env.ts";
import { isAlive, startOf } from "./running-process.ts";

/**
 * One process at a time may run the embedded database of a data folder. Answers what lets the next one in.
 * @throws StartRefused when another one has it.
 */
export function lockDataFolder(dataDir: string): () => void {
  const path = join(dataDir, "prahari.pid");
  const own = `${path}.${process.pid}`;
  try {
    writeFileSync(own, `${process.pid}\n${startOf(process.pid) ?? ""}\n`);
    // A link is made by one process only, however many try at once. What a dead one left is moved away first.
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
  // Not every file system knows links.
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
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return; // another one was faster
    throw error;
  }
  try {
    refuseIfHeld(left, dataDir);
  } catch (error) {
    // Between the look and the move another one took it: it gets its lock back.
    link(left, path);
    throw error;
  } finally {
    rmSync(left, { force: true });
  }
}

/** A number may have been given to another program since: the start tells them apart, where the system knows it. */
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
