/**
 * The engines of a security operations centre that can be bound to a customer, in words that a page knows without loading
 * the schemas. How each is spoken to stands in server/outside/engines, how it is set up in docs/engines.md.
 */
export const engineKinds = {
  wazuh4: {
    watchesDevices: true,
    name: "Wazuh 4",
    tells: "devices and alerts",
    address: { label: "Address of the manager's API", example: "https://wazuh.example.in:55000" },
    indexer: true,
    tenant: { label: "Agent group", hint: "Only where this manager serves several customers", required: false },
    signsInBy: "password",
    pages: "Devices lead to their pages there. Without it nothing leads into Wazuh",
  },
  wazuh5: {
    watchesDevices: true,
    name: "Wazuh 5",
    tells: "devices and findings",
    address: { label: "Address of the manager's API", example: "https://wazuh.example.in:55000" },
    indexer: true,
    tenant: { label: "Agent group", hint: "Only where this manager serves several customers", required: false },
    signsInBy: "password",
    pages: "Devices lead to their pages there. Without it nothing leads into Wazuh",
  },
  iris: {
    watchesDevices: false,
    name: "DFIR-IRIS 2.4",
    tells: "alerts and cases",
    address: { label: "Address", example: "https://iris.example.in" },
    indexer: false,
    tenant: { label: "Customer", hint: "Its number or its name in DFIR-IRIS", required: true },
    signsInBy: "key",
    pages: "Only where people open it at another address than the one above",
  },
  thehive: {
    watchesDevices: false,
    name: "TheHive 5",
    tells: "alerts and cases",
    address: { label: "Address", example: "https://thehive.example.in" },
    indexer: false,
    tenant: { label: "Organisation", hint: "Its name in TheHive", required: true },
    signsInBy: "key",
    pages: "Only where people open it at another address than the one above",
  },
  opensearch: {
    watchesDevices: false,
    name: "OpenSearch Security Analytics",
    tells: "alerts of detectors",
    address: { label: "Address", example: "https://opensearch.example.in:9200" },
    indexer: false,
    tenant: {
      label: "Detectors",
      hint: "What their names begin with, where several customers share them",
      required: false,
    },
    signsInBy: "password",
    pages: null,
  },
  shuffle: {
    watchesDevices: false,
    name: "Shuffle",
    tells: "notifications of workflows",
    address: { label: "Address", example: "https://shuffle.example.in" },
    indexer: false,
    tenant: { label: "Organisation", hint: "Its id in Shuffle, a UUID", required: true },
    signsInBy: "key",
    pages: null,
  },
} as const satisfies Record<
  string,
  {
    /** Whether it names devices. */
    watchesDevices: boolean;
    name: string;
    tells: string;
    address: { label: string; example: string };
    /** Whether what it found stands in an indexer with an address of its own. */
    indexer: boolean;
    tenant: { label: string; hint: string; required: boolean };
    signsInBy: "password" | "key";
    /** What the address of its own pages is good for; null where no page of a record is known to lead to. */
    pages: string | null;
  }
>;
export type EngineKind = keyof typeof engineKinds;

export const engineKindNames = Object.keys(engineKinds) as [EngineKind, ...EngineKind[]];

/** What one engine is asked for; each is asked apart, so that one may fail while the others answer. */
export const engineStreams = {
  devices: "Devices",
  events: "Last events",
  findings: "Findings",
  incidents: "Incidents",
} as const;
export type EngineStream = keyof typeof engineStreams;
export const engineStreamNames = Object.keys(engineStreams) as [EngineStream, ...EngineStream[]];

/** Why an engine gives no answer that can be used. What each means and what to do is told in a sentence by the server. */
export const engineProblems = [
  "address",
  "unreachable",
  "certificate",
  "credential",
  "login",
  "permission",
  "tenant",
  "version",
  "busy",
  "down",
  "too_large",
  "too_slow",
  "answer",
] as const;
export type EngineProblem = (typeof engineProblems)[number];

/** A word that is in none of these sets is `unknown`, and unknown is never taken for good. */
const deviceStates = ["active", "disconnected", "pending", "never", "unknown"] as const;
export type DeviceState = (typeof deviceStates)[number];

export const severities = ["critical", "high", "medium", "low", "info", "unknown"] as const;
export type Severity = (typeof severities)[number];

const findingStates = ["open", "acknowledged", "closed", "unknown"] as const;
export type FindingState = (typeof findingStates)[number];

const engineIncidentStates = ["new", "in_progress", "closed", "unknown"] as const;
export type EngineIncidentState = (typeof engineIncidentStates)[number];

export const verdicts = ["true_positive", "false_positive", "benign", "duplicate", "unknown"] as const;
export type Verdict = (typeof verdicts)[number];
