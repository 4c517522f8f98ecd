import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { migrateDatabase } from "../server/database/database.ts";
import { startEmbeddedPostgres } from "../server/database/embedded.ts";
import { startJobs } from "../server/jobs/jobs.ts";
import { jobs } from "../server/upkeep/jobs.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
    templateDatabase: string;
  }
}

/** One PostgreSQL for the whole run: the one of DATABASE_URL, or an embedded one. Each test file copies the template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["DATABASE_URL"];
  const dataDir = mkdtempSync(join(tmpdir(), "prahari-test-"));
  // Open to the user PostgreSQL runs as when these tests run as root; the data themselves stay closed.
  chmodSync(dataDir, 0o755);
  const embedded = given ? null : await startEmbeddedPostgres(dataDir);
  const postgresUrl = given ?? embedded?.url ?? "";
  const templateDatabase = `prahari_template_${process.pid}`;
  const admin = new Client({ connectionString: postgresUrl });
  await admin.connect();
  // Nothing here has to survive a loss of power, nor lives long enough to be tidied: it is all thrown away.
  if (embedded) {
    for (const setting of ["fsync", "synchronous_commit", "full_page_writes", "autovacuum"])
      await admin.query(`alter system set ${setting} = off`);
    // A connection that a test freezes while it signs in holds up each drop of a database until it is given up.
    await admin.query("alter system set authentication_timeout = '15s'");
    // The password stays as it is; some thousand connections show it, and each costs time by these rounds.
    await admin.query("set scram_iterations = 1");
    await admin.query("select pg_reload_conf()");
    await admin.query(`alter role current_user password '${new URL(postgresUrl).password}'`);
  }
  await admin.query(`create database ${templateDatabase}`);
  const url = databaseUrl(postgresUrl, templateDatabase);
  await migrateDatabase(url);
  await (await startJobs(url, jobs, null, pino({ level: "silent" }), () => {})).stop();
  project.provide("postgresUrl", postgresUrl);
  project.provide("templateDatabase", templateDatabase);
  return async () => {
    await admin.query(`drop database ${templateDatabase} with (force)`);
    await admin.end();
    await embedded?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/** The same server, another database. */
export function databaseUrl(postgresUrl: string, name: string): string {
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}
