import { createAdaptorServer } from "@hono/node-server";
import { rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { isNull } from "drizzle-orm";
import { openStandIn, standInBinding } from "../server/demo/engines/stand-ins.ts";
import { migrateDatabase } from "../server/database/database.ts";
import { startEmbeddedPostgres } from "../server/database/embedded.ts";
import { countAllDue } from "../server/coverage/recount.ts";
import {
  coverageFigures,
  coveredDevices,
  engineBindings,
  engineDevices,
  engineStreams,
  organisations,
} from "../server/database/schema/index.ts";
import { placeOf, secretOf } from "../server/engines/open-binding.ts";
import { pollEngine } from "../server/engines/poll.ts";
import { openServices } from "../server/open.ts";
import { seal, sealingKeys } from "../server/protection/sealed-secret.ts";
import { lastEventsMinutesMax } from "../server/outside/engines/engine.ts";
import { readEnv } from "../server/settings/env.ts";
import { makeDataDir } from "../tests/process/running-product.ts";
import { compare, option, report, whole } from "./measure.ts";

/**
 * One polling round over all bindings: `--bindings=` customers (1,000 by default) with one engine of a hundred devices
 * each, sixteen at once. The stand-in engine and PostgreSQL use the same cores. The round has to end within a minute,
 * when the next begins. The baseline reads the same answers and discards them. Then the coverage of all these customers
 * is counted, first with every device new, then with none changed.
 */

const bindings = option("bindings", 1000);
const devicesOfEach = 100;
const atOnce = 16;

const standIn = openStandIn("wazuh4", { size: devicesOfEach });
const http = createAdaptorServer({ fetch: standIn.app.fetch });
await new Promise<void>((ready) => http.listen(0, "127.0.0.1", ready));
const binding = standInBinding("wazuh4", `http://127.0.0.1:${(http.address() as AddressInfo).port}`);
const dataDir = makeDataDir();
const postgres = await startEmbeddedPostgres(dataDir);
await migrateDatabase(postgres.url);
const env = readEnv({ DATA_DIR: dataDir, DEMO: "1", ENGINES_ALLOW_PRIVATE: "1", LOG_LEVEL: "silent" });
const address = "http://127.0.0.1:1";
const services = await openServices(env, { databaseUrl: postgres.url, publicUrl: address, internalUrl: address });
try {
  const ids = await insertBindings();
  const ours = () => timeOf(ids, (id) => pollEngine(services, id));
  const baseline = () => timeOf(ids, readOnly);
  const { ratio, ours: round, baseline: reading } = await compare(3, ours, baseline);
  const failing = await services.database.$count(engineStreams, isNull(engineStreams.lastAnswerAt));
  const devices = await services.database.$count(engineDevices);
  if (failing > 0 || devices !== bindings * devicesOfEach) throw new Error(`${failing} fail, ${devices} devices`);
  const detail = `${whole(bindings)} bindings with ${whole(devices)} devices; reading alone ${reading.toFixed(1)} s`;
  report("engines, a round", round, detail);
  report("engines, storing", ratio, "the time of a round to that of reading the same answers");
  const first = await timeOfCount();
  await services.database.update(coverageFigures).set({ nextCountAt: services.now() });
  const again = await timeOfCount();
  if ((await services.database.$count(coveredDevices)) !== devices) throw new Error("Not every device was counted");
  report("coverage, a round", again, `${whole(bindings)} customers; ${first.toFixed(1)} s with every device new`);
} finally {
  await services.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
  http.close();
  if ("closeAllConnections" in http) http.closeAllConnections();
}

async function insertBindings(): Promise<string[]> {
  const { database, now } = services;
  const names = Array.from({ length: bindings }, (_, index) => ({
    kind: "customer" as const,
    name: `Sample ${index}`,
  }));
  const customers = await database.insert(organisations).values(names).returning({ id: organisations.id });
  const keys = sealingKeys(env);
  const rows = customers.map(({ id: organisationId }) => {
    const id = crypto.randomUUID();
    const sealedSecret = seal(keys, binding.secret, secretOf(id));
    return { id, organisationId, ...placeOf(binding), sealedSecret, nextPollAt: now() };
  });
  await database.insert(engineBindings).values(rows);
  return rows.map(({ id }) => id);
}

/** In seconds. */
async function timeOf(ids: string[], work: (id: string) => Promise<void>): Promise<number> {
  const started = performance.now();
  const waiting = [...ids];
  const one = async () => {
    for (let id = waiting.pop(); id; id = waiting.pop()) await work(id);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return (performance.now() - started) / 1000;
}

/** Counts the coverage of all customers. In seconds. */
async function timeOfCount(): Promise<number> {
  const started = performance.now();
  await countAllDue(services);
  return (performance.now() - started) / 1000;
}

async function readOnly(): Promise<void> {
  const engine = services.engines.open(binding);
  const pages = engine.inventory?.devices(null);
  for (let page = await pages?.next(); page && !page.done; page = await pages?.next());
  await engine.inventory?.lastEvents(lastEventsMinutesMax);
  const findings = engine.reports.findings?.({ cursor: null, open: async () => [] });
  for (let batch = await findings?.next(); batch && !batch.done; batch = await findings?.next());
  engine.close();
}
