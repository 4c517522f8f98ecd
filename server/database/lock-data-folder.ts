import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartRefused } from "../env.ts";
import { isAlive } from "./embedded.ts";

/**
 * One process at a time may run the embedded database of a data folder. Answers what lets the next one in.
 * @throws StartRefused when another one has it.
 */
export function lockDataFolder(dataDir: string): () => void {
  const path = join(dataDir, "prahari.pid");
  const holder = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
  if (holder && holder !== process.pid && isAlive(holder) && isPrahari(holder))
    throw new StartRefused(`Another copy (process ${holder}) already runs with the data folder ${dataDir}.`);
  writeFileSync(path, String(process.pid));
  return () => rmSync(path, { force: true });
}

/** A number may have been given to another program since; where /proc can't tell, the lock is believed. */
function isPrahari(pid: number): boolean {
  const commandLine = `/proc/${pid}/cmdline`;
  if (!existsSync("/proc/self/cmdline")) return true;
  return existsSync(commandLine) && /main\.ts|admin-create\.ts/.test(readFileSync(commandLine, "utf8"));
}
