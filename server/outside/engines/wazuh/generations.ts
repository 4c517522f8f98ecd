import { z } from "zod";
import type { FindingState, Severity } from "../../../../contract/engine-kinds.ts";
import type { Finding } from "../engine.ts";
import { readRecords, severityWords, shortened, wordIn } from "../read-records.ts";
import { readTime } from "../read-time.ts";
import type { Hit } from "./indexer.ts";

/** What differs between Wazuh 4 and 5: their indexes share no field names. */
export interface Generation {
  major: number;
  /** Index pattern of what rules matched. */
  findings: string;
  /** Index pattern of all events that devices sent, if they are kept. */
  events: string;
  time: string;
  device: string;
  /** The field that names an event's log source. */
  source: string;
  /** A filter for this customer's agents, in a manager that serves several customers. */
  ofTenant(group: string, agentIds: () => Promise<string[]>): Promise<object>;
  /** The fields to read of a finding: its document also holds whole log lines. */
  fields: string[];
  query(from: string, tenant: object[]): object;
  read(hits: Hit[]): { items: Finding[]; unreadable: number };
}

/** Rules below this level report everyday events: https://documentation.wazuh.com, rules classification. */
const lowestLevel = 7;

export const wazuh4: Generation = {
  major: 4,
  findings: "wazuh-alerts-4.x-*",
  events: "wazuh-archives-4.x-*",
  time: "timestamp",
  device: "agent.id",
  source: "decoder.name",
  // Alerts don't carry their agent's group.
  ofTenant: async (_group, agentIds) => ({ terms: { "agent.id": await agentIds() } }),
  fields: ["timestamp", "agent.id", "rule.level", "rule.description", "rule.mitre.id"],
  query: (from, tenant) => ({
    bool: {
      filter: [{ range: { timestamp: { gte: from } } }, { range: { "rule.level": { gte: lowestLevel } } }, ...tenant],
    },
  }),
  read: (hits) => readRecords(Alert, hits, alertOf),
};

export const wazuh5: Generation = {
  major: 5,
  findings: "wazuh-findings-v5-*",
  events: "wazuh-events-v5-*",
  time: "@timestamp",
  device: "wazuh.agent.id",
  source: "wazuh.integration.name",
  ofTenant: async (group) => ({ term: { "wazuh.agent.groups": group } }),
  fields: [
    "@timestamp",
    "wazuh.agent.id",
    "wazuh.rule.title",
    "wazuh.rule.level",
    "wazuh.rule.mitre.technique.id",
    "wazuh.case.status",
  ],
  // A finding that somebody works on changes after it was found.
  query: (from, tenant) => ({
    bool: {
      filter: tenant,
      should: [{ range: { "@timestamp": { gte: from } } }, { range: { "wazuh.case.updated_at": { gte: from } } }],
      minimum_should_match: 1,
    },
  }),
  read: (hits) => readRecords(FindingDocument, hits, findingOf),
};

const Alert = z.object({
  id: z.string(),
  source: z.object({
    timestamp: z.string(),
    agent: z.object({ id: z.string().nullish() }).nullish(),
    rule: z
      .object({
        level: z.union([z.number(), z.string()]).nullish(),
        description: z.string().nullish(),
        mitre: z.object({ id: z.array(z.string()).nullish() }).nullish(),
      })
      .nullish(),
  }),
});

function alertOf({ id, source: { timestamp, agent, rule } }: z.output<typeof Alert>): Finding | null {
  const at = readTime(timestamp);
  if (!at) return null;
  return {
    id,
    title: shortened(rule?.description ?? "An alert without a description"),
    severity: severityOfLevel(rule?.level),
    rawSeverity: String(rule?.level ?? ""),
    // Wazuh 4 keeps no state of an alert: the case engine where people work on it does.
    state: "open",
    at,
    firstResponseAt: null,
    deviceId: deviceOf(agent?.id),
    attack: rule?.mitre?.id ?? [],
  };
}

const deviceOf = (id: string | null | undefined) => (id && id !== "000" ? id : null);

function severityOfLevel(level: number | string | null | undefined): Severity {
  if (typeof level !== "number" || !Number.isInteger(level) || level < 0 || level > 16) return "unknown";
  if (level >= 12) return "critical";
  if (level >= 9) return "high";
  if (level >= 6) return "medium";
  return level > 0 ? "low" : "info";
}

const FindingDocument = z.object({
  id: z.string(),
  source: z.object({
    "@timestamp": z.string(),
    wazuh: z
      .object({
        agent: z.object({ id: z.string().nullish() }).nullish(),
        rule: z
          .object({
            title: z.string().nullish(),
            level: z.string().nullish(),
            mitre: z.object({ technique: z.object({ id: z.array(z.string()).nullish() }).nullish() }).nullish(),
          })
          .nullish(),
        case: z.object({ status: z.string().nullish() }).nullish(),
      })
      .nullish(),
  }),
});

const caseStates: Record<string, FindingState> = {
  active: "open",
  acknowledged: "acknowledged",
  completed: "closed",
  deleted: "closed",
};

function findingOf({ id, source }: z.output<typeof FindingDocument>): Finding | null {
  const at = readTime(source["@timestamp"]);
  if (!at) return null;
  const { agent, rule, case: worked } = source.wazuh ?? {};
  return {
    id,
    title: shortened(rule?.title ?? "A finding without a title"),
    severity: wordIn(severityWords, rule?.level),
    rawSeverity: rule?.level ?? "",
    state: worked?.status ? wordIn(caseStates, worked.status) : "open",
    at,
    firstResponseAt: null,
    deviceId: deviceOf(agent?.id),
    attack: rule?.mitre?.technique?.id ?? [],
  };
}
