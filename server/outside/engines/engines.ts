import { type EngineKind, engineKinds } from "../../../contract/engine-kinds.ts";
import { type Connection, type Network, openConnection } from "./connection.ts";
import type { Binding, Engine } from "./engine.ts";
import { type AddressRules, type Resolve, resolveBySystem } from "./safe-address.ts";
import { irisEngine } from "./iris/iris.ts";
import { opensearchEngine } from "./opensearch/opensearch.ts";
import { shuffleEngine } from "./shuffle/shuffle.ts";
import { thehiveEngine } from "./thehive/thehive.ts";
import { openTokens, type Tokens } from "./tokens.ts";
import { wazuhEngine } from "./wazuh/wazuh.ts";

/** The engines that customers are bound to. */
export interface Engines {
  /** Opens the engine of a binding; the caller closes it. It makes no call yet, and no call outlasts the deadline. */
  open(binding: Binding, deadline?: AbortSignal): Engine;
  /** Aborts every running call and refuses new ones. */
  stop(): void;
}

/** What an adapter is made from. */
export interface Surroundings {
  connection: Connection;
  tokens: Tokens;
  /** The engine's name in messages for people. */
  called: string;
  now(): Date;
}

type Adapter = (binding: Binding, surroundings: Surroundings) => Engine;

const adapters: Record<EngineKind, Adapter> = {
  wazuh4: wazuhEngine,
  wazuh5: wazuhEngine,
  iris: irisEngine,
  thehive: thehiveEngine,
  opensearch: opensearchEngine,
  shuffle: shuffleEngine,
};

export function openEngines(
  rules: AddressRules,
  options: Partial<Omit<Network, "rules">> & { resolve?: Resolve; now?: () => Date } = {},
): Engines {
  const tokens = openTokens();
  const stop = new AbortController();
  const network: Network = {
    stopping: stop.signal,
    rules,
    resolve: resolveBySystem,
    standIn: () => null,
    answerMs: 10_000,
    answerBytesMax: 16_000_000,
    ...options,
  };
  return {
    stop: () => stop.abort(),
    open: (binding, deadline) =>
      adapters[binding.kind](binding, {
        connection: openConnection({ ...network, ...(deadline && { deadline }) }, binding.caCertificate),
        tokens,
        called: engineKinds[binding.kind].name,
        now: options.now ?? (() => new Date()),
      }),
  };
}
