import { describe, expect, it } from "vitest";
import type { RateCardContent } from "../../../contract/rates.ts";
import { problemsOf } from "./checks.ts";
import { mergeCards } from "./merge-cards.ts";
import { contentOf, typedFrom } from "./typed-card.ts";

const type = (name: string, over: object = {}) => ({
  key: { service: "Server", deviceType: name },
  name,
  unit: "device",
  yearly: "100.00",
  retired: false,
  ...over,
});
const base: RateCardContent = {
  groups: [
    { name: "Server", types: [type("Prod"), type("Test")] },
    { name: "Other", types: [type("Backup")] },
  ],
  custom: { unit: "device", yearly: "50.00" },
  tiers: [{ fromDevices: 50, discountPercent: 5 }],
  gstPercent: 18,
  quoteValidDays: 30,
};
const card = (server: object[], other: object[] = [type("Backup")], over: object = {}) =>
  ({
    ...base,
    groups: [
      { name: "Server", types: server },
      { name: "Other", types: other },
    ],
    ...over,
  }) as RateCardContent;
function merge(mine: RateCardContent, theirs: RateCardContent) {
  const [merged, overruled] = mergeCards(typedFrom(base), typedFrom(mine), typedFrom(theirs));
  return { content: contentOf(merged), overruled };
}
const typeIn = (content: RateCardContent, name: string) =>
  content.groups
    .flatMap((group) => group.types.map((each) => ({ ...each, group: group.name })))
    .find((each) => each.name === name);

describe("Two cards that were typed from one", () => {
  it("become one with what either changed", () => {
    const { content, overruled } = merge(
      card([type("Prod", { yearly: "111.00" }), type("Test")], undefined, { gstPercent: 5 }),
      card([type("Prod", { unit: "host" }), type("Test", { retired: true })], undefined, { quoteValidDays: 60 }),
    );
    expect(typeIn(content, "Prod")).toMatchObject({ yearly: "111.00", unit: "host" });
    expect(typeIn(content, "Test")).toMatchObject({ retired: true });
    expect(content).toMatchObject({ gstPercent: 5, quoteValidDays: 60, tiers: base.tiers });
    expect(overruled).toEqual({});
  });
  it("keep mine where both changed the same, and tell of theirs", () => {
    const { content, overruled } = merge(
      card([type("Prod", { yearly: "111.00" }), type("Test", { yearly: "5.00" })]),
      card([type("Prod", { yearly: "222.00" }), type("Test", { yearly: "5.00" })]),
    );
    expect(typeIn(content, "Prod")?.yearly).toBe("111.00");
    expect(overruled).toEqual({ "Server|Prod": "somebody else saved the yearly price ₹222.00" });
  });
  it("keep my terms where both changed the same, and tell of theirs", () => {
    const mine = { custom: { unit: "host", yearly: "60.00" }, tiers: [], gstPercent: 5, quoteValidDays: 45 };
    const theirs = {
      custom: { unit: "box", yearly: "70.00" },
      tiers: [
        { fromDevices: 1, discountPercent: 2 },
        { fromDevices: 100, discountPercent: 10 },
      ],
      gstPercent: 12,
      quoteValidDays: 60,
    };
    const { content, overruled } = merge(card([], undefined, mine), card([], undefined, theirs));
    expect(content).toMatchObject(mine);
    expect(overruled).toEqual({
      "custom.unit": "somebody else saved the unit “box”",
      "custom.yearly": "somebody else saved the yearly price ₹70.00",
      tiers: "somebody else saved a volume discount of 2% from 1 device, 10% from 100 devices",
      gstPercent: "somebody else saved a GST of 12%",
      quoteValidDays: "somebody else saved a validity of 60 days",
    });
    expect(merge(card([], undefined, mine), card([], undefined, mine)).overruled).toEqual({});
    expect(merge(card([], undefined, theirs), card([], undefined, mine)).overruled["tiers"]).toBe(
      "somebody else saved no volume discount",
    );
  });
  it("have the unit of a custom device from one and its price from the other", () => {
    const { content, overruled } = merge(
      card([], undefined, { custom: { ...base.custom, unit: "host" } }),
      card([], undefined, { custom: { ...base.custom, yearly: "70.00" } }),
    );
    expect([content.custom, overruled]).toEqual([{ unit: "host", yearly: "70.00" }, {}]);
  });
  it("have the new types of both, once", () => {
    const both = type("Mainframe", { key: null });
    const { content } = merge(
      card([type("Prod"), type("Test"), both, type("Blade", { key: null })]),
      card([
        type("Prod"),
        type("Test"),
        { ...both, key: { service: "Server", deviceType: "Mainframe" } },
        type("Mini"),
      ]),
    );
    expect(content.groups[0]?.types.map(({ name }) => name)).toEqual(["Prod", "Test", "Mainframe", "Blade", "Mini"]);
    expect(problemsOf(typedFrom(content))).toEqual({});
  });
  it("keep a move and a renamed group together", () => {
    const { content } = merge(card([type("Prod")], [type("Backup"), type("Test")]), {
      ...base,
      groups: [
        { name: "Machines", types: [type("Prod"), type("Test")] },
        { name: "Other", types: [type("Backup")] },
      ],
    });
    expect(typeIn(content, "Test")?.group).toBe("Other");
    expect(typeIn(content, "Prod")?.group).toBe("Machines");
    expect(content.groups.map(({ name }) => name)).toEqual(["Machines", "Other"]);
  });
});

it("A number that is left empty is no 0, and says so", () => {
  const typed = typedFrom(base);
  const problems = problemsOf({
    ...typed,
    gstPercent: "",
    types: typed.types.map((each) => ({ ...each, yearly: "" })),
  });
  expect(problems).toMatchObject({
    gstPercent: "Please enter a number",
    "groups.0.types.1.yearly": "Please enter a number",
  });
});
