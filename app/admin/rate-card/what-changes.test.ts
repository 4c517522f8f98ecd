import { expect, it } from "vitest";
import type { RateCardContent } from "../../../contract/rates.ts";
import { whatChanges } from "./what-changes.ts";

const type = (name: string, yearly: string, retired = false) => ({
  key: { service: "Server", deviceType: name },
  name,
  unit: "device",
  yearly,
  retired,
});
const card = (types: RateCardContent["groups"][number]["types"], custom = "12000.00"): RateCardContent => ({
  groups: [{ name: "Server", types }],
  custom: { unit: "device", yearly: custom },
  tiers: [],
  gstPercent: 18,
  quoteValidDays: 30,
});

it("The question before a card is published says how many prices and types change", () => {
  const before = card([type("Web", "100.00"), type("Mail", "200.00"), type("Old", "300.00", true)]);
  const said = (after: RateCardContent) => whatChanges(before, after);
  expect(said(before)).toBe("No price changes.");
  expect(said(card([type("Mail", "200"), { ...type("Web", "100.50"), name: "Web servers" }]))).toBe("1 price changes.");
  expect(
    said(
      card(
        [
          type("Web", "110.00"),
          type("Mail", "210.00", true),
          type("Old", "300.00"),
          { ...type("A", "1.00"), key: null },
          { ...type("B", "1.00"), key: null },
        ],
        "13000.00",
      ),
    ),
  ).toBe("3 prices change, 2 types are new, 1 type is retired, 1 type is brought back.");
});
