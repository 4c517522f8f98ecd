import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";

const hasProc = existsSync("/proc/self/stat");

/** Whether a process of this number runs; one that has ended and only was not taken note of yet does not. */
export function isAlive(pid: number): boolean {
  return reach(pid) !== "ESRCH" && !/^[ZX]/.test(statOf(pid) ?? "");
}

/** Whether this process may end it: not so for another user's. */
export function mayEnd(pid: number): boolean {
  return reach(pid) === "reached";
}

/** Sends a signal to a process that may have ended meanwhile. */
export function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** 0 and negative numbers would reach whole groups: nobody has them. */
function reach(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return "ESRCH";
  try {
    process.kill(pid, 0);
    return "reached";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/**
 * When a process started, as text that no other process with the same number ever had. Null when there is no such process,
 * or the system does not tell.
 */
export function startOf(pid: number): string | null {
  if (!hasProc) return askPs(pid, "lstart");
  // In ticks since the machine came up.
  const ticks = statOf(pid)?.split(" ")[19];
  return ticks ? `${read("/proc/sys/kernel/random/boot_id")?.trim()} ${ticks}` : null;
}

/** The words a process was started with, each followed by a space. Null when the system does not tell. */
export function commandLineOf(pid: number): string | null {
  if (hasProc) return read(`/proc/${pid}/cmdline`)?.replaceAll("\0", " ") ?? null;
  const line = askPs(pid, "command");
  return line === null ? null : `${line} `;
}

/** The folder a process is in. Null when the system does not tell. */
export function folderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** From its third field on, the state: the second, a name in parentheses, may hold anything. */
function statOf(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`);
  return stat && stat.slice(stat.lastIndexOf(")") + 2);
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function askPs(pid: number, column: string): string | null {
  try {
    return (
      execFileSync("ps", ["-ww", "-p", String(pid), "-o", `${column}=`], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim() || null
    );
  } catch {
    return null;
  }
}
