import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StartRefused } from "../settings/env.ts";
import { commandLineOf, end, folderOf, isAlive, mayEnd } from "./running-process.ts";

/**
 * Ends a PostgreSQL that outlived a killed server. Its process id may belong to another program by now, so only a
 * process that serves this very folder is ended.
 * @throws StartRefused when that can't be determined, or when it does not end
 */
export async function endLeftover(cluster: string): Promise<void> {
  const pidFile = join(cluster, "postmaster.pid");
  if (!existsSync(pidFile)) return;
  // Negative when PostgreSQL ran for a single user.
  const pid = Math.abs(Number.parseInt(readFileSync(pidFile, "utf8"), 10));
  // The next PostgreSQL judges the file of a dead one: some of its child processes may still run.
  if (pid && !isAlive(pid)) return;
  if (!servesFolder(pid, cluster, pidFile)) return rmSync(pidFile, { force: true });
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    end(pid, signal);
    for (let waited = 0; waited < 10_000; waited += 50) {
      if (!isAlive(pid) || !existsSync(pidFile)) return;
      await sleep(50);
    }
  }
  throw new StartRefused(
    `PostgreSQL (process ${pid}) still runs on ${cluster} and does not stop; end it and start again.`,
  );
}

function servesFolder(pid: number, cluster: string, pidFile: string): boolean {
  // PostgreSQL accepts only a folder of its own user, and runs as a user whose processes we may end.
  if (!mayEnd(pid)) return false;
  const commandLine = commandLineOf(pid);
  if (commandLine === null && !isAlive(pid)) return false;
  if (commandLine === null)
    throw new StartRefused(
      `Process ${pid} may be the PostgreSQL of ${cluster}, and this system does not tell; end it, or delete ${pidFile} if it is another program.`,
    );
  const isOurs = commandLine.includes(`postgres -D ${cluster} `);
  return isOurs || (/^\S*postgres /.test(commandLine) && folderOf(pid) === cluster);
}
