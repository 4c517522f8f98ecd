/** Words of incidents, apart from the schemas so that a page can use them without loading those. */

/** Worst first. A severity from an engine that is not listed becomes `unknown`, which never counts as harmless. */
export const incidentSeverities = ["P1", "unknown", "P2", "P3", "P4"] as const;
export type IncidentSeverity = (typeof incidentSeverities)[number];
export type KnownSeverity = Exclude<IncidentSeverity, "unknown">;
export const knownSeverities = ["P1", "P2", "P3", "P4"] as const satisfies readonly KnownSeverity[];

export const severityNames: Record<IncidentSeverity, string> = {
  P1: "P1, critical",
  P2: "P2, high",
  P3: "P3, medium",
  P4: "P4, low",
  unknown: "Severity not known",
};

export const incidentStates = {
  new: "New",
  acknowledged: "Acknowledged",
  investigating: "Being investigated",
  contained: "Contained",
  resolved: "Resolved",
  closed: "Closed",
  merged: "Merged into another",
} as const;
export type IncidentState = keyof typeof incidentStates;
export const incidentStateNames = Object.keys(incidentStates) as [IncidentState, ...IncidentState[]];

/** States in which somebody still has to act. */
export const openIncidentStates = [
  "new",
  "acknowledged",
  "investigating",
  "contained",
] as const satisfies IncidentState[];
export const isOpen = (state: IncidentState): boolean =>
  (openIncidentStates as readonly IncidentState[]).includes(state);

/** Beside the state: whom an incident waits for, while clocks may pause. */
export const waitsFor = { customer: "Waiting for the customer", third_party: "Waiting for a third party" } as const;
export type WaitsFor = keyof typeof waitsFor;

export const incidentSources = {
  engine: "Opened in an engine",
  analyst: "Opened by an analyst",
  under_attack: "Reported by “We are under attack”",
} as const;
export type IncidentSource = keyof typeof incidentSources;
export const incidentSourceNames = Object.keys(incidentSources) as [IncidentSource, ...IncidentSource[]];

/** Everything that can be recorded about an incident, in the past tense: each is a fact with its own time. */
export const incidentNews = {
  detected: "Detected",
  reported: "Reported",
  seen: "Seen by an analyst",
  owner: "Owner set",
  severity: "Severity changed",
  investigating: "Investigation began",
  asked: "Asked of the customer",
  answered: "Answered by the customer",
  waiting: "Waiting began",
  resumed: "Waiting ended",
  action: "Action taken",
  contained: "Contained",
  resolved: "Resolved",
  closed: "Closed",
  reopened: "Reopened",
  merged: "Merged",
  commented: "Commented",
  attached: "Findings attached",
} as const;
export type IncidentNews = keyof typeof incidentNews;
export const incidentNewsNames = Object.keys(incidentNews) as [IncidentNews, ...IncidentNews[]];

/** News that change nothing and may come in any state. */
const anywhere = (state: IncidentState) => ({ detected: state, reported: state, commented: state, answered: state });
/** What people do in an open incident without moving it on. */
const inOpen = (state: IncidentState) => ({
  ...anywhere(state),
  seen: state,
  owner: state,
  severity: state,
  asked: state,
  waiting: state,
  resumed: state,
  attached: state,
});

/** The transition table, state × news. Anything not in it is refused. */
export const incidentSteps: Record<IncidentState, Partial<Record<IncidentNews, IncidentState>>> = {
  new: {
    ...inOpen("acknowledged"),
    ...anywhere("new"),
    investigating: "investigating",
    action: "investigating",
    contained: "contained",
    resolved: "resolved",
    closed: "closed",
    merged: "merged",
  },
  acknowledged: {
    ...inOpen("acknowledged"),
    investigating: "investigating",
    action: "investigating",
    contained: "contained",
    resolved: "resolved",
    closed: "closed",
    merged: "merged",
  },
  investigating: {
    ...inOpen("investigating"),
    investigating: "investigating",
    action: "investigating",
    contained: "contained",
    resolved: "resolved",
    closed: "closed",
    merged: "merged",
  },
  contained: {
    ...inOpen("contained"),
    action: "contained",
    resolved: "resolved",
    closed: "closed",
    merged: "merged",
  },
  resolved: {
    ...anywhere("resolved"),
    owner: "resolved",
    attached: "resolved",
    action: "resolved",
    closed: "closed",
    reopened: "investigating",
  },
  closed: { ...anywhere("closed"), reopened: "investigating" },
  merged: { commented: "merged" },
};

/** The promises of the service levels. */
export const clockNames = { acknowledge: "Acknowledge", contain: "Contain", resolve: "Resolve" } as const;
export type ClockName = keyof typeof clockNames;
export const clockKeys = Object.keys(clockNames) as [ClockName, ...ClockName[]];

/** none: nothing is promised for this severity. coming: the event that starts it has not happened. */
export const clockStates = {
  none: "Nothing promised",
  coming: "Not started",
  running: "Running",
  paused: "Paused",
  kept: "Kept",
  broken: "Broken",
  ended: "Ended",
} as const;
export type ClockState = keyof typeof clockStates;
export const clockStateNames = Object.keys(clockStates) as [ClockState, ...ClockState[]];

/** What became of a finding. */
export const findingFates = {
  suppressed: "Suppressed by a rule",
  benign: "Closed as benign",
  attached: "Part of an incident",
  open: "Open",
} as const;
export type FindingFate = keyof typeof findingFates;
export const findingFateNames = Object.keys(findingFates) as [FindingFate, ...FindingFate[]];

export const incidentVerdicts = {
  true_positive: "An attack",
  false_positive: "A false alarm",
  benign: "Harmless",
  duplicate: "Known already",
} as const;
export type IncidentVerdict = keyof typeof incidentVerdicts;
export const incidentVerdictNames = Object.keys(incidentVerdicts) as [IncidentVerdict, ...IncidentVerdict[]];
