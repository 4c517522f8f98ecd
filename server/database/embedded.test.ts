import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { StartRefused } from "../settings/env.ts";
import { openCluster } from "./cluster.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { freePort, startPostmaster } from "./postmaster.ts";
import { isAlive } from "./running-process.ts";

const isRoot = process.getuid?.() === 0;
const kept = [{ answer: 42 }];
let made: string;
beforeAll(async () => {
  made = makeFolder();
  const { url, stop } = await startEmbeddedPostgres(made);
  await ask(url, "create table kept as select 42 as answer");
  await stop();
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

describe("The embedded PostgreSQL", () => {
  it("leaves alone a stranger whose process has the number that a stale postmaster.pid names", async () => {
    const dataDir = copyOfMade();
    const cluster = join(dataDir, "postgres");
    // With the same user as PostgreSQL, which checks for that process id itself, and the same name.
    const { uid, gid } = statSync(cluster);
    const stranger = live(spawn("sleep", ["600"], { argv0: "postgres", uid, gid, cwd: "/", stdio: "ignore" }));
    writeFileSync(join(cluster, "postmaster.pid"), `${stranger.pid}\n${cluster}\n`);
    expect(await keptIn(dataDir)).toEqual(kept);
    expect(isAlive(stranger.pid ?? 0)).toBe(true);
  });

  it.each(["", "0\n", "-4000000\n", "nonsense\n"])("starts over a postmaster.pid that says %j", async (text) => {
    const dataDir = copyOfMade();
    writeFileSync(join(dataDir, "postgres", "postmaster.pid"), text);
    expect(await keptIn(dataDir)).toEqual(kept);
  });

  it("ends the one that a killed server left on the same folder, and takes over", async () => {
    const dataDir = copyOfMade();
    await startPostmaster(await openCluster(dataDir), await freePort(), 1);
    const pid = postmasterOf(dataDir);
    expect(await keptIn(dataDir)).toEqual(kept);
    expect(isAlive(pid)).toBe(false);
  });

  it("knows the letters of words that are not Latin, by which its index of words finds them", async () => {
    const { url, stop } = await startEmbeddedPostgres(copyOfMade());
    onTestFinished(stop);
    await ask(url, "create extension pg_trgm");
    expect(await ask(url, "select cardinality(show_trgm('गोमती')) as pieces")).toEqual([{ pieces: 6 }]);
  });

  it("starts from a copy that root made", async ({ skip }) => {
    skip(!isRoot, "only root hands PostgreSQL over to another user");
    const dataDir = copyOfMade();
    const cluster = join(dataDir, "postgres");
    for (const entry of ["", ...readdirSync(cluster, { recursive: true, encoding: "utf8" })])
      lchownSync(join(cluster, entry), 0, 0);
    chmodSync(cluster, 0o755);
    expect(await keptIn(dataDir)).toEqual(kept);
    expect((statSync(cluster).mode & 0o777).toString(8)).toBe("700");
  });

  it.each(["missing", "empty"])("sets a new password where the file with it is %s", async (state) => {
    const dataDir = copyOfMade();
    const passwordFile = join(dataDir, "postgres-password");
    rmSync(passwordFile);
    if (state === "empty") writeFileSync(passwordFile, "");
    expect(await keptIn(dataDir)).toEqual(kept);
    expect(readFileSync(passwordFile, "utf8")).not.toBe(readFileSync(join(made, "postgres-password"), "utf8"));
    expect((statSync(passwordFile).mode & 0o777).toString(8)).toBe("600");
    expect(await keptIn(dataDir)).toEqual(kept);
  });

  it("makes a new database where a first start was cut short", async () => {
    const dataDir = makeFolder();
    mkdirSync(join(dataDir, "postgres.unfinished"));
    writeFileSync(join(dataDir, "postgres-password"), "half");
    const { url, stop } = await startEmbeddedPostgres(dataDir, undefined, 9);
    // With room for the connections of this many processes.
    expect(await ask(url, "show max_connections")).toEqual([{ max_connections: "299" }]);
    await stop();
  });
});

describe("Its start is refused with a sentence on what happened and what to do", () => {
  const spoilt: [string, (dataDir: string, cluster: string) => void, RegExp][] = [
    [
      "for a folder without PG_VERSION",
      (_, cluster) => rmSync(join(cluster, "PG_VERSION")),
      /postgres is not a whole database: its PG_VERSION is missing\. Move it away and restore a backup/,
    ],
    [
      "for a file in its place",
      (_, cluster) => {
        rmSync(cluster, { recursive: true });
        writeFileSync(cluster, "");
      },
      /^PostgreSQL could not be started: ENOTDIR/,
    ],
    [
      "for the database of another version",
      (_, cluster) => writeFileSync(join(cluster, "PG_VERSION"), "17\n"),
      /is one of PostgreSQL 17, and PostgreSQL 18 can't read it\. Back it up with the version of Prahari that made it/,
    ],
    [
      "for a database that is gone",
      (_, cluster) => rmSync(cluster, { recursive: true }),
      /postgres is gone\. Put it back or restore a backup; .* delete .*postgres-password\.$/,
    ],
    [
      "for a password that is another database's",
      (dataDir) => writeFileSync(join(dataDir, "postgres-password"), "a".repeat(32)),
      /^The password in .*postgres-password is not the database's\. .* or delete it/,
    ],
    [
      "for a damaged database",
      (_, cluster) => rmSync(join(cluster, "global", "pg_control")),
      /^PostgreSQL could not be started: .*pg_control/,
    ],
    [
      "for a database whose last changes were left behind",
      (_, cluster) => {
        const changes = join(cluster, "pg_wal");
        for (const name of readdirSync(changes)) rmSync(join(changes, name), { recursive: true });
      },
      /^PostgreSQL could not be started: .*checkpoint record/,
    ],
    [
      "for a pointer that names no folder",
      (dataDir) => writeFileSync(join(dataDir, "postgres-folder"), ""),
      /postgres-folder should name the database's folder and does not/,
    ],
    [
      "for a pointer that can't be read",
      (dataDir) => mkdirSync(join(dataDir, "postgres-folder")),
      /postgres-folder, which names the database's folder, can't be read: EISDIR/,
    ],
    [
      "for a pointer to a database that was left on another machine",
      (dataDir) => writeFileSync(join(dataDir, "postgres-folder"), "/var/lib/prahari/never-was"),
      /^The database's folder \/var\/lib\/prahari\/never-was is gone\./,
    ],
    [
      "for a pointer to the database of the data folder it was copied from",
      (dataDir, cluster) => {
        const original = makeFolder();
        for (const owner of [original, dataDir]) writeFileSync(join(owner, "postgres-folder"), cluster);
        writeFileSync(`${cluster}.data-folder`, original);
      },
      /belongs to the data folder .*, of which .* is a copy without it\. Make a backup there/,
    ],
  ];
  it.each(spoilt)("%s", async (_, spoil, sentence) => {
    const dataDir = copyOfMade();
    spoil(dataDir, join(dataDir, "postgres"));
    const refusal: unknown = await startEmbeddedPostgres(dataDir).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartRefused);
    expect((refusal as Error).message).toMatch(sentence);
    expect((refusal as Error).message).not.toContain("\n");
    expect(isAlive(postmasterOf(dataDir))).toBe(false);
  });

  it("for a database of somebody else", async ({ skip }) => {
    skip(!isRoot, "only root can give a folder to somebody else");
    const dataDir = copyOfMade();
    chownSync(join(dataDir, "postgres"), 65534, 65534);
    await expect(startEmbeddedPostgres(dataDir)).rejects.toThrow(
      /belongs to the user with the number 65534; start as that user, or hand it over with: chown -R \d+ \//,
    );
  });

  it("for a disk on which nothing can be written", async () => {
    const dataDir = copyOfMade();
    // Blocks the path of the file with the address, as a full disk would.
    mkdirSync(join(dataDir, "postgres-url"));
    await expect(startEmbeddedPostgres(dataDir)).rejects.toThrow(/^PostgreSQL could not be started: EISDIR/);
    expect(isAlive(postmasterOf(dataDir))).toBe(false);
  });
});

it("A PostgreSQL that keeps ending is given up with the cause", async () => {
  const dataDir = copyOfMade();
  const lost = Promise.withResolvers<string>();
  const { stop } = await startEmbeddedPostgres(dataDir, { restarted: () => {}, lost: lost.resolve }, 1, [0, 0.1]);
  appendFileSync(join(dataDir, "postgres", "postgresql.conf"), "\nno_such_setting = 1\n");
  const pid = postmasterOf(dataDir);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
  expect(await lost.promise).toContain("contains errors");
  await stop();
});

/** Starts the database and answers its content. */
async function keptIn(dataDir: string): Promise<unknown[]> {
  const { url, stop } = await startEmbeddedPostgres(dataDir);
  try {
    return await ask(url, "select answer from kept");
  } finally {
    await stop();
  }
}

async function ask(url: string, query: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(query);
  await client.end();
  return rows;
}

function postmasterOf(dataDir: string): number {
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  return existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, "utf8"), 10) : 0;
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "prahari-embedded-"));
  // Readable by the user that PostgreSQL runs as when this runs as root.
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * A copy with the owners and times of the original. The system's own program is faster than copying file by file from
 * here.
 */
function copyOfMade(): string {
  const dataDir = makeFolder();
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  if (platform() === "win32") cpSync(made, dataDir, { recursive: true, preserveTimestamps: true });
  else execFileSync("cp", ["-a", `${made}/.`, dataDir]);
  return dataDir;
}

function live(child: ChildProcess): ChildProcess {
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
