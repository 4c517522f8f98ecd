import type { IncidentPayload } from "../../contract/incident-payload.ts";
import {
  type IncidentNews,
  type IncidentSeverity,
  type IncidentState,
  incidentSteps,
  type WaitsFor,
} from "../../contract/incident-states.ts";

/** A fact of an incident, as far as its state and figures depend on it. */
export interface Fact {
  id: string;
  /** Order of arrival. */
  serial: number;
  news: IncidentNews;
  occurredAt: Date;
  by: "us" | "customer" | "partner" | "engine";
  payload: IncidentPayload;
  corrects: string | null;
  withdrawn: boolean;
  eventKey: string;
}

/** A span in which an incident waited for somebody; `to` is null while it lasts. */
export interface Wait {
  waits: WaitsFor;
  /** Empty: no clock pauses. */
  reason: string;
  from: Date;
  to: Date | null;
}

/** The state of an incident that follows from its facts. */
export interface Replayed {
  /** The standing facts in the order in which they happened, without those that the table of states refuses. */
  facts: Fact[];
  state: IncidentState;
  severity: IncidentSeverity;
  ownerId: string | null;
  waits: Wait[];
  waitsFor: WaitsFor | null;
  /** Unanswered questions to the customer. */
  openAsks: Fact[];
  /** Facts, other than questions, that began a wait for the customer which still lasts. */
  openWaits: Fact[];
}

/**
 * The facts that stand: one per event, only the last correction of each, none withdrawn; by their own time, then by
 * arrival.
 */
export function standingFacts(facts: readonly Fact[]): Fact[] {
  const once = new Map<string, Fact>();
  for (const fact of facts.toSorted((one, other) => one.serial - other.serial))
    if (!once.has(fact.eventKey)) once.set(fact.eventKey, fact);
  const lastCorrection = new Map<string, Fact>();
  for (const fact of once.values()) if (fact.corrects !== null) lastCorrection.set(fact.corrects, fact);
  return [...once.values()]
    .filter(
      (fact) =>
        !lastCorrection.has(fact.id) &&
        !fact.withdrawn &&
        (fact.corrects === null || lastCorrection.get(fact.corrects) === fact),
    )
    .toSorted((one, other) => Number(one.occurredAt) - Number(other.occurredAt) || one.serial - other.serial);
}

/**
 * Replays the facts through the table of states, up to but not including `until`; a corrected fact has its corrected
 * time.
 */
export function replay(all: readonly Fact[], until?: Date): Replayed {
  const rootOf = rootsOf(all);
  const replayed: Replayed = {
    facts: [],
    state: "new",
    severity: "unknown",
    ownerId: null,
    waits: [],
    waitsFor: null,
    openAsks: [],
    openWaits: [],
  };
  const open = new Map<string, Wait>();
  const answered = new Set<string>();
  for (const fact of standingFacts(all)) {
    if (until && fact.occurredAt >= until) break;
    const next = stepOf(replayed.state, fact);
    if (next === undefined) continue;
    replayed.state = next;
    replayed.facts.push(fact);
    const { payload, occurredAt } = fact;
    if (payload.severity) replayed.severity = payload.severity;
    if (fact.news === "owner") replayed.ownerId = payload.ownerId ?? null;
    if (payload.ask) answered.add(rootOf(payload.ask));
    for (const [key, wait] of endedBy(fact, open, rootOf)) {
      wait.to = occurredAt;
      open.delete(key);
    }
    const begun = waitBegunBy(fact);
    if (begun) {
      const key = fact.news === "asked" ? rootOf(fact.id) : `waiting:${begun.waits}`;
      // If the answer is dated before the question, no wait begins: nothing would ever end it.
      if (!open.has(key) && !answered.has(key)) {
        open.set(key, begun);
        replayed.waits.push(begun);
      }
    }
  }
  const waiting = new Set([...open.values()].map(({ waits }) => waits));
  replayed.waitsFor = waiting.has("customer") ? "customer" : waiting.has("third_party") ? "third_party" : null;
  replayed.openAsks = replayed.facts.filter(({ id, news }) => news === "asked" && !answered.has(rootOf(id)));
  const since = open.get("waiting:customer")?.from;
  replayed.openWaits = replayed.facts.filter(
    ({ news, payload, occurredAt }) =>
      since && news === "waiting" && payload.waits === "customer" && occurredAt >= since,
  );
  return replayed;
}

/** Why the incident waits, in one line. */
export const wordsOfWait = ({ payload: { reason, text } }: Fact): string => [reason, text].filter(Boolean).join(" – ");

/** The state after a fact; undefined where the table of states refuses it. */
function stepOf(state: IncidentState, { news, by }: Fact): IncidentState | undefined {
  const next = incidentSteps[state][news];
  // An engine's rule may set a severity or attach findings: no person has seen the incident by that, so the state
  // stays.
  return by === "engine" && (news === "severity" || news === "attached") && next !== undefined ? state : next;
}

function waitBegunBy({ news, payload, occurredAt }: Fact): Wait | null {
  if ((news !== "asked" && news !== "waiting") || !payload.waits) return null;
  return { waits: payload.waits, reason: payload.reason?.trim() ?? "", from: occurredAt, to: null };
}

const endsAll: ReadonlySet<IncidentNews> = new Set(["resolved", "closed", "merged", "reopened"]);

function endedBy({ news, payload }: Fact, open: Map<string, Wait>, rootOf: (id: string) => string): [string, Wait][] {
  const entries = [...open];
  if (endsAll.has(news)) return entries;
  if (news === "resumed") return entries.filter(([, { waits }]) => waits === payload.waits);
  if (news === "answered") return entries.filter(([key]) => key === (payload.ask && rootOf(payload.ask)));
  return [];
}

/** Follows corrections from a fact back to the original one. */
export function rootsOf(facts: readonly Fact[]): (id: string) => string {
  const corrected = new Map(facts.flatMap(({ id, corrects }) => (corrects === null ? [] : [[id, corrects] as const])));
  return (id) => {
    let root = id;
    for (let above = corrected.get(root); above !== undefined; above = corrected.get(root)) root = above;
    return root;
  };
}
