import { describe, expect, it } from "vitest";
import { entityClassNames, type EntityClass } from "../../contract/entity-classes.ts";
import { byEnd } from "../../contract/obligation-words.ts";
import { countClocks, type KnownFacts } from "./count-clocks.ts";
import { shippedObligations } from "./shipped.ts";

/** A time in India. */
const india = (written: string) => new Date(`${written}:00+05:30`);
const shown = (instant: Date | null | undefined) =>
  instant?.toLocaleString("sv-SE", { timeZone: "Asia/Kolkata" }).slice(0, 16);

function counted(
  facts: Partial<KnownFacts>,
  given: {
    classes?: EntityClass[] | null;
    now?: Date;
    openedAt?: Date;
    filed?: [string, Date][];
    obligations?: typeof shippedObligations;
  } = {},
) {
  const clocks = countClocks({
    obligations: given.obligations ?? shippedObligations,
    classes: given.classes === undefined ? ["sebi regulated", "body corporate"] : given.classes,
    facts: { times: {}, answers: {}, choices: {}, ...facts },
    openedAt: given.openedAt ?? india("2026-10-01T12:00"),
    filed: new Map(given.filed?.map(([key, filedAt]) => [key, { filedAt }])),
    now: given.now ?? india("2026-10-01T15:30"),
  });
  return (key: string) => {
    const clock = clocks.find(({ obligation }) => obligation.key === key);
    if (!clock) throw new Error(`There is no clock ${key}`);
    return { ...clock, due: shown(clock.dueAt) };
  };
}

describe("A regulator's clock", () => {
  it("ends to the minute where the labelled cases of a qualified entity say it does", () => {
    const clock = counted({
      times: { noticed: india("2026-10-01T10:00"), "reported to sebi": india("2026-10-01T15:00") },
      types: [5],
      choices: { severity: "high" },
    });
    expect(
      Object.fromEntries(
        [
          "cert-in",
          "sebi-mail",
          "sebi-portal",
          "sebi-interim",
          "sebi-mitigation",
          "sebi-root-cause",
          "sebi-vapt",
          "sebi-forensic",
        ].map((key) => [key, `${clock(key).state} ${clock(key).due}`]),
      ),
    ).toEqual({
      "cert-in": "running 2026-10-01 16:00",
      "sebi-mail": "running 2026-10-01 16:00",
      "sebi-portal": "running 2026-10-02 10:00",
      "sebi-interim": "running 2026-10-04 15:00",
      "sebi-mitigation": "running 2026-10-08 15:00",
      "sebi-root-cause": "running 2026-10-31 15:00",
      "sebi-vapt": "running 2026-11-15 15:00",
      "sebi-forensic": "running 2026-12-15 15:00",
    });
  });

  it("starts when it was brought to notice where nobody noticed it, and asks whether somebody had", () => {
    const clock = counted({ times: { "brought to notice": india("2026-10-01T09:00") }, types: [5] });
    expect(clock("sebi-interim").due).toBe("2026-10-04 09:00");
    expect(clock("cert-in")).toMatchObject({ state: "overdue", due: "2026-10-01 15:00" });
    expect(clock("cert-in").questions.map(({ fact }) => fact)).toEqual(["noticed"]);
    expect(clock("sebi-forensic")).toMatchObject({ state: "may apply", dueAt: null });
  });

  it("starts with the earliest of the times that can start it", () => {
    const noticed = india("2026-10-01T11:00");
    const earlier = counted({ times: { noticed, "brought to notice": india("2026-10-01T10:15") }, types: [11] });
    expect(earlier("cert-in")).toMatchObject({ due: "2026-10-01 16:15", started: { fact: "brought to notice" } });
    const later = counted({ times: { noticed, "brought to notice": india("2026-10-01T14:00") }, types: [11] });
    expect(later("cert-in")).toMatchObject({ due: "2026-10-01 17:00", started: { fact: "noticed" } });
  });

  it("asks for what is missing, and never takes it for a no", () => {
    const clock = counted({});
    expect(clock("cert-in")).toMatchObject({ state: "may apply", dueAt: null });
    expect(clock("cert-in").questions.map(({ fact }) => fact)).toEqual(["types", "noticed", "brought to notice"]);
    for (const { who, question } of clock("cert-in").questions) expect(who && question).toBeTruthy();
    expect(counted({ types: [3] })("cert-in")).toMatchObject({ state: "waiting" });
  });

  it("may apply while nobody has said what the organization is, and its end is counted all the same", () => {
    const clock = counted({ times: { noticed: india("2026-10-01T10:00") }, types: [5] }, { classes: null });
    expect(clock("cert-in")).toMatchObject({ state: "may apply", due: "2026-10-01 16:00" });
    expect(clock("rbi").state).toBe("may apply");
    expect(clock("irdai").questions[0]).toMatchObject({ fact: null, who: "the main user of your organization" });
  });

  it("does not apply only where somebody attested what rules it out", () => {
    const none = counted({ types: [], times: { noticed: india("2026-10-01T10:00") } });
    expect(none("cert-in")).toMatchObject({
      state: "not",
      why: expect.stringContaining("none of the twenty") as string,
    });
    expect(none("sebi-other")).toMatchObject({ state: "running", due: "2026-10-02 10:00" });
    expect(counted({}, { classes: ["insurer"] })("rbi").state).toBe("not");
    expect(counted({ choices: { severity: "medium" } })("sebi-forensic").state).toBe("not");
  });

  it("is read by the law of the incident's day: the DPDP rules not before 13 May 2027", () => {
    const facts = (day: string) => ({
      times: { occurred: india(`${day}T23:59`), aware: india("2027-05-20T10:00") },
      answers: { "personal data": true },
    });
    const given = {
      classes: ["data fiduciary" as const],
      openedAt: india("2027-05-20T10:00"),
      now: india("2027-05-20T11:00"),
    };
    const before = counted(facts("2027-05-12"), given);
    expect(before("dpdp-board-72h")).toMatchObject({
      state: "not in force",
      dueAt: null,
      why: "In force from 13 May 2027; the incident's day is 12 May 2027.",
    });
    const after = counted(facts("2027-05-13"), given);
    expect(after("dpdp-board-72h")).toMatchObject({ state: "running", due: "2027-05-23 10:00" });
    expect(counted({ times: { detected: india("2026-07-30T10:00") } }, { classes: ["bank"] })("rbi").state).toBe(
      "not in force",
    );
    expect(counted({ times: { detected: india("2026-07-31T00:00") } }, { classes: ["bank"] })("rbi").due).toBe(
      "2026-07-31 06:00",
    );
  });

  it("has no number where the law says without delay", () => {
    const given = {
      classes: ["data fiduciary" as const],
      openedAt: india("2027-06-01T10:00"),
      now: india("2027-06-01T10:00"),
    };
    const clock = counted({ times: { aware: india("2027-06-01T09:00") }, answers: { "personal data": true } }, given);
    expect(clock("dpdp-person")).toMatchObject({ state: "at once", dueAt: null, span: "without delay" });
  });

  it("without delay stands before those that end, and those before what has no end that is known", () => {
    const clocks = [
      { state: "waiting", dueAt: null },
      { state: "running", dueAt: "2026-10-01T10:00:00Z" },
      { state: "at once", dueAt: null },
      { state: "overdue", dueAt: "2026-09-01T10:00:00Z" },
    ];
    expect(clocks.toSorted(byEnd).map(({ state }) => state)).toEqual(["at once", "overdue", "running", "waiting"]);
  });

  it("counts from detection for the RBI, and not from when somebody noticed", () => {
    const times = { noticed: india("2026-10-01T08:00"), detected: india("2026-10-01T10:00") };
    expect(counted({ times }, { classes: ["bank"] })("rbi").due).toBe("2026-10-01 16:00");
    expect(counted({ times: { noticed: times.noticed } }, { classes: ["bank"] })("rbi")).toMatchObject({
      state: "waiting",
    });
  });

  it("is the IFSCA's in GIFT City, and not RBI's, SEBI's or IRDAI's", () => {
    const times = { detected: india("2026-10-01T10:00"), "brought to notice": india("2026-10-01T09:00") };
    const clock = counted({ times, types: [5] }, { classes: ["ifsc", "bank", "sebi regulated", "insurer"] });
    expect(["rbi", "sebi-mail", "sebi-interim", "irdai"].map((key) => clock(key).state)).toEqual(Array(4).fill("not"));
    expect(clock("ifsca-report").due).toBe("2026-10-01 16:00");
    const market = counted({ times, types: [5] }, { classes: ["ifsc", "ifsc market infrastructure"] });
    expect(market("ifsca-mii-report").due).toBe("2026-10-01 15:00");
    expect(market("ifsca-mii-interim").due).toBe("2026-10-04 09:00");
    expect(market("ifsca-report").state).toBe("not");
  });

  it("takes 12 or 24 hours from occurrence for a listed company, by where the event comes from", () => {
    const facts = (origin: string) => ({
      times: { occurred: india("2026-10-01T10:00") },
      answers: { material: true },
      choices: { origin },
    });
    const listed = { classes: ["listed" as const] };
    expect(counted(facts("within"), listed)("lodr-within").due).toBe("2026-10-01 22:00");
    expect(counted(facts("outside"), listed)("lodr-outside").due).toBe("2026-10-02 10:00");
    expect(counted(facts("outside"), listed)("lodr-within").state).toBe("not");
  });

  it("is filed in time or late by the first filing", () => {
    const facts = { times: { noticed: india("2026-10-01T10:00") }, types: [5 as const] };
    const inTime = counted(facts, { filed: [["cert-in", india("2026-10-01T16:00")]], now: india("2026-10-09T10:00") });
    expect(inTime("cert-in")).toMatchObject({ state: "filed", questions: [] });
    const late = counted(facts, { filed: [["cert-in", india("2026-10-01T16:01")]] });
    expect(late("cert-in").state).toBe("filed late");
  });
});

describe("What is shipped", () => {
  it("leaves out hours for the United Arab Emirates, and has what sources dispute switched off", () => {
    const uae: EntityClass[] = entityClassNames.filter((name) => name.startsWith("uae"));
    expect(uae).toHaveLength(3);
    expect(shippedObligations.filter(({ classes }) => classes.some((each) => uae.includes(each)))).toEqual([]);
    expect(shippedObligations.filter(({ confidence, on }) => confidence === "L" && on)).toEqual([]);
    expect(shippedObligations.filter(({ confidence }) => confidence === "L").map(({ key }) => key)).toEqual(["nciipc"]);
  });

  it("names each obligation once", () => {
    const keys = shippedObligations.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
