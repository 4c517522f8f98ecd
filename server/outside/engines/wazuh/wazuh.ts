import type { Binding, Engine, LastEvents } from "../engine.ts";
import { EngineFailure } from "../engine-failure.ts";
import type { Surroundings } from "../engines.ts";
import { type Generation, wazuh4, wazuh5 } from "./generations.ts";
import { openIndexer } from "./indexer.ts";
import { type Manager, openManager } from "./manager.ts";
import { walkDocuments } from "./walk-documents.ts";

/** Wazuh 4 or 5: devices come from its manager, findings from its indexer. */
export function wazuhEngine(binding: Binding, surroundings: Surroundings): Engine {
  const generation = binding.kind === "wazuh5" ? wazuh5 : wazuh4;
  const manager = openManager(binding, surroundings);
  const indexer = openIndexer(binding, surroundings);
  const { tenantKey } = binding;
  const { called } = surroundings;
  let version: string | null = null;
  const checkVersion = async () => (version = await readVersion(manager, generation, called));
  const tenant = async () =>
    tenantKey === null ? [] : [await generation.ofTenant(tenantKey, () => manager.agentIds(tenantKey))];
  return {
    async probe() {
      manager.forgetLogin();
      await checkVersion();
      if (tenantKey !== null) await manager.checkGroup(tenantKey);
      if (indexer && !(await indexer.holds(generation.findings))) throw noIndex(generation, called);
      return { version, skewSeconds: manager.skewSeconds() };
    },
    known: () => ({ version, skewSeconds: manager.skewSeconds() }),
    inventory: {
      async *devices(cursor) {
        await checkVersion();
        return yield* manager.agents(tenantKey, cursor);
      },
      async lastEvents(withinMinutes): Promise<LastEvents> {
        if (!indexer) return { basis: "findings", at: new Map(), sources: new Map() };
        const { time, device, source } = generation;
        const [basis, pattern] = (await indexer.holds(generation.events))
          ? (["events", generation.events] as const)
          : (["findings", generation.findings] as const);
        return {
          basis,
          ...(await indexer.lastOfEach(pattern, withinMinutes, { time, device, source }, await tenant())),
        };
      },
    },
    reports: {
      findings: indexer
        ? async function* ({ cursor }) {
            // A missing index is a failure: an empty list would look like a quiet day.
            if (!(await indexer.holds(generation.findings))) throw noIndex(generation, called);
            const filter = await tenant();
            yield* walkDocuments(
              indexer,
              generation.findings,
              { cursor, now: surroundings.now() },
              { ...generation, query: (from) => generation.query(from, filter) },
            );
          }
        : null,
      incidents: null,
    },
    remark: null,
    signIn: null,
    close: () => surroundings.connection.close(),
  };
}

async function readVersion(manager: Manager, { major }: Generation, called: string): Promise<string> {
  const version = await manager.version();
  if (version.startsWith(`${major}.`)) return version;
  const told = /^[\w.-]{1,20}$/.test(version) ? version : "that can't be read";
  throw new EngineFailure(
    "version",
    `A Wazuh of version ${told} answers there, and this binding is for ${called}. Bind it as what it is.`,
  );
}

const noIndex = ({ findings }: Generation, called: string) =>
  new EngineFailure(
    "permission",
    `The indexer of ${called} shows no ${findings}: it has none, or this login may not read it. Nothing is known of findings.`,
  );
