import type { ClockName, FindingFate, IncidentSeverity } from "./incident-states.ts";
import { limits } from "./limits.ts";

/**
 * The data of a monthly report, as read at the close of its month. It is stored and never changed: the PDF and the next
 * month's comparison come from it alone. Days are written as 2026-11-22, times in ISO 8601.
 */
export interface ReportData {
  customer: string;
  /** The customer's partner at that time; null without one. */
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
  /** What had become of each of the month's findings by its close; they add up to all that were received. */
  findings: Record<FindingFate, number>;
  actions: OpenAction[];
  retention: RetentionOfMonth;
  changes: ContractChangeOfMonth[];
  contract: { number: string; endsOn: string } | null;
  filings: { incident: string; obligation: string; filedAt: string; reference: string; late: boolean }[];
  coming: { on: string; what: string }[];
  /** The figures of the month before; null where it has no report. */
  before: BoardFigures | null;
}

/** The five figures of the first page. */
export interface BoardFigures {
  /** Connected devices per hundred contracted ones at the close; null where that is not known. */
  watchedPercent: number | null;
  incidents: number;
  promisesKept: number;
  promisesBroken: number;
  openActions: number;
  /** How many of the sources with known events reach back 180 days. */
  sourcesHeld180: number;
}

export interface CoverageOfMonth {
  /** The day at whose start the counts were taken: the first of the next month, or the last day counted. */
  countedOn: string;
  lines: CoverageLineOfMonth[];
  notContracted: number;
  /** Days of the month that were counted, and its number of days. */
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
  /** Opened in the month, by their current severity. */
  opened: Record<IncidentSeverity, number>;
  resolved: number;
  /** Open at the close. */
  open: number;
  /** Incidents opened in the month or open at its close, worst first. */
  rows: IncidentOfMonth[];
  /** How many more there are beyond `rows`. */
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
  /** Some of it was counted by the SAMPLE service levels. */
  isSample: boolean;
  rows: { clock: ClockName; kept: number; broken: number; undone: number }[];
}

export interface OpenAction {
  what: string;
  /** Who has to act. */
  side: "customer" | "service";
  owner: string;
  since: string | null;
}

export interface RetentionOfMonth {
  sources: number;
  /** Number of sources with known events, and of those that reach back 180 and 365 days at the close. */
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

/** The content of a retention certificate, as known at the close; its SHA-256 is taken over this as JSON. */
export interface CertificateData {
  customer: string;
  month: string;
  timeZone: string;
  closedAt: string;
  /** The operator's statement; null without one. */
  stated: { place: string; clock: string; signatory: string; designation: string } | null;
  gapHours: number;
  sources: CertifiedSource[];
  /** The sources that the certificate does not cover, and why. */
  notCovered: { name: string; engine: string; because: NotCovered }[];
}

export interface CertifiedSource {
  name: string;
  engine: string;
  /** Removed or replaced by the close, so its days are not counted. Missing in certificates older than this field. */
  removed?: boolean;
  firstEventAt: string;
  lastEventAt: string;
  /** Whole days from the first event to the last, within the days for which logs are kept at the close. */
  days: number;
  gaps: {
    from: string;
    until: string;
    /** Until then the engine was polled and reported no event; the rest is not known. */
    watchedUntil: string;
  }[];
}

/**
 * never: registered, but never sent an event. untold: the engine does not report events. outdated: no event in the days
 * for which logs are kept. silent: no event in the month. unmet: nothing is connected.
 */
export type NotCovered = "never" | "untold" | "outdated" | "silent" | "unmet";

export const notCoveredWords: Record<NotCovered, string> = {
  never: "Registered, and no event of it is known",
  untold: "Its engine does not tell when events came",
  outdated: `No event of it is known in the last ${limits.logRetentionDays} days`,
  silent: "No event of it is known in this month",
  unmet: "In the contract, and never connected",
};
