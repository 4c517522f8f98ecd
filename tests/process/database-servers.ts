import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { findRunner, type Runner } from "../../server/database/postgres-programs.ts";
import { endWithThisProcess } from "../../server/process/end-with-this-process.mjs";
import { freePort } from "../../server/database/postmaster.ts";

/** Programs that these tests need on the machine, at Debian's paths: nothing here installs them. */
const programs = {
  folder: newestIn("/usr/lib/postgresql"),
  pgBouncer: ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((path) => existsSync(path)) ?? null,
};

/** What is missing for a replica behind a pooler, worded for a test's title; null when everything is there. */
export const missing =
  [programs.folder ? null : "PostgreSQL's programs", programs.pgBouncer ? null : "PgBouncer"]
    .filter((name) => name !== null)
    .join(" and ") || null;

export interface DatabaseServer {
  port: number;
  stop(): Promise<void>;
}

/** An empty PostgreSQL that can be replicated; its user postgres needs no password. */
export async function startPrimary(): Promise<DatabaseServer> {
  const [runner, folder] = ownFolder();
  run("initdb", ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8", folder], runner);
  return startPostgres(folder, runner);
}

/** A streaming replica of a server, made by pg_basebackup. */
export async function startReplicaOf({ port }: DatabaseServer): Promise<DatabaseServer> {
  const [runner, folder] = ownFolder();
  const from = ["--host=127.0.0.1", `--port=${port}`, "--username=postgres"];
  run("pg_basebackup", [...from, `--pgdata=${folder}`, "--write-recovery-conf", "--checkpoint=fast"], runner);
  return startPostgres(folder, runner);
}

/** A PgBouncer in transaction mode. `databases` by the names under which it offers them. */
export async function startPgBouncer(
  databases: Record<string, { port: number; name: string }>,
  connections: number,
): Promise<DatabaseServer> {
  const [runner, folder] = ownFolder();
  const port = await freePort();
  const offered = Object.entries(databases).map(
    ([name, real]) => `${name} = host=127.0.0.1 port=${real.port} dbname=${real.name}`,
  );
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "trust",
    auth_file: `${folder}/users`,
    pool_mode: "transaction",
    default_pool_size: connections,
    max_client_conn: 1000,
  };
  const given = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const lines = ["[databases]", ...offered, "[pgbouncer]", ...given];
  writeFileSync(join(folder, "users"), '"soc" ""\n', { mode: 0o644 });
  writeFileSync(join(folder, "pgbouncer.ini"), lines.join("\n"), { mode: 0o644 });
  return startServer(programs.pgBouncer ?? "", ["--quiet", join(folder, "pgbouncer.ini")], port, [runner, folder]);
}

async function startPostgres(folder: string, runner: Runner): Promise<DatabaseServer> {
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    fsync: "off",
    wal_level: "replica",
  };
  const given = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return startServer(join(programs.folder ?? "", "postgres"), ["-D", folder, ...given], port, [runner, folder]);
}

async function startServer(
  program: string,
  args: string[],
  port: number,
  [runner, folder]: [Runner, string],
): Promise<DatabaseServer> {
  const begin = () => spawn(program, args, { ...runner, cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
  const child = endWithThisProcess("SIGINT", begin, runner);
  let said = "";
  for (const output of [child.stdout, child.stderr]) output.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  for (const until = Date.now() + 30_000; !(await answers(port)); await sleep(100))
    if (Date.now() > until || child.exitCode !== null) throw new Error(`${program} did not start: ${said}`);
  return {
    port,
    async stop() {
      // PostgreSQL's fast shutdown; PgBouncer does not wait for clients then either.
      child.kill("SIGINT");
      await Promise.race([ended, sleep(3000)]);
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether the server accepts a login or refuses it for a reason other than starting up. */
async function answers(port: number): Promise<boolean> {
  const client = new Client({ host: "127.0.0.1", port, user: "postgres", database: "postgres" });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    // cannot_connect_now
    return code !== undefined && code !== "57P03" && !code.startsWith("ECONN");
  } finally {
    await client.end().catch(() => {});
  }
}

function ownFolder(): [Runner, string] {
  const runner = findRunner();
  const folder = mkdtempSync(join(tmpdir(), "prahari-database-"));
  chmodSync(folder, 0o700);
  if (runner.uid !== undefined && runner.gid !== undefined) chownSync(folder, runner.uid, runner.gid);
  return [runner, folder];
}

function run(program: string, args: string[], runner: Runner): void {
  const { status, stderr } = spawnSync(join(programs.folder ?? "", program), args, {
    ...runner,
    cwd: "/",
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}

function newestIn(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const versions = readdirSync(folder).toSorted((a, b) => Number(b) - Number(a));
  return (
    versions.map((version) => join(folder, version, "bin")).find((bin) => existsSync(join(bin, "postgres"))) ?? null
  );
}
