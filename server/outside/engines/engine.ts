import type {
  DeviceState,
  EngineIncidentState,
  EngineKind,
  FindingState,
  Severity,
  Verdict,
} from "../../../contract/engine-kinds.ts";

/** Where one customer's engine is, and the login for calling it. */
export interface Binding {
  kind: EngineKind;
  address: string;
  /** Where the engine keeps its findings, if not at `address`. */
  indexerAddress: string | null;
  /** The engine's own name or id for this customer, where one engine serves several. */
  tenantKey: string | null;
  username: string | null;
  secret: string;
  indexerUsername: string | null;
  indexerSecret: string | null;
  /** The only certificate authority trusted for this engine, in PEM; null to trust those that the system trusts. */
  caCertificate: string | null;
}

/** One engine of one customer. A capability that it lacks is null; each can fail while the others work. */
export interface Engine {
  /** Checks address, login and version with a fresh login. @throws EngineFailure */
  probe(): Promise<Probe>;
  /** What earlier answers have already told, without a call. */
  known(): Probe;
  inventory: Inventory | null;
  reports: Reports;
  /** An address that signs a person in; null where the engine issues none. @throws EngineFailure */
  signIn: ((email: string) => Promise<string | null>) | null;
  /**
   * Writes a remark into a case unless the case already has one with this id, so that a retry writes it only once. Null
   * where the engine takes no remarks. @throws EngineFailure
   */
  remark: ((remark: Remark) => Promise<void>) | null;
  /** Closes the engine's connections. */
  close(): void;
}

export interface Remark {
  /** The engine's id of the case. */
  incident: string;
  /** The remark's id in this product, a UUID. */
  id: string;
  text: string;
  at: Date;
}

export interface Probe {
  /** As the engine reports it; null where it reports none. */
  version: string | null;
  /** How far the engine's clock is ahead of ours, in seconds, by the Date header of its answers; null without one. */
  skewSeconds: number | null;
}

export interface Inventory {
  /**
   * Devices, page by page. Without a cursor: all of them. With one: possibly only those that changed in more than still
   * being seen. The return value says what holds for the devices that were not named. @throws EngineFailure
   */
  devices(cursor: string | null): AsyncGenerator<Page<Device>, Unnamed>;
  /**
   * The time of each device's last event, for devices that sent any within the last `withinMinutes`. @throws
   * EngineFailure
   */
  lastEvents(withinMinutes: number): Promise<LastEvents>;
}

/** What holds for the devices that a reading did not name. */
export interface Unnamed {
  /**
   * gone: all that exist were named. active: they are active, and were seen since `seenSince`. unknown: nothing is
   * known of them.
   */
  are: "gone" | "active" | "unknown";
  /** By the engine's clock; null unless they are active. */
  seenSince: Date | null;
  /** Where the next reading continues once this one is stored; null to read the whole list. */
  cursor: string | null;
}

export interface Reports {
  /** Findings since the cursor; the same finding may come twice. @throws EngineFailure */
  findings: ((since: Since) => AsyncGenerator<Batch<Finding>>) | null;
  /** Cases that were opened or changed since the cursor. @throws EngineFailure */
  incidents: ((since: Since) => AsyncGenerator<Batch<Incident>>) | null;
}

export interface Page<Item> {
  items: Item[];
  /** How many records could not be read, wholly or in part. */
  unreadable: number;
}

export interface Batch<Item> extends Page<Item> {
  /** Where to continue once these are stored. */
  cursor: string;
}

export interface Since {
  /** The cursor of the last batch; null the first time, which looks back over a day. */
  cursor: string | null;
  /**
   * The ids of up to `count` stored records that are not closed, newest first, after the record `behind`. Some engines
   * don't report changes, so these are read again, a few with each poll.
   */
  open(behind: string | null, count: number): Promise<string[]>;
}

export interface Device {
  id: string;
  name: string;
  address: string | null;
  os: string | null;
  groups: string[];
  state: DeviceState;
  lastSeenAt: Date | null;
  firstSeenAt: Date | null;
  version: string | null;
}

/** How far back all last events are asked for. */
export const lastEventsMinutesMax = 25 * 60;

export interface LastEvents {
  /** events: anything that a device sent. findings: only what matched a rule, so that silence means nothing. */
  basis: "events" | "findings";
  at: Map<string, Date>;
  /** The log sources of each device's events in that time, as the engine names them, if it does. */
  sources: Map<string, string[]>;
}

export interface Finding {
  id: string;
  title: string;
  severity: Severity;
  /** In the engine's own words. */
  rawSeverity: string;
  state: FindingState;
  at: Date;
  /** When a person first acted on it. */
  firstResponseAt: Date | null;
  deviceId: string | null;
  /** Ids of MITRE ATT&CK techniques. */
  attack: string[];
}

export interface Incident {
  id: string;
  title: string;
  severity: Severity;
  rawSeverity: string;
  state: EngineIncidentState;
  rawState: string;
  openedAt: Date;
  firstResponseAt: Date | null;
  closedAt: Date | null;
  verdict: Verdict | null;
  timeline: IncidentEvent[];
  /** The engine's own figures, in seconds. */
  figures: Record<string, number>;
}

export interface IncidentEvent {
  at: string;
  kind: string;
  text: string;
}
