import { type EngineKind, engineKinds } from "../../../contract/engine-kinds.ts";
import { urlOf } from "./engine-api.ts";

/** Where an engine's own pages are. */
export interface EnginePages {
  kind: EngineKind;
  address: string;
  /** Where people open it, if not at `address`. */
  dashboardAddress: string | null;
  /** As it said it last; null where it has not. */
  engineVersion: string | null;
}

/** A record as its engine calls it. */
export interface InEngine {
  kind: "device" | "finding" | "incident";
  id: string;
}

type PagesOf = Partial<Record<InEngine["kind"], (root: string, id: string) => URL | null>>;

/** The page of an agent. It has this address since 4.8; what a version calls it that is not known is not guessed. */
const agentPage = (root: string, id: string) => {
  const page = urlOf(root, "/app/endpoints-summary");
  page.hash = `/agents?tab=welcome&agent=${encodeURIComponent(id)}`;
  return page;
};

/** As the engines' own sources write these addresses: docs/engines.md says where. */
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
