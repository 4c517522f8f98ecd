import type { ClockName, FindingFate, IncidentSeverity } from "./incident-states.ts";
import { limits } from "./limits.ts";

/**
 * What a report is made from, as it was read at the close of its month. It is kept and never changed: the PDF, and the
 * next month's comparison, come from here alone. Days are written as 2026-11-22, times in ISO 8601.
 */
export interface ReportData {
  customer: string;
  /** Whose customer it was; null where nobody's. */
  partner: string | null;
  /** The first day of the month. */
  month: string;
  timeZone: string;
  /** The first instant of the month, and of the next. */
  from: string;
  until: string;
  coverage: CoverageOfMonth | null;
  incidents: IncidentsOfMonth;
  promises: PromisesOfMonth;
  /** What became of every finding of the month, by its close; the sum is what was received. */
  findings: Record<FindingFate, number>;
  actions: OpenAction[];
  retention: RetentionOfMonth;
  changes: ContractChangeOfMonth[];
  contract: { number: string; endsOn: string } | null;
  filings: { incident: string; obligation: string; filedAt: string; reference: string; late: boolean }[];
  coming: { on: string; what: string }[];
  /** The same figures of the month before; null where it has no report. */
  before: BoardFigures | null;
}

/** The five figures of the first page. */
export interface BoardFigures {
  /** Of a hundred contracted devices so many were connected at the close; null where that is not known. */
  watchedPercent: number | null;
  incidents: number;
  promisesKept: number;
  promisesBroken: number;
  openActions: number;
  /** Of the sources of which events are known, those that reach the 180 days. */
  sourcesHeld180: number;
}

export interface CoverageOfMonth {
  /** The day whose beginning the counts are of: the first of the next month, or the last day that was counted. */
  countedOn: string;
  lines: CoverageLineOfMonth[];
  notContracted: number;
  /** Days of the month that were counted, and how many it has. */
  daysCounted: number;
  daysOfMonth: number;
}

/** contracted = connected + silent + neverConnected + unknown + missing. */
export interface CoverageLineOfMonth {
  name: string;
  contracted: number;
  connected: number;
  silent: number;
  neverConnected: number;
  unknown: number;
  missing: number;
  /** Days that began with at least one of them silent, and with at least one not known. */
  daysSilent: number;
  daysUnknown: number;
}

export interface IncidentsOfMonth {
  /** Opened in the month, by the severity that they have. */
  opened: Record<IncidentSeverity, number>;
  resolved: number;
  /** Open at the close. */
  open: number;
  /** Those that were opened in the month or open at its close; the worst first. */
  rows: IncidentOfMonth[];
  /** How many more there are than `rows`. */
  more: number;
}

export interface IncidentOfMonth {
  number: string;
  title: string;
  severity: IncidentSeverity;
  openedAt: string;
  acknowledgedAt: string | null;
  containedAt: string | null;
  resolvedAt: string | null;
  /** Promises that had run out by the close. */
  broken: ClockName[];
}

export interface PromisesOfMonth {
  /** Some of it goes by service levels that are a sample. */
  isSample: boolean;
  rows: { clock: ClockName; kept: number; broken: number; undone: number }[];
}

export interface OpenAction {
  what: string;
  /** Whose move it is. */
  side: "customer" | "service";
  owner: string;
  since: string | null;
}

export interface RetentionOfMonth {
  sources: number;
  /** Of which events are known, and those that go back 180 and 365 days at the close. */
  known: number;
  held180: number;
  held365: number;
  gaps: number;
}

export interface ContractChangeOfMonth {
  on: string;
  contract: string;
  kind: "start" | "add" | "true up" | "remove";
  devices: string[];
}

/** What a retention certificate says, as it was known at the close; its SHA-256 is of this as JSON. */
export interface CertificateData {
  customer: string;
  month: string;
  timeZone: string;
  closedAt: string;
  /** What the operator has stated; null where nothing was. */
  stated: { place: string; clock: string; signatory: string; designation: string } | null;
  gapHours: number;
  sources: CertifiedSource[];
  /** What the certificate does not cover, and why. */
  notCovered: { name: string; engine: string; because: NotCovered }[];
}

export interface CertifiedSource {
  name: string;
  engine: string;
  /** Removed or replaced by the close: its days count for nothing. Certificates made before this was told lack it. */
  removed?: boolean;
  firstEventAt: string;
  lastEventAt: string;
  /** Whole days from the first event to the last, of those of which logs are kept at the close. */
  days: number;
  gaps: {
    from: string;
    until: string;
    /** Until then the engine was asked and told of no event; the rest is not known. */
    watchedUntil: string;
  }[];
}

/** never: registered, and never sent an event. untold: the engine tells of no events. outdated: nothing in the days that logs are kept. silent: nothing in the month. unmet: nothing is connected. */
export type NotCovered = "never" | "untold" | "outdated" | "silent" | "unmet";

export const notCoveredWords: Record<NotCovered, string> = {
  never: "Registered, and no event of it is known",
  untold: "Its engine does not tell when events came",
  outdated: `No event of it is known in the last ${limits.logRetentionDays} days`,
  silent: "No event of it is known in this month",
  unmet: "In the contract, and never connected",
};
