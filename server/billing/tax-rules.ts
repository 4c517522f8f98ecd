import type { Tax, Treatment } from "../database/schema/index.ts";

/** How the rate of GST splits into taxes from a day on. */
export interface TaxRule {
  treatment: Treatment;
  /** Days in India; `to` is the last one included, null while the rule holds. */
  from: string;
  to: string | null;
  /** The taxes that share the rate on the rate card equally; none where the supply is zero-rated. */
  taxes: readonly Tax["name"][];
  /** Sentences required on the document. */
  sentences: readonly string[];
  /** Whose letters of undertaking the document cites. */
  cites: readonly ("seller" | "buyer")[];
  law: string;
}

const onPayment =
  "SUPPLY MEANT FOR EXPORT/SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS ON PAYMENT OF INTEGRATED TAX.";
const underUndertaking =
  "SUPPLY MEANT FOR EXPORT/SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS UNDER BOND OR LETTER OF UNDERTAKING WITHOUT PAYMENT OF INTEGRATED TAX.";
/** The day on which GST came into force. */
const start = { from: "2017-07-01", to: null };

/** Every rule with the days on which it holds: a change in the law closes one row and adds another. */
export const taxRules: readonly TaxRule[] = [
  {
    treatment: "within the state",
    ...start,
    taxes: ["CGST", "SGST"],
    sentences: [],
    cites: [],
    law: "CGST Act section 9, IGST Act section 8(2)",
  },
  {
    treatment: "to another state",
    ...start,
    taxes: ["IGST"],
    sentences: [],
    cites: [],
    law: "IGST Act sections 5 and 7(3)",
  },
  {
    treatment: "SEZ with tax",
    ...start,
    taxes: ["IGST"],
    sentences: [onPayment],
    cites: [],
    law: "IGST Act sections 7(5)(b) and 16(3)(b), CGST Rules rule 46",
  },
  {
    treatment: "SEZ under undertaking",
    ...start,
    taxes: [],
    sentences: [underUndertaking],
    cites: ["seller", "buyer"],
    law: "IGST Act section 16(1)(b) and 16(3)(a), CGST Rules rules 46 and 96A",
  },
  {
    treatment: "export with tax",
    ...start,
    taxes: ["IGST"],
    sentences: [onPayment],
    cites: [],
    law: "IGST Act sections 7(5)(a) and 16(3)(b), CGST Rules rule 46",
  },
  {
    treatment: "export under undertaking",
    ...start,
    taxes: [],
    sentences: [underUndertaking],
    cites: ["seller"],
    law: "IGST Act sections 2(6) and 16(3)(a), CGST Rules rules 46 and 96A",
  },
];

/** The rule in force on a day in India. @throws Error for a day before GST */
export function ruleFor(treatment: Treatment, day: string): TaxRule {
  const rule = taxRules.find(
    (each) => each.treatment === treatment && each.from <= day && (each.to === null || day <= each.to),
  );
  if (!rule) throw new Error(`There is no tax rule for a supply ${treatment} on ${day}`);
  return rule;
}

/** Union territories without a legislature, whose own tax has another name (UTGST Act section 2(8)). */
export const ownTaxIsUnionTerritorys: ReadonlySet<string> = new Set(["04", "26", "31", "35", "38", "97"]);

/** The returns' code for a place of supply outside India. */
export const outsideIndia = "96";
