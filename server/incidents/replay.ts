import type { IncidentPayload } from "../../contract/incident-payload.ts";
import {
  type IncidentNews,
  type IncidentSeverity,
  type IncidentState,
  incidentSteps,
  type WaitsFor,
} from "../../contract/incident-states.ts";

/** What happened, as far as figures go by it. */
export interface Fact {
  id: string;
  /** The order of arrival. */
  serial: number;
  news: IncidentNews;
  occurredAt: Date;
  by: "us" | "customer" | "partner" | "engine";
  payload: IncidentPayload;
  corrects: string | null;
  withdrawn: boolean;
  eventKey: string;
}

/** While an incident waited for somebody; open ends are null. */
export interface Wait {
  waits: WaitsFor;
  /** Without one, nothing pauses. */
  reason: string;
  from: Date;
  to: Date | null;
}

/** What is true of an incident, by all that happened. */
export interface Replayed {
  /** Those that stand, in the order in which they happened; what the table of states refuses is not among them. */
  facts: Fact[];
  state: IncidentState;
  severity: IncidentSeverity;
  ownerId: string | null;
  waits: Wait[];
  waitsFor: WaitsFor | null;
  /** Questions to the customer that have no answer. */
  openAsks: Fact[];
  /** What began a wait for the customer that goes on, beside questions. */
  openWaits: Fact[];
}

/** The facts that stand: each once, what was corrected left out, by their own time and then by arrival. */
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

/** Walks through what happened, by the table of states, to before an instant: what was corrected has its corrected time. */
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
      // What was answered before it was asked is answered: nothing would ever end its wait.
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

/** Why it waits, in one line. */
export const wordsOfWait = ({ payload: { reason, text } }: Fact): string => [reason, text].filter(Boolean).join(" – ");

/** What the customer and the partner tell moves nothing on its own, but for the report and the answer. */
function stepOf(state: IncidentState, { news, by }: Fact): IncidentState | undefined {
  const next = incidentSteps[state][news];
  // An engine may set a severity by a rule: no person has seen it.
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

/** Which fact a fact stands for, through all corrections. */
export function rootsOf(facts: readonly Fact[]): (id: string) => string {
  const corrected = new Map(facts.flatMap(({ id, corrects }) => (corrects === null ? [] : [[id, corrects] as const])));
  return (id) => {
    let root = id;
    for (let above = corrected.get(root); above !== undefined; above = corrected.get(root)) root = above;
    return root;
  };
}
