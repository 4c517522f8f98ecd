import { keyOf } from "../../contract/devices.ts";
import type { CoverageAddition, CoverageLine } from "../../contract/coverage.ts";
import type { CoverageReason, CoverageState, MatchedBy, Place } from "../../contract/coverage-words.ts";
import type { KnownDevice } from "../engines/devices.ts";
import { type DeviceStanding, standingOf } from "./device-state.ts";
import { type Decision, type DeviceType, type Match, openLimits, openMatcher, type Rule } from "./match.ts";

/** Everything from which a customer's coverage is computed. */
export interface CoverageFacts {
  now: Date;
  contracted: readonly (DeviceType & { name: string; quantity: number })[];
  /** Each machine once. */
  devices: readonly KnownDevice[];
  rules: readonly Rule[];
  /** By identity. */
  decisions: ReadonlyMap<string, Decision>;
  limits: readonly (DeviceType & { own: boolean; minutes: number })[];
  /** Whether an engine that lists devices is bound. */
  isBound: boolean;
  /** Since when such an engine has been bound without answering; the devices that it would list are not known. */
  neverAnsweredSince: Date | null;
}

export interface CountedDevice extends DeviceStanding {
  device: KnownDevice;
  place: Place;
  type: DeviceType | null;
  matchedBy: MatchedBy | null;
  ruleId: string | null;
  silenceMinutes: number;
}

/** What was in use of a device type, contracted or not; billing is based on this. */
export interface TypeUse extends DeviceType {
  contracted: number;
  /** Connected or silent. */
  used: number;
  silent: number;
  unknown: number;
}

export interface Counted {
  devices: CountedDevice[];
  lines: CoverageLine[];
  additions: CoverageAddition[];
  notContracted: number;
  unmatched: number;
  unknownSince: Date | null;
  /** Empty if nobody knows what there was: without an engine, or while one has never answered. */
  uses: TypeUse[];
}

/**
 * Counts a customer's coverage. For each line, contracted = connected + silent + never + unknown + missing. If there
 * are more devices of a type than contracted, connected devices fill the contract first, oldest first; the rest is not
 * contracted.
 */
export function countCoverage(facts: CoverageFacts): Counted {
  const judged = judge(facts);
  const byType = Map.groupBy(
    judged.filter(({ place }) => place === "line"),
    ({ type }) => (type ? keyOf(type) : ""),
  );
  const contracted = sumContracted(facts.contracted);
  const limitOf = openLimits(facts.limits);
  const lines: CoverageLine[] = [];
  for (const [key, line] of contracted) {
    const devices = (byType.get(key) ?? []).toSorted(fillsFirst);
    for (const beyond of devices.slice(line.quantity)) beyond.place = "beyond";
    lines.push(lineOf(facts, line, devices.slice(0, line.quantity), limitOf(line)));
  }
  for (const [key, devices] of byType) if (!contracted.has(key)) for (const device of devices) device.place = "beyond";
  const beyond = judged.filter(({ place }) => place === "beyond");
  return {
    devices: judged,
    lines,
    additions: additionsOf(beyond, contracted),
    notContracted: beyond.length,
    unmatched: judged.filter(({ place }) => place === "unmatched").length,
    unknownSince: earliest([
      facts.neverAnsweredSince,
      ...judged.filter(({ state, place }) => state === "unknown" && place !== "not_ours").map(({ since }) => since),
    ]),
    uses: facts.isBound && !facts.neverAnsweredSince ? usesOf(byType, contracted) : [],
  };
}

/** Each device's type and state, before comparing with the contract. */
function judge({ now, devices, rules, decisions, limits }: CoverageFacts): CountedDevice[] {
  const match = openMatcher(rules);
  const limitOf = openLimits(limits);
  const judged = devices.map((device): CountedDevice => {
    const decision = decisions.get(device.identity);
    const { type, matchedBy, ruleId, notOurs }: Match = match(device, decision);
    const silenceMinutes = decision?.silenceMinutes ?? limitOf(type);
    const place = notOurs ? "not_ours" : type ? "line" : "unmatched";
    return { device, type, matchedBy, ruleId, place, silenceMinutes, ...standingOf(device, silenceMinutes, now) };
  });
  blameIntake(judged);
  return judged;
}

/** Fewer devices than this may well fall silent independently. */
const intakeDevicesMin = 3;

/** If nothing arrives from any device of a binding, the intake is to blame, not each device. */
function blameIntake(judged: CountedDevice[]): void {
  const telling = judged.filter(({ device, state }) => device.state === "active" && state !== "unknown");
  for (const devices of Map.groupBy(telling, ({ device }) => device.bindingId).values())
    if (devices.length >= intakeDevicesMin && devices.every(({ reason }) => reason === "no_events"))
      for (const each of devices) each.reason = "nothing_arrives";
}

const rank: Record<CoverageState, number> = { connected: 0, silent: 1, unknown: 2, never: 3 };

const fillsFirst = (one: CountedDevice, other: CountedDevice) =>
  rank[one.state] - rank[other.state] ||
  (one.device.firstSeenAt ?? one.device.knownSince).getTime() -
    (other.device.firstSeenAt ?? other.device.knownSince).getTime() ||
  (one.device.identity < other.device.identity ? -1 : 1);

type Contracted = DeviceType & { name: string; quantity: number };

/** Several contracts may hold the same type. */
function sumContracted(rows: CoverageFacts["contracted"]): Map<string, Contracted> {
  const sums = new Map<string, Contracted>();
  for (const row of rows) {
    const key = keyOf(row);
    sums.set(key, { ...row, quantity: row.quantity + (sums.get(key)?.quantity ?? 0) });
  }
  return sums;
}

function lineOf(
  { isBound, neverAnsweredSince }: CoverageFacts,
  { service, deviceType, name, quantity }: Contracted,
  devices: readonly CountedDevice[],
  silenceMinutes: number,
): CoverageLine {
  const count = (state: CoverageState) => devices.filter((device) => device.state === state).length;
  const absent = quantity - devices.length;
  // An engine that has never answered may have exactly these devices.
  const hidden = neverAnsweredSince ? absent : 0;
  const reasons = new Map<CoverageReason, number>();
  const add = (reason: CoverageReason, number: number) =>
    number > 0 && reasons.set(reason, (reasons.get(reason) ?? 0) + number);
  for (const { reason } of devices) if (reason) add(reason, 1);
  add("no_answer", hidden);
  add(isBound ? "missing" : "not_bound", absent - hidden);
  const since = devices.filter(({ state }) => state === "unknown").map((device) => device.since);
  return {
    service,
    deviceType,
    name,
    contracted: quantity,
    connected: count("connected"),
    silent: count("silent"),
    neverConnected: count("never"),
    unknown: count("unknown") + hidden,
    missing: absent - hidden,
    unknownSince: earliest(hidden > 0 ? [neverAnsweredSince, ...since] : since)?.toISOString() ?? null,
    silenceMinutes,
    reasons: Array.from(reasons, ([reason, number]) => ({ reason, devices: number })).toSorted(
      (one, other) => other.devices - one.devices,
    ),
  };
}

function additionsOf(
  beyond: readonly CountedDevice[],
  contracted: ReadonlyMap<string, Contracted>,
): CoverageAddition[] {
  const byType = Map.groupBy(beyond, ({ type }) => (type ? keyOf(type) : ""));
  return Array.from(byType, ([key, devices]) => {
    const { service = "", deviceType = "" } = devices[0]?.type ?? {};
    return {
      service,
      deviceType,
      name: contracted.get(key)?.name ?? deviceType,
      devices: devices.length,
      connected: devices.filter(({ state }) => state === "connected").length,
      silent: devices.filter(({ state }) => state === "silent").length,
    };
  }).toSorted((one, other) => other.devices - one.devices);
}

function usesOf(
  byType: ReadonlyMap<string, readonly CountedDevice[]>,
  contracted: ReadonlyMap<string, Contracted>,
): TypeUse[] {
  return [...new Set([...contracted.keys(), ...byType.keys()])].map((key) => {
    const devices = byType.get(key) ?? [];
    const { service = "", deviceType = "" } = contracted.get(key) ?? devices[0]?.type ?? {};
    const count = (state: CoverageState) => devices.filter((device) => device.state === state).length;
    return {
      service,
      deviceType,
      contracted: contracted.get(key)?.quantity ?? 0,
      used: count("connected") + count("silent"),
      silent: count("silent"),
      unknown: count("unknown"),
    };
  });
}

function earliest(instants: readonly (Date | null)[]): Date | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : new Date(Math.min(...known.map((instant) => instant.getTime())));
}
