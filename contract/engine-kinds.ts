/**
 * The engines that can be bound to a customer, in words that a page can use without loading the schemas.
 * server/outside/engines has the adapter for each, docs/engines.md how to set it up.
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
    tenant: { label: "Organization", hint: "Its name in TheHive", required: true },
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
    tenant: { label: "Organization", hint: "Its id in Shuffle, a UUID", required: true },
    signsInBy: "key",
    pages: null,
  },
} as const satisfies Record<
  string,
  {
    /** Whether it reports devices. */
    watchesDevices: boolean;
    name: string;
    tells: string;
    address: { label: string; example: string };
    /** Whether its findings are in an indexer with an address of its own. */
    indexer: boolean;
    tenant: { label: string; hint: string; required: boolean };
    signsInBy: "password" | "key";
    /** What the address of the engine's web interface is used for; null where no link to a record's page is known. */
    pages: string | null;
  }
>;
export type EngineKind = keyof typeof engineKinds;

export const engineKindNames = Object.keys(engineKinds) as [EngineKind, ...EngineKind[]];

/** What an engine is asked for. Each stream is asked separately, so that one may fail while the others answer. */
export const engineStreams = {
  devices: "Devices",
  events: "Last events",
  findings: "Findings",
  incidents: "Incidents",
} as const;
export type EngineStream = keyof typeof engineStreams;
export const engineStreamNames = Object.keys(engineStreams) as [EngineStream, ...EngineStream[]];

/** Why an engine gives no usable answer. The server adds a sentence on what each means and what to do. */
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

/** A word from an engine that is in none of these lists becomes `unknown`, which never counts as good. */
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
