import { type EngineKind, engineKinds } from "../../../contract/engine-kinds.ts";
import { urlOf } from "./engine-api.ts";

/** Where an engine's own web pages are. */
export interface EnginePages {
  kind: EngineKind;
  address: string;
  /** Where people open its pages, if not at `address`. */
  dashboardAddress: string | null;
  /** As the engine last reported it; null if it never has. */
  engineVersion: string | null;
}

/** A record by the engine's own id. */
export interface InEngine {
  kind: "device" | "finding" | "incident";
  id: string;
}

type PagesOf = Partial<Record<InEngine["kind"], (root: string, id: string) => URL | null>>;

/** An agent's page. It has this address since Wazuh 4.8; for an unknown version none is guessed. */
const agentPage = (root: string, id: string) => {
  const page = urlOf(root, "/app/endpoints-summary");
  page.hash = `/agents?tab=welcome&agent=${encodeURIComponent(id)}`;
  return page;
};

/** Taken from the engines' own sources, listed in docs/engines.md. */
const pagesOf: Record<EngineKind, PagesOf> = {
  wazuh4: { device: agentPage },
  wazuh5: { device: agentPage },
  iris: {
    finding: (root, id) => urlOf(root, "/alerts", { alert_ids: id }),
    incident: (root, id) => urlOf(root, "/case", { cid: id }),
  },
  thehive: { incident: (root, id) => urlOf(root, `/cases/${encodeURIComponent(id)}/details`) },
  opensearch: {},
  shuffle: {},
};

/** Where a person opens this record in the engine's own pages; null where no such page is known. */
export function pageIn({ kind, address, dashboardAddress, engineVersion }: EnginePages, what: InEngine): string | null {
  // The API of Wazuh and its dashboard never share an address.
  const root = dashboardAddress ?? (engineKinds[kind].indexer ? null : address);
  if (root === null || (kind === "wazuh4" && !isSince48(engineVersion))) return null;
  return pagesOf[kind][what.kind]?.(root, what.id)?.href ?? null;
}

const isSince48 = (version: string | null) => Number(/^4\.(\d+)/.exec(version ?? "")?.[1] ?? 0) >= 8;
