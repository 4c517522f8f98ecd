import { describe, expect, it } from "vitest";
import { earlier } from "../../contract/durations.ts";
import { randomFrom } from "../../tests/random.ts";
import type { KnownDevice } from "../engines/devices.ts";
import { countCoverage, type CoverageFacts } from "./count.ts";
import { fitsPattern, openMatcher, type Rule } from "./match.ts";

const now = new Date("2026-11-22T10:00:00Z");
const ago = (minutes: number) => earlier(now, { minutes });
const server = { service: "Server", deviceType: "Prod Server" };
const firewall = { service: "Network & Security Solutions", deviceType: "Firewall" };
const workstation = { service: "Other", deviceType: "Workstation" };

const device = (name: string, over: Partial<KnownDevice> = {}): KnownDevice => ({
  id: name,
  identity: name,
  bindingId: "b",
  externalId: name,
  name,
  address: null,
  os: null,
  groups: [],
  logSources: [],
  state: "active",
  knownSince: ago(100_000),
  firstSeenAt: ago(100_000),
  lastSeenAt: ago(1),
  lastEventAt: ago(1),
  lastEventBasis: "events",
  unknownSince: null,
  eventsUnknownSince: null,
  ...over,
});
const rule = (kind: Rule["kind"], pattern: string, type = server, over: Partial<Rule> = {}): Rule => ({
  id: `${kind} ${pattern}`,
  kind,
  pattern,
  ...type,
  place: 100,
  own: false,
  ...over,
});
const facts = (over: Partial<CoverageFacts>): CoverageFacts => ({
  now,
  contracted: [],
  devices: [],
  rules: [rule("name", "srv*"), rule("name", "fw*", firewall), rule("name", "pc*", workstation)],
  decisions: new Map(),
  limits: [],
  isBound: true,
  neverAnsweredSince: null,
  ...over,
});
const contracted = (quantity: number, type = server) => ({ ...type, name: type.deviceType, quantity });
const stateOf = (over: Partial<KnownDevice>, limit = 60) =>
  countCoverage(
    facts({ devices: [device("srv", over)], limits: [{ ...server, own: false, minutes: limit }] }),
  ).devices.map(({ state, reason, since }) => [state, reason, since])[0];

describe("A device", () => {
  it("is connected by its last event, not by the word of its engine", () => {
    expect(stateOf({})).toEqual(["connected", null, null]);
    expect(stateOf({ lastEventAt: ago(60) })).toEqual(["connected", null, null]);
    expect(stateOf({ lastEventAt: ago(61) })).toEqual(["silent", "no_events", ago(61)]);
    expect(stateOf({ lastEventAt: null })).toEqual(["silent", "no_events", null]);
    expect(stateOf({ state: "disconnected" })).toEqual(["silent", "disconnected", ago(1)]);
    expect(stateOf({ state: "never", lastSeenAt: null, lastEventAt: null })).toEqual(["never", "never", null]);
  });

  it("is judged by when it was seen where its engine tells no events", () => {
    const told = { lastEventBasis: "findings", lastEventAt: ago(5000) } as const;
    expect(stateOf(told)).toEqual(["connected", null, null]);
    expect(stateOf({ ...told, lastSeenAt: ago(61) })).toEqual(["silent", "disconnected", ago(61)]);
    expect(stateOf({ ...told, lastSeenAt: null })).toEqual(["unknown", "not_told", ago(5000)]);
    expect(stateOf({ ...told, lastSeenAt: null, lastEventAt: null })).toEqual(["unknown", "not_told", ago(100_000)]);
  });

  it("is not known when its engine fails, its events fail, or its state is a word that nobody knows", () => {
    expect(stateOf({ unknownSince: ago(30) })).toEqual(["unknown", "no_answer", ago(30)]);
    expect(stateOf({ eventsUnknownSince: ago(30) })).toEqual(["unknown", "events_unknown", ago(30)]);
    expect(stateOf({ eventsUnknownSince: ago(30), state: "disconnected" })?.[0]).toBe("silent");
    expect(stateOf({ state: "unknown" })).toEqual(["unknown", "not_told", ago(1)]);
    expect(stateOf({ state: "unknown", lastSeenAt: null, lastEventAt: null })).toEqual([
      "unknown",
      "not_told",
      ago(100_000),
    ]);
    // The engine has been polled for less than a week.
    expect(stateOf({ lastEventAt: null, knownSince: ago(60) }, 10_080)).toEqual(["unknown", "events_unknown", ago(60)]);
    expect(stateOf({ lastEventAt: null }, 10_080)).toEqual(["silent", "no_events", null]);
  });

  it("has the limit that was set for it, for its type with this customer, with all, or the default", () => {
    const limitsOf = (over: Partial<CoverageFacts>) =>
      countCoverage(facts({ devices: [device("srv"), device("pc"), device("else")], ...over })).devices.map(
        ({ silenceMinutes }) => silenceMinutes,
      );
    expect(limitsOf({})).toEqual([60, 1440, 60]);
    const all = { ...server, own: false, minutes: 30 };
    expect(limitsOf({ limits: [all] })).toEqual([30, 1440, 60]);
    expect(limitsOf({ limits: [{ ...server, own: true, minutes: 20 }, all] })).toEqual([20, 1440, 60]);
    const decisions = new Map([["srv", { type: null, notOurs: false, silenceMinutes: 10 }]]);
    expect(limitsOf({ limits: [all], decisions })).toEqual([10, 1440, 60]);
  });

  it("is not blamed for an intake that stands still for all", () => {
    const devices = ["srv-1", "srv-2", "srv-3"].map((name) => device(name, { lastEventAt: ago(90) }));
    const reasons = (of: KnownDevice[]) => countCoverage(facts({ devices: of })).devices.map(({ reason }) => reason);
    expect(new Set(reasons(devices))).toEqual(new Set(["nothing_arrives"]));
    expect(reasons([...devices, device("srv-4")]).slice(0, 3)).toEqual(["no_events", "no_events", "no_events"]);
    expect(reasons(devices.slice(1))).toEqual(["no_events", "no_events"]);
  });
});

describe("A rule", () => {
  it.each([
    ["srv-erp-1", "srv-*", true],
    ["srv-erp-1", "*erp*", true],
    ["srv-erp-1", "srv", false],
    ["srv-erp-1", "srv-???-1", true],
    ["srv-erp-1", "", false],
    ["", "*", true],
    ["a.c", "a?c", true],
    ["abc", "a.c", false],
  ])("says of %j like %j: %s", (text, pattern, fits) => {
    expect(fitsPattern(text, pattern)).toBe(fits);
  });

  it("with a pattern meant to be slow is matched as fast as any other", () => {
    expect(fitsPattern("a".repeat(300), `${"*a".repeat(59)}*b`)).toBe(false);
  });

  it("comes after what a person said, by kind, the customer's own first, then by its place", () => {
    const match = openMatcher([
      rule("log_source", "sshd", firewall),
      rule("system", "*linux*", workstation),
      rule("name", "srv*", firewall, { place: 2 }),
      rule("name", "s*", workstation, { place: 1 }),
      rule("name", "*v", server, { place: 9, own: true }),
    ]);
    const told = { name: "srv", groups: ["mills"], os: "Red Hat Linux", logSources: ["sshd"] };
    const matchedBy = (of: Partial<typeof told>) => {
      const { type, matchedBy: by } = match({ ...told, ...of }, undefined);
      return [type?.deviceType, by];
    };
    expect(matchedBy({})).toEqual(["Prod Server", "name"]);
    expect(matchedBy({ name: "SRV-1" })).toEqual(["Workstation", "name"]);
    expect(matchedBy({ name: "x" })).toEqual(["Workstation", "system"]);
    expect(matchedBy({ name: "x", os: "AIX" })).toEqual(["Firewall", "log_source"]);
    expect(matchedBy({ name: "x", os: "AIX", logSources: [] })).toEqual([undefined, null]);
    expect(match(told, { type: firewall, notOurs: false, silenceMinutes: null })).toMatchObject({
      type: firewall,
      matchedBy: "hand",
    });
    expect(match(told, { type: null, notOurs: true, silenceMinutes: null })).toMatchObject({
      type: null,
      notOurs: true,
    });
  });
});

describe("Coverage", () => {
  it("counts more devices than are contracted once, those that are connected first", () => {
    const devices = [
      device("srv-1", { lastEventAt: ago(90) }),
      device("srv-2"),
      device("srv-3"),
      device("fw-1"),
      device("else"),
    ];
    const counted = countCoverage(facts({ devices, contracted: [contracted(2), contracted(3, workstation)] }));
    expect(counted.lines).toMatchObject([
      { deviceType: "Prod Server", contracted: 2, connected: 2, silent: 0, missing: 0, reasons: [] },
      { deviceType: "Workstation", contracted: 3, missing: 3, reasons: [{ reason: "missing", devices: 3 }] },
    ]);
    expect(counted.additions).toMatchObject([
      { deviceType: "Prod Server", devices: 1, connected: 0, silent: 1 },
      { deviceType: "Firewall", devices: 1, connected: 1 },
    ]);
    expect([counted.notContracted, counted.unmatched]).toEqual([2, 1]);
    expect(counted.uses).toMatchObject([
      { deviceType: "Prod Server", contracted: 2, used: 3, silent: 1 },
      { deviceType: "Workstation", contracted: 3, used: 0 },
      { deviceType: "Firewall", contracted: 0, used: 1 },
    ]);
  });

  it("does not know what an engine would name that never answered", () => {
    const line = (over: Partial<CoverageFacts>) => countCoverage(facts({ contracted: [contracted(4)], ...over }));
    expect(line({ isBound: false }).lines[0]?.reasons).toEqual([{ reason: "not_bound", devices: 4 }]);
    const never = line({ neverAnsweredSince: ago(7) });
    expect(never.lines[0]).toMatchObject({ unknown: 4, missing: 0, unknownSince: ago(7).toISOString() });
    expect(never.unknownSince).toEqual(ago(7));
    expect([line({}).uses.length, never.uses, line({ isBound: false }).uses]).toEqual([1, [], []]);
  });

  it("adds up on any fleet, with each device in one place", () => {
    for (let seed = 1; seed <= 150; seed++) {
      const { below: random, pick } = randomFrom(seed);
      const devices = Array.from({ length: random(120) }, (_, index) =>
        device(`${pick(["srv", "fw", "pc", "else"])}-${index}`, {
          bindingId: pick(["a", "b"]),
          state: pick(["active", "active", "active", "disconnected", "pending", "never", "unknown"]),
          lastSeenAt: pick([null, ago(random(3000))]),
          lastEventAt: pick([null, ago(random(3000))]),
          lastEventBasis: pick(["events", "findings", null]),
          firstSeenAt: pick([null, ago(random(9000))]),
          unknownSince: pick([null, null, null, ago(random(900))]),
          eventsUnknownSince: pick([null, null, null, ago(random(900))]),
        }),
      );
      const decisions = new Map(
        devices
          .filter(() => random(5) === 0)
          .map(({ identity }) => [
            identity,
            { type: pick([null, server, firewall]), notOurs: false, silenceMinutes: pick([null, 5]) },
          ]),
      );
      const counted = countCoverage(
        facts({
          devices,
          decisions,
          contracted: [server, firewall, workstation, server]
            .filter(() => random(3) > 0)
            .map((type) => contracted(random(60), type)),
          isBound: random(2) === 0,
          neverAnsweredSince: pick([null, null, ago(3)]),
        }),
      );
      const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0);
      for (const line of counted.lines) {
        expect(line.connected + line.silent + line.neverConnected + line.unknown + line.missing).toBe(line.contracted);
        expect(sum(line.reasons.map(({ devices: of }) => of))).toBe(line.contracted - line.connected);
      }
      const inLines = sum(counted.lines.map((line) => line.contracted - line.missing));
      const hidden = sum(
        counted.lines
          .flatMap(({ reasons }) => reasons.filter(({ reason }) => reason === "no_answer"))
          .map((of) => of.devices),
      );
      const at = (place: string) => counted.devices.filter((each) => each.place === place);
      const failing = at("line").filter(({ reason }) => reason === "no_answer").length;
      expect(inLines - (hidden - failing)).toBe(at("line").length);
      expect(sum(counted.additions.map(({ devices: of }) => of))).toBe(counted.notContracted);
      expect(at("beyond")).toHaveLength(counted.notContracted);
      expect(at("unmatched")).toHaveLength(counted.unmatched);
      expect(new Set(counted.devices.map((each) => each.device.identity)).size).toBe(devices.length);
      expect(counted.devices.every(({ state, reason }) => (state === "connected") === (reason === null))).toBe(true);
    }
  });
});
