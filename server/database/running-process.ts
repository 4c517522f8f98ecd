import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";

const hasProc = existsSync("/proc/self/stat");

/** Whether a process with this id runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  return reach(pid) !== "ESRCH" && !/^[ZX]/.test(statOf(pid) ?? "");
}

/** Whether this process may end it, which it may not if it is another user's. */
export function mayEnd(pid: number): boolean {
  return reach(pid) === "reached";
}

/** Sends a signal to a process, which may have ended meanwhile. */
export function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** 0 and negative numbers would address whole process groups, so they count as not found. */
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
 * When a process started, as a text that no other process with the same id ever had. Null if there is no such process
 * or the system does not tell.
 */
export function startOf(pid: number): string | null {
  if (!hasProc) return askPs(pid, "lstart");
  // In clock ticks since the machine booted.
  const ticks = statOf(pid)?.split(" ")[19];
  return ticks ? `${read("/proc/sys/kernel/random/boot_id")?.trim()} ${ticks}` : null;
}

/** The command line of a process, each argument followed by a space. Null if the system does not tell. */
export function commandLineOf(pid: number): string | null {
  if (hasProc) return read(`/proc/${pid}/cmdline`)?.replaceAll("\0", " ") ?? null;
  const line = askPs(pid, "command");
  return line === null ? null : `${line} `;
}

/** The working directory of a process. Null if the system does not tell. */
export function folderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** The stat line from its third field, the state, on: the second, a name in parentheses, may contain anything. */
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
