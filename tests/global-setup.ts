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

/**
 * One PostgreSQL for the whole run: that of DATABASE_URL, or an embedded one. Each test file copies the template
 * database.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["DATABASE_URL"];
  const dataDir = mkdtempSync(join(tmpdir(), "prahari-test-"));
  // Readable by the user that PostgreSQL runs as when these tests run as root; the data themselves stay closed.
  chmodSync(dataDir, 0o755);
  const embedded = given ? null : await startEmbeddedPostgres(dataDir);
  const postgresUrl = given ?? embedded?.url ?? "";
  const templateDatabase = `prahari_template_${process.pid}`;
  const admin = new Client({ connectionString: postgresUrl });
  await admin.connect();
  // Nothing here has to survive a power failure or lives long enough to need vacuuming: it is all thrown away.
  if (embedded) {
    for (const setting of ["fsync", "synchronous_commit", "full_page_writes", "autovacuum"])
      await admin.query(`alter system set ${setting} = off`);
    // A connection that a test freezes during authentication holds up each drop of a database until it times out.
    await admin.query("alter system set authentication_timeout = '15s'");
    // The password stays the same; some thousand connections present it, and each costs these hash rounds.
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
