import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { Client } from "pg";
import type { OperationName } from "../contract/operations.ts";
import type { Role } from "../contract/roles.ts";
import { migrateDatabase, openDatabase } from "../server/database/database.ts";
import { startEmbeddedPostgres } from "../server/database/embedded.ts";
import { organisations, people, sessions } from "../server/database/schema/index.ts";
import { authorise } from "../server/http/authenticate.ts";
import { findForPartner, findForProvider } from "../server/palette/find.ts";
import { listByRole } from "../server/people/queries.ts";
import { ensureRateCard } from "../server/rates/rate-card.ts";
import type { Services } from "../server/services.ts";
import { fillLists, largePartnerId } from "../tests/fill-lists.ts";
import { makeDataDir } from "../tests/process/running-product.ts";
import { compare, median, report, whole } from "./measure.ts";

/**
 * The command palette with as many customers, quotes, orders, invoices and leads each as the argument says (100,000
 * without one): a look by name, organisation, e-mail prefix or number, against the first page of all customers.
 */

const rows = Number(process.argv[2] ?? 100_000);
const aimMs = 50;
const rounds = 5;
/** Many have some of these words, few or none the others. */
const words = [
  ["kaveri", "asha 1", "textiles", "ka", "ganga"],
  ["asha 77f", "77123@", "7712", "0a1b2c", "no such thing", "zz"],
  ["Q-000077", `O-${rows - 5}`, "L-5", "12345", "SOC/26-27/000123"],
].flat();

const dataDir = makeDataDir();
const postgres = await startEmbeddedPostgres(dataDir);
await migrateDatabase(postgres.url);
const database = openDatabase(postgres.url, { waitMs: 10_000, statementMs: 120_000 });
const services = { database, now: () => new Date() } as Services;
try {
  await ensureRateCard(database, services.now);
  await fill();
  const all = await scopeFor("admin/find", "admin", await insertProvider());
  const partners = await scopeFor("partner/find", "partner", largePartnerId);
  await measure(
    "palette",
    (typed) => findForProvider(services, all, typed),
    () => listByRole(services, all, "user", { limit: 50 }),
  );
  await measure(
    "  partner",
    (typed) => findForPartner(services, partners, typed),
    () => listByRole(services, all, "user", { limit: 50 }),
  );
} finally {
  await database.$client.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Prints the median look's milliseconds, over all words, as a ratio to the baseline's of the same run. */
async function measure(name: string, find: (typed: string) => Promise<object>, baseline: () => Promise<object>) {
  const slowest = new Map<string, number>();
  const { ratio, ...each } = await compare(
    rounds,
    async () => {
      const times: number[] = [];
      for (const typed of words) {
        const took = await timeOf(() => find(typed));
        slowest.set(typed, Math.max(took, slowest.get(typed) ?? 0));
        times.push(took);
      }
      return median(times);
    },
    async () => median(await repeat(words.length, () => timeOf(baseline))),
  );
  const worst = [...slowest].toSorted(([, one], [, other]) => other - one)[0];
  const detail = `${each.ours.toFixed(1)} ms (aim ${aimMs}) with ${whole(rows)} rows, slowest “${worst?.[0]}” ${worst?.[1].toFixed(0)} ms`;
  report(name, ratio, "a page of customers", `${aimMs} ms`, detail);
}

async function timeOf(ask: () => Promise<object>): Promise<number> {
  const started = performance.now();
  await ask();
  return performance.now() - started;
}

async function repeat(times: number, ask: () => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  for (let time = 0; time < times; time++) taken.push(await ask());
  return taken;
}

async function insertProvider(): Promise<string> {
  const id = randomUUID();
  await database.insert(organisations).values({ id, kind: "provider", name: "Sample Provider" });
  return id;
}

/** The scope of an operation for somebody new, as a call would get it. */
async function scopeFor<Name extends OperationName>(name: Name, role: Role, organisationId: string) {
  const [personId, sessionId] = [randomUUID(), randomUUID()];
  const joinedAt = new Date();
  const person = { firstName: "Asha", lastName: "Rao", phone: "+919876543210", joinedAt };
  await database.insert(people).values({ id: personId, organisationId, role, email: `${role}@example.in`, ...person });
  const expiresAt = new Date(joinedAt.getTime() + 3_600_000);
  await database.insert(sessions).values({ id: sessionId, personId, expiresAt });
  return (await authorise(services, name, { sessionId })).scope;
}

async function fill(): Promise<void> {
  // Without the time limit of the product's own connections.
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await fillLists(client, rows);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}
