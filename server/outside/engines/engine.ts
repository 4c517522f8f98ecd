import type {
  DeviceState,
  EngineIncidentState,
  EngineKind,
  FindingState,
  Severity,
  Verdict,
} from "../../../contract/engine-kinds.ts";

/** Where an engine of one customer is, and as whom it is asked. */
export interface Binding {
  kind: EngineKind;
  address: string;
  /** Where its findings stand, if not at `address`. */
  indexerAddress: string | null;
  /** What the engine calls this customer, where it serves several. */
  tenantKey: string | null;
  username: string | null;
  secret: string;
  indexerUsername: string | null;
  indexerSecret: string | null;
  /** The only authority that vouches for the engine, in PEM; null for those that the system trusts. */
  caCertificate: string | null;
}

/** One engine of one customer. What it can't answer is null; each can fail while the others answer. */
export interface Engine {
  /** Asks who is there, with a new login. @throws EngineFailure */
  probe(): Promise<Probe>;
  /** As much of it as the answers until now have told. */
  known(): Probe;
  inventory: Inventory | null;
  reports: Reports;
  /** An address that signs a person in; null where the engine mints none. @throws EngineFailure */
  signIn: ((email: string) => Promise<string | null>) | null;
  /**
   * Writes a remark into a case, unless one with this id stands there: a repeated call writes it once. Null where the
   * engine takes none. @throws EngineFailure
   */
  remark: ((remark: Remark) => Promise<void>) | null;
  /** Ends its connections. */
  close(): void;
}

export interface Remark {
  /** The engine's id of the case. */
  incident: string;
  /** Ours, a UUID. */
  id: string;
  text: string;
  at: Date;
}

export interface Probe {
  /** As the engine says it; null where it does not. */
  version: string | null;
  /** How far the engine's clock is ahead of ours, in seconds, as its answers are dated; null where they are not. */
  skewSeconds: number | null;
}

export interface Inventory {
  /**
   * Devices, page by page: every one, or after a cursor those alone of which something else is to be said than that they
   * are still there. In the end it tells what holds for those that it did not name. @throws EngineFailure
   */
  devices(cursor: string | null): AsyncGenerator<Page<Device>, Unnamed>;
  /** When each device's last event came, of those that sent any in so many minutes. @throws EngineFailure */
  lastEvents(withinMinutes: number): Promise<LastEvents>;
}

/** What holds for the devices that a reading did not name. */
export interface Unnamed {
  /** gone: all were named. active: they are, and were heard of since `seenSince`. unknown: nothing is said of them. */
  are: "gone" | "active" | "unknown";
  /** By the engine's clock; null unless they are active. */
  seenSince: Date | null;
  /** Where the next reading goes on once this one is stored; null for a whole one. */
  cursor: string | null;
}

export interface Reports {
  /** What was found since the cursor, oldest first; it may name the same finding twice. @throws EngineFailure */
  findings: ((since: Since) => AsyncGenerator<Batch<Finding>>) | null;
  /** Cases that were opened or changed since the cursor. @throws EngineFailure */
  incidents: ((since: Since) => AsyncGenerator<Batch<Incident>>) | null;
}

export interface Page<Item> {
  items: Item[];
  /** How many records lacked what makes them one. */
  unreadable: number;
}

export interface Batch<Item> extends Page<Item> {
  /** Where to go on once these are stored. */
  cursor: string;
}

export interface Since {
  /** As the last batch gave it; null for the first time, which looks back over a day. */
  cursor: string | null;
  /**
   * So many of what is stored as not closed, the newest first, behind one of them: an engine that dates no changes is asked
   * for these again, some each time.
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

/** So far back everything is asked for that is known of last events. */
export const lastEventsMinutesMax = 25 * 60;

export interface LastEvents {
  /** events: whatever a device sent. findings: only what a rule saw, so that silence tells nothing. */
  basis: "events" | "findings";
  at: Map<string, Date>;
  /** From what the events of that time came, as the engine names its log sources; where it names any. */
  sources: Map<string, string[]>;
}

export interface Finding {
  id: string;
  title: string;
  severity: Severity;
  /** As the engine says it. */
  rawSeverity: string;
  state: FindingState;
  at: Date;
  /** When a person first did something about it. */
  firstResponseAt: Date | null;
  deviceId: string | null;
  /** Techniques of MITRE ATT&CK. */
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
