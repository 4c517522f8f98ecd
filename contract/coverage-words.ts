/** Words of the coverage ledger, apart from the schemas so that a page can use them without loading those. */

/** What is known of a device's connection. An unknown state never counts as connected. */
export const coverageStates = {
  connected: "Connected",
  silent: "Silent",
  never: "Never connected",
  unknown: "Not known",
} as const;
export type CoverageState = keyof typeof coverageStates;
export const coverageStateNames = Object.keys(coverageStates) as [CoverageState, ...CoverageState[]];

/** How a device relates to the contract. */
export const places = {
  line: "In the contract",
  beyond: "Not contracted",
  unmatched: "Type not settled",
  not_ours: "Not to be watched",
} as const;
export type Place = keyof typeof places;
export const placeNames = Object.keys(places) as [Place, ...Place[]];

/** What a rule matches to find a device's type, in the order in which rules are tried. */
export const matchRuleKinds = {
  group: "Group or label",
  name: "Name",
  system: "Operating system",
  log_source: "Log source",
} as const;
export type MatchRuleKind = keyof typeof matchRuleKinds;
export const matchRuleKindNames = Object.keys(matchRuleKinds) as [MatchRuleKind, ...MatchRuleKind[]];
export type MatchedBy = MatchRuleKind | "hand";

/** Who has to act: the customer, or the provider of the service. */
export type Side = "customer" | "service";

/** Why a device is not connected, or a contracted one is missing. Each says who has to act and what to do. */
export const coverageReasons = {
  disconnected: {
    side: "customer",
    says: "Their agent has stopped reporting.",
    next: "See that the machine is on and its agent runs, or tell us that it is gone.",
  },
  no_events: {
    side: "customer",
    says: "Their agent answers, but no event comes.",
    next: "See that logging is switched on there and leads to us. If it does, tell us: then it is on our side.",
  },
  nothing_arrives: {
    side: "service",
    says: "The engine answers, but nothing arrives from any of its devices.",
    next: "We check how events are received. You need to do nothing.",
  },
  never: {
    side: "customer",
    says: "They are registered and have never reported.",
    next: "Install or start the agent there, with the instructions of the log source.",
  },
  no_answer: {
    side: "service",
    says: "The engine that watches them gives no answer.",
    next: "We restore the connection. You need to do nothing.",
  },
  events_unknown: {
    side: "service",
    says: "Their agents answer, but when they last sent anything can't be read.",
    next: "We restore the connection to the events. You need to do nothing.",
  },
  not_told: {
    side: "service",
    says: "The engine’s answer about their state can’t be understood.",
    next: "We look into it. You need to do nothing.",
  },
  missing: {
    side: "customer",
    says: "They are paid for, and no such device is known.",
    next: "Connect them, or tell us which of your devices they are.",
  },
  not_bound: {
    side: "service",
    says: "No engine watches you yet.",
    next: "We connect one, and then tell you what to install.",
  },
  unmatched: {
    side: "service",
    says: "They are connected, and it is not settled what they are.",
    next: "We settle which type each of them is.",
  },
  beyond: {
    side: "customer",
    says: "They are connected, and no contract holds them.",
    next: "Add them to your contract, or tell us that they are not to be watched.",
  },
} as const satisfies Record<string, { side: Side; says: string; next: string }>;
export type CoverageReason = keyof typeof coverageReasons;
export const coverageReasonNames = Object.keys(coverageReasons) as [CoverageReason, ...CoverageReason[]];

/** Apart from `limits`, which every page loads. */
export const coverageLimits = {
  matchPatternLengthMax: 120,
  /** For one customer, and for the rules of all customers together. */
  matchRulesMax: 200,
  /** Below this an engine that is asked each minute would call healthy devices silent. */
  silenceMinutesMin: 5,
  /** 30 days. */
  silenceMinutesMax: 43_200,
} as const;

/** Length of the chart in days. */
export const coverageChartDays = 90;
