import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { Client } from "pg";
import type { OperationName } from "../contract/operations.ts";
import type { Role } from "../contract/roles.ts";
import { migrateDatabase, openDatabase } from "../server/database/database.ts";
import { startEmbeddedPostgres } from "../server/database/embedded.ts";
import { organisations, people, sessions } from "../server/database/schema/index.ts";
import { authorise } from "../server/http/authenticate.ts";
import { ensureRateCard } from "../server/rates/rate-card.ts";
import type { Services } from "../server/services.ts";
import { fillLists } from "../tests/fill-lists.ts";
import { makeDataDir } from "../tests/process/running-product.ts";

/** Runs `act` on a database whose long lists have this many rows, and removes the database afterwards. */
export async function withFilledLists<Given>(
  rows: number,
  act: (services: Services) => Promise<Given>,
): Promise<Given> {
  const dataDir = makeDataDir();
  const postgres = await startTunedPostgres(dataDir);
  await migrateDatabase(postgres.url);
  const database = openDatabase(postgres.url, { waitMs: 10_000, statementMs: 120_000 });
  const services = { database, now: () => new Date() } as Services;
  try {
    await ensureRateCard(database, services.now);
    await fillDatabase(postgres.url, rows);
    return await act(services);
  } finally {
    await database.$client.end();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export async function insertProvider({ database }: Services): Promise<string> {
  const id = randomUUID();
  await database.insert(organisations).values({ id, kind: "provider", name: "Sample Provider" });
  return id;
}

/** The scope that a call of the operation would get, for a new person. */
export async function scopeFor<Name extends OperationName>(
  services: Services,
  name: Name,
  role: Role,
  organisationId: string,
) {
  const [personId, sessionId] = [randomUUID(), randomUUID()];
  const joinedAt = new Date();
  const email = `${role}@example.in`;
  const person = { firstName: "Asha", lastName: "Rao", phone: "+919876543210", joinedAt };
  const { database } = services;
  await database.insert(people).values({ id: personId, organisationId, role, email, ...person });
  const expiresAt = new Date(joinedAt.getTime() + 3_600_000);
  await database.insert(sessions).values({ id: sessionId, personId, expiresAt });
  return (await authorise(services, name, { sessionId })).scope;
}

/**
 * With about a sixth of the measured machine's memory: an operator with a million rows would give PostgreSQL a share
 * like that.
 */
async function startTunedPostgres(dataDir: string) {
  const untuned = await startEmbeddedPostgres(dataDir);
  const client = new Client(untuned.url);
  await client.connect();
  await client.query("alter system set shared_buffers = '4GB'");
  await client.end();
  await untuned.stop();
  return startEmbeddedPostgres(dataDir);
}

// A crash may lose everything: the database is thrown away anyway.
const withoutCare = ["fsync = off", "full_page_writes = off", "autovacuum = off", "max_wal_size = '8GB'"];

/** Fills the lists of a migrated database that has a rate card. */
export async function fillDatabase(databaseUrl: string, rows: number): Promise<void> {
  // Without the statement timeout of the product's own connections.
  const clients = [new Client(databaseUrl), new Client(databaseUrl)] as const;
  const [client] = clients;
  for (const each of clients) await each.connect();
  try {
    for (const setting of withoutCare) await client.query(`alter system set ${setting}`);
    await client.query("select pg_reload_conf()");
    await fillLists(clients, rows);
    await client.query("vacuum (analyze, parallel 2)");
    await client.query("checkpoint");
    await client.query("alter system reset all");
    await client.query("select pg_reload_conf()");
  } finally {
    for (const each of clients) await each.end();
  }
}
