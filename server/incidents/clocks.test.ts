import { describe, expect, it } from "vitest";
import { type Agreement, shippedAgreement } from "../../contract/incident-agreement.ts";
import {
  type ClockName,
  clockKeys,
  type IncidentNews,
  incidentSeverities,
  type KnownSeverity,
  knownSeverities,
} from "../../contract/incident-states.ts";
import { computeClocks } from "./clocks.ts";
import { type Fact, replay } from "./replay.ts";

/** A Monday, 10:00 in India. */
const monday = Date.parse("2026-11-16T04:30:00Z");
const at = (minutes: number) => new Date(monday + minutes * 60_000);

let serial = 0;
const fact = (news: IncidentNews, minutes: number, more: Partial<Fact> = {}): Fact => ({
  id: `fact ${++serial}`,
  serial,
  news,
  occurredAt: at(minutes),
  by: news === "detected" ? "engine" : news === "reported" || news === "answered" ? "customer" : "us",
  payload: {},
  corrects: null,
  withdrawn: false,
  eventKey: `event ${serial}`,
  ...more,
});
const detected = (severity: KnownSeverity | "unknown", minutes = 0) =>
  fact("detected", minutes, { payload: { severity } });
const raised = (severity: KnownSeverity, minutes: number) => fact("severity", minutes, { payload: { severity } });
const clocksOf = (facts: readonly Fact[], now: number, agreement = shippedAgreement) =>
  computeClocks(facts, agreement, at(now));

describe("A clock of the service level", () => {
  it("runs from detection or report, whichever was first, to the first act of a person", () => {
    const facts = [detected("P1", 10), fact("reported", 4), fact("seen", 18)];
    expect(clocksOf(facts, 30).acknowledge).toMatchObject({
      state: "kept",
      startedAt: at(4),
      dueAt: at(19),
      endedAt: at(18),
    });
    expect(clocksOf(facts, 30).contain).toMatchObject({ state: "running", startedAt: at(18), dueAt: at(78) });
  });

  it("is kept at its last instant, and broken after it", () => {
    const seen = (minutes: number) => clocksOf([detected("P1"), fact("seen", minutes)], 60).acknowledge.state;
    expect([seen(15), seen(15.1)]).toEqual(["kept", "broken"]);
  });

  it("counts what is not known as the worst", () => {
    expect(clocksOf([detected("unknown")], 5).acknowledge.dueAt).toEqual(at(15));
  });

  it("pauses only with a reason, and only where the agreement allows it", () => {
    const asked = (reason: string) => [
      detected("P1"),
      fact("seen", 0),
      fact("asked", 10, { id: "ask", payload: { waits: "customer", reason } }),
      fact("answered", 40, { payload: { ask: "ask" } }),
    ];
    expect(clocksOf(asked("The server is theirs"), 50).contain.dueAt).toEqual(at(90));
    expect(clocksOf(asked("  "), 50).contain.dueAt).toEqual(at(60));
    const strict = { ...shippedAgreement, pauses: { customer: [], third_party: [] } };
    expect(clocksOf(asked("The server is theirs"), 50, strict).contain.dueAt).toEqual(at(60));
    const third = [
      detected("P1"),
      fact("seen", 0),
      fact("waiting", 10, { payload: { waits: "third_party", reason: "CERT" } }),
    ];
    expect(clocksOf(third, 50)).toMatchObject({
      contain: { state: "running" },
      resolve: { state: "paused", dueAt: null },
    });
  });

  it("does not stand still for a question that counts as answered, as its answer has a time before it", () => {
    const asked = { waits: "customer", reason: "The server is theirs" } as const;
    const facts = [
      detected("P1"),
      fact("seen", 0),
      fact("asked", 10, { id: "first", payload: asked }),
      fact("asked", 12, { id: "second", corrects: "first", payload: asked }),
      fact("answered", 5, { payload: { ask: "first" } }),
    ];
    expect(replay(facts)).toMatchObject({ openAsks: [], waitsFor: null, waits: [] });
    expect(clocksOf(facts, 50).contain).toMatchObject({ state: "running", dueAt: at(60) });
  });

  it("counts new limits from the raise, and from the start when the severity is lowered", () => {
    const facts = [detected("P3"), fact("seen", 5), raised("P1", 100)];
    expect(clocksOf(facts, 110).contain.dueAt).toEqual(at(160));
    expect(clocksOf([...facts, raised("P2", 120)], 130).contain.dueAt).toEqual(at(5 + 240));
  });

  it("remembers what ran out under a severity that was lowered later", () => {
    const { acknowledge } = clocksOf([detected("P1"), raised("P3", 30)], 31);
    // The change of severity is itself an act of a person, fifteen minutes late.
    expect(acknowledge).toMatchObject({ state: "broken", breaches: [{ dueAt: at(15), severity: "P1" }] });
  });

  it("counts business hours, without nights, weekends and holidays", () => {
    const agreement: Agreement = {
      ...shippedAgreement,
      hours: { ...shippedAgreement.hours, holidays: [{ day: "2026-11-17", name: "A holiday" }] },
    };
    // P4: one business day of nine hours. Monday from 10:00 has eight, the holiday none, Wednesday from 9:00 the ninth.
    const due = clocksOf([detected("P4")], 1, agreement).acknowledge.dueAt;
    expect(due).toEqual(new Date("2026-11-18T04:30:00Z"));
    const friday = fact("detected", 4 * 24 * 60 + 7 * 60, { payload: { severity: "P4" } });
    expect(clocksOf([friday], 6000, agreement).acknowledge.dueAt).toEqual(new Date("2026-11-23T11:30:00Z"));
  });

  it("follows the change of clocks in a time zone that has one", () => {
    const agreement: Agreement = {
      ...shippedAgreement,
      hours: { ...shippedAgreement.hours, timeZone: "Europe/Berlin", holidays: [] },
    };
    const opened = fact("detected", 0, { occurredAt: new Date("2026-10-23T15:00:00Z"), payload: { severity: "P4" } });
    // Friday 17:00 in summer time has one hour left; eight more end on Monday at 17:00 in winter time.
    const clocks = computeClocks([opened], agreement, new Date("2026-10-24T00:00:00Z"));
    expect(clocks.acknowledge.dueAt).toEqual(new Date("2026-10-26T16:00:00Z"));
  });

  it("goes on when the incident is opened again, without the time in between", () => {
    const facts = [detected("P1"), fact("seen", 0), fact("resolved", 100), fact("reopened", 400)];
    expect(clocksOf(facts, 410).resolve).toMatchObject({ state: "running", dueAt: at(400 + 140) });
  });

  it("shows a corrected time, and the incident as if the wrong one had never been", () => {
    const late = fact("seen", 20, { id: "late" });
    const facts = [detected("P1"), late];
    expect(clocksOf(facts, 30).acknowledge.state).toBe("broken");
    const corrected = [...facts, fact("seen", 12, { corrects: "late" })];
    expect(clocksOf(corrected, 30).acknowledge).toMatchObject({ state: "kept", endedAt: at(12) });
    expect(clocksOf([...facts, fact("seen", 12, { corrects: "late", withdrawn: true })], 30).acknowledge.endedAt).toBe(
      null,
    );
  });

  it("takes what the table of states refuses for nothing", () => {
    const facts = [detected("P1"), fact("closed", 5), fact("contained", 90), fact("reopened", 200)];
    expect(replay(facts)).toMatchObject({ state: "investigating" });
    expect(replay([...facts, fact("reopened", 210)]).facts).toHaveLength(3);
  });
});

/** A small generator with a seed, so that a failure can be repeated. */
function dice(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
  return {
    below: (max: number) => Math.floor(next() * max),
    one: <Of>(of: readonly Of[]) => of[Math.floor(next() * of.length)] as Of,
  };
}
type Dice = ReturnType<typeof dice>;

/** A history of some days in which people act in any order. */
function history(roll: Dice): Fact[] {
  const facts = [detected(roll.one(incidentSeverities), roll.below(60))];
  const asks: string[] = [];
  for (let count = roll.below(14); count > 0; count--) {
    const minutes = roll.below(roll.one([120, 700, 5000]));
    const news = roll.one([
      "reported",
      "seen",
      "severity",
      "asked",
      "answered",
      "waiting",
      "resumed",
      "action",
      "contained",
      "resolved",
      "closed",
      "reopened",
    ] as const);
    const waits = roll.one(["customer", "third_party"] as const);
    const payload =
      news === "severity"
        ? { severity: roll.one(incidentSeverities) }
        : news === "asked" || news === "waiting"
          ? { waits, reason: roll.one(["", "a reason"]) }
          : news === "resumed"
            ? { waits }
            : news === "answered"
              ? { ask: roll.one([...asks, "none"]) }
              : {};
    const made = fact(news, minutes, { payload });
    if (news === "asked") asks.push(made.id);
    facts.push(made);
    if (roll.below(8) === 0)
      facts.push(fact(news, roll.below(2000), { payload, corrects: made.id, withdrawn: roll.below(2) === 0 }));
  }
  return facts;
}

const agreement: Agreement = {
  ...shippedAgreement,
  limits: {
    ...shippedAgreement.limits,
    P4: { ...shippedAgreement.limits.P4, contain: null },
  },
  hours: { ...shippedAgreement.hours, holidays: [{ day: "2026-11-18", name: "A holiday" }] },
};

/**
 * The same figures, computed by walking through every minute of the incident with nothing but its facts: slow, and
 * without a formula in common with the real implementation.
 */
function byTheMinute(facts: readonly Fact[], until: number) {
  const told = replay(facts).facts;
  const open = (minute: number) => {
    const local = new Date(at(minute).getTime() + 330 * 60_000);
    const day = local.toISOString().slice(0, 10);
    const clock = 60 * local.getUTCHours() + local.getUTCMinutes();
    return local.getUTCDay() % 6 !== 0 && day !== "2026-11-18" && clock >= 540 && clock < 1080;
  };
  const figures = Object.fromEntries(
    clockKeys.map((name) => [
      name,
      { started: null as number | null, ended: null as number | null, broken: [] as number[] },
    ]),
  ) as Record<ClockName, { started: number | null; ended: number | null; broken: number[] }>;
  // How much each clock has counted under every limit, since the start and since the last raise of severity.
  const walked = clockKeys.map((name) => ({ name, minutes: [] as { at: number; business: boolean }[] }));
  const pauses = new Map<string, { waits: "customer" | "third_party"; reason: string }>();
  const roots = new Map(facts.flatMap(({ id, corrects }) => (corrects ? [[id, corrects]] : [])));
  const root = (id: string): string => (roots.has(id) ? root(roots.get(id) ?? "") : id);
  let severity: KnownSeverity | null = null;
  let since: number | null = null;
  const given = new Set<string>();
  const answered = new Set<string>();
  // Somebody may have acted on the incident, or contained it, before it was detected.
  let acted = false;
  let contained = false;
  let done = false;
  for (let minute = 0; minute < until; minute++) {
    const now = told.filter(({ occurredAt }) => occurredAt.getTime() === at(minute).getTime());
    // What ran out before this minute's news is judged by what applied until then.
    const judge = () => {
      for (const { name, minutes } of walked) {
        const figure = figures[name];
        if (figure.started === null || severity === null || figure.ended !== null) continue;
        const limit = agreement.limits[severity][name];
        const from = since === null ? figure.started : Math.max(since, figure.started);
        const key = `${name} ${severity} ${from}`;
        if (!limit || given.has(key)) continue;
        const counted = minutes.filter((each) => each.at >= from && (limit.calendar === "always" || each.business));
        const lastMinute = counted[limit.minutes - 1]?.at ?? Infinity;
        if (lastMinute < minute) {
          given.add(key);
          figure.broken.push(lastMinute + 1);
        }
      }
    };
    for (const { id, news, payload, by } of now) {
      const acts = by === "us";
      if ((news === "detected" || news === "reported") && figures.acknowledge.started === null)
        figures.acknowledge.started = minute;
      acted ||= acts;
      if (acted && figures.acknowledge.ended === null && figures.acknowledge.started !== null) {
        figures.acknowledge.ended = minute;
        figures.contain.started = minute;
        figures.resolve.started = minute;
      }
      contained ||= ["contained", "resolved", "closed"].includes(news);
      if (contained && figures.contain.started !== null) figures.contain.ended ??= minute;
      if (["resolved", "closed"].includes(news)) done = true;
      if (news === "reopened") [done, figures.resolve.ended] = [false, null];
      if (done && figures.resolve.started !== null) figures.resolve.ended ??= minute;
      if (["resolved", "closed", "reopened"].includes(news)) pauses.clear();
      if (news === "resumed") for (const [key, { waits }] of pauses) if (waits === payload.waits) pauses.delete(key);
      if (news === "answered" && payload.ask) {
        answered.add(root(payload.ask));
        pauses.delete(root(payload.ask));
      }
      if (news === "asked" || news === "waiting") {
        const key = news === "asked" ? root(id) : `waiting ${payload.waits}`;
        if (payload.waits && !pauses.has(key) && !answered.has(key))
          pauses.set(key, { waits: payload.waits, reason: payload.reason ?? "" });
      }
      if (payload.severity) {
        const next = payload.severity === "unknown" ? "P1" : payload.severity;
        if (severity !== null && next !== severity)
          since = knownSeverities.indexOf(next) < knownSeverities.indexOf(severity) ? minute : null;
        severity = next;
      }
    }
    for (const { name, minutes } of walked) {
      const figure = figures[name];
      const stands = [...pauses.values()].some(
        ({ waits, reason }) => reason !== "" && agreement.pauses[waits].includes(name),
      );
      if (figure.started !== null && figure.ended === null && !stands)
        minutes.push({ at: minute, business: open(minute) });
    }
    judge();
  }
  return figures;
}

describe("Random histories", () => {
  const seeds = Array.from({ length: 100 }, (_, seed) => seed + 1);

  it("give the same figures shuffled, twice and late", () => {
    for (const seed of seeds) {
      const roll = dice(seed);
      const facts = history(roll);
      const shuffled = [...facts, ...facts.filter(() => roll.below(3) === 0)].toSorted(() => roll.below(3) - 1);
      expect([seed, clocksOf(shuffled, 9000, agreement)]).toEqual([seed, clocksOf(facts, 9000, agreement)]);
    }
  });

  it("agree with a walk through every minute", () => {
    for (const seed of seeds.slice(0, 15)) {
      const facts = history(dice(1000 + seed));
      const until = 3000;
      const computed = clocksOf(
        facts.filter(({ occurredAt }) => occurredAt <= at(until)),
        until,
        agreement,
      );
      const walked = byTheMinute(
        facts.filter(({ occurredAt }) => occurredAt <= at(until)),
        until,
      );
      for (const name of clockKeys) {
        const { startedAt, endedAt, breaches } = computed[name];
        const minute = (date: Date | null) => date && (date.getTime() - monday) / 60_000;
        expect([seed, name, minute(startedAt), minute(endedAt), breaches.map(({ dueAt }) => minute(dueAt))]).toEqual([
          seed,
          name,
          walked[name].started,
          walked[name].ended,
          walked[name].broken,
        ]);
      }
    }
  });
});
