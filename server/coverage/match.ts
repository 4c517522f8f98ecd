import { keyOf } from "../../contract/devices.ts";
import { type MatchedBy, type MatchRuleKind, matchRuleKindNames } from "../../contract/coverage-words.ts";
import type { KnownDevice } from "../engines/devices.ts";

export interface DeviceType {
  service: string;
  deviceType: string;
}

/** A rule in the form used for matching. */
export interface Rule extends DeviceType {
  id: string;
  kind: MatchRuleKind;
  pattern: string;
  place: number;
  /** For this customer only; such rules come before those of all customers. */
  own: boolean;
}

/** What a person decided about a device. */
export interface Decision {
  type: DeviceType | null;
  notOurs: boolean;
  silenceMinutes: number | null;
}

export interface Match {
  type: DeviceType | null;
  matchedBy: MatchedBy | null;
  ruleId: string | null;
  notOurs: boolean;
}

/** What rules look at. */
export type Matchable = Pick<KnownDevice, "name" | "groups" | "os" | "logSources">;

const nothing: Match = { type: null, matchedBy: null, ruleId: null, notOurs: false };

/**
 * Classifies devices: as a person decided, otherwise by the first matching rule. Rules are tried by kind in the
 * contract's order, the customer's before those of all, then by their place.
 */
export function openMatcher(rules: readonly Rule[]): (device: Matchable, decision: Decision | undefined) => Match {
  const sorted = rules.toSorted(
    (one, other) =>
      matchRuleKindNames.indexOf(one.kind) - matchRuleKindNames.indexOf(other.kind) ||
      Number(other.own) - Number(one.own) ||
      one.place - other.place ||
      (one.id < other.id ? -1 : 1),
  );
  const asked = sorted.map((rule) => ({ rule, fits: remembered(rule.pattern, rule.kind !== "name") }));
  return (device, decision) => {
    if (decision?.notOurs) return { ...nothing, matchedBy: "hand", notOurs: true };
    if (decision?.type) return { ...nothing, type: decision.type, matchedBy: "hand" };
    const found = asked.find(({ rule, fits }) => textsOf(device, rule.kind).some(fits));
    if (!found) return nothing;
    const { id: ruleId, kind: matchedBy, service, deviceType } = found.rule;
    return { type: { service, deviceType }, matchedBy, ruleId, notOurs: false };
  };
}

function textsOf({ name, groups, os, logSources }: Matchable, kind: MatchRuleKind): readonly string[] {
  if (kind === "group") return groups;
  if (kind === "log_source") return logSources;
  return kind === "name" ? [name] : os === null ? [] : [os];
}

/** Thousands of devices share a group, system or source, so each is compared only once. */
function remembered(pattern: string, isShared: boolean): (text: string) => boolean {
  const lower = pattern.toLowerCase();
  if (!isShared) return (text) => fitsPattern(text.toLowerCase(), lower);
  const known = new Map<string, boolean>();
  return (text) => {
    const answer = known.get(text) ?? fitsPattern(text.toLowerCase(), lower);
    known.set(text, answer);
    return answer;
  };
}

/** Whether the whole text matches a pattern: * for any characters, ? for one. Never takes exponential time. */
export function fitsPattern(text: string, pattern: string): boolean {
  let [at, atPattern, star, tried] = [0, 0, -1, 0];
  while (at < text.length) {
    const wanted = pattern[atPattern];
    if (wanted === "*") {
      star = atPattern++;
      tried = at;
    } else if (wanted !== undefined && (wanted === "?" || wanted === text[at])) {
      at++;
      atPattern++;
    } else if (star >= 0) {
      // The last star takes one character more.
      atPattern = star + 1;
      at = ++tried;
    } else return false;
  }
  while (pattern[atPattern] === "*") atPattern++;
  return atPattern === pattern.length;
}

/**
 * Minutes after which a device counts as silent: by the customer's limit for its type, otherwise the limit for all
 * customers, otherwise the default.
 */
export function openLimits(limits: readonly (DeviceType & { own: boolean; minutes: number })[]) {
  const of = (own: boolean) =>
    new Map(limits.filter((limit) => limit.own === own).map((limit) => [keyOf(limit), limit.minutes]));
  const [ofCustomer, ofAll] = [of(true), of(false)];
  return (type: DeviceType | null): number => {
    if (!type) return silenceDefaults.other;
    const key = keyOf(type);
    return (
      ofCustomer.get(key) ??
      ofAll.get(key) ??
      (type.deviceType === "Workstation" ? silenceDefaults.workstation : silenceDefaults.other)
    );
  };
}

/** People switch workstations off at night. */
export const silenceDefaults = { workstation: 24 * 60, other: 60 } as const;
