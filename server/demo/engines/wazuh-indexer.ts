import type { Hono } from "hono";
import type { FleetFinding } from "./fleet.ts";
import { type Document, type Search, searchDocuments } from "./search-documents.ts";
import { isBasic, type StandInState } from "./stand-in.ts";

/** The rule level of a Wazuh 4 alert for each severity. */
const levels = { critical: 13, high: 10, medium: 7, low: 7 } as const;
const caseStates = { open: "ACTIVE", acknowledged: "ACKNOWLEDGED", closed: "COMPLETED" } as const;

export function mountIndexer(app: Hono, state: StandInState, isFive: boolean): void {
  app.post("/indexer/:pattern/_search", async (context) => {
    if (!isBasic(context)) return context.text("Unauthorized", 401);
    const documents = documentsOf(context.req.param("pattern"), state, isFive);
    const search = await context.req.json<Search>();
    const found = searchDocuments(documents ?? [], search, state.now());
    const failed = state.does("partial answer") ? 1 : 0;
    return context.json({ took: 3, timed_out: false, _shards: { total: documents ? 3 : 0, failed }, ...found });
  });
}

/** Null if no index matches the pattern. */
function documentsOf(pattern: string, state: StandInState, isFive: boolean): Document[] | null {
  if (state.does("no index")) return null;
  const { findings, devices } = state.fleet();
  if (pattern === (isFive ? "wazuh-findings-v5-*" : "wazuh-alerts-4.x-*")) {
    const found = findings.map((finding) => (isFive ? findingDocument(finding, state) : alertDocument(finding, state)));
    return state.does("duplicates") ? [...found, ...found].toReversed() : found;
  }
  if (pattern !== (isFive ? "wazuh-events-v5-*" : "wazuh-archives-4.x-*")) return null;
  return devices.flatMap(({ id, group, os, lastEventAt }) =>
    lastEventAt
      ? [
          {
            _index: pattern.replace("*", "1"),
            _id: `event-${id}`,
            _source: isFive
              ? {
                  "@timestamp": lastEventAt.toISOString(),
                  wazuh: { agent: { id, groups: [group] }, integration: { name: sourceOf(os) } },
                }
              : { timestamp: lastEventAt.toISOString(), agent: { id }, decoder: { name: sourceOf(os) } },
          },
        ]
      : [],
  );
}

/** The engine's name for what such a machine logs. */
function sourceOf(os: string): string {
  if (os.startsWith("Forti")) return "fortigate-firewall-v6";
  return os.includes("Windows") ? "windows_eventchannel" : "sshd";
}

function alertDocument({ number, at, deviceId, title, severity, attack }: FleetFinding, state: StandInState): Document {
  const level = state.does("unknown words") ? 99 : levels[severity];
  return {
    _index: `wazuh-alerts-4.x-${at.toISOString().slice(0, 10).replaceAll("-", ".")}`,
    _id: `sample-${number}`,
    _source: {
      // As Wazuh writes it: a zone without a colon.
      timestamp: at.toISOString().replace("Z", "+0000"),
      agent: { id: deviceId, name: `sample-${deviceId}` },
      manager: { name: "sample-manager" },
      rule: {
        id: "100100",
        level,
        ...(!state.does("missing fields") && { description: title, mitre: { id: attack } }),
      },
    },
  };
}

function findingDocument(
  { number, at, deviceId, title, severity, attack, state: worked }: FleetFinding,
  state: StandInState,
): Document {
  return {
    _index: ".ds-wazuh-findings-v5-security-000001",
    _id: `sample-${number}`,
    _source: {
      "@timestamp": at.toISOString(),
      wazuh: {
        agent: { id: deviceId, groups: [state.fleet().devices[0]?.group ?? ""] },
        rule: {
          level: state.does("unknown words") ? "apocalyptic" : severity,
          ...(!state.does("missing fields") && { title, mitre: { technique: { id: attack } } }),
        },
        case: { status: state.does("unknown words") ? "DREAMING" : caseStates[worked], updated_at: at.toISOString() },
      },
    },
  };
}
