import { keyOf } from "../../../contract/devices.ts";
import { countOf } from "../../components/count-of.ts";
import { shownGroups, type TypedCard, type TypedType } from "./typed-card.ts";

/** What somebody else saved where both changed, in words, by type id or field name; the typed value stays. */
export type Overruled = Record<string, string>;

/**
 * Three-way merge of what is typed with what somebody else saved meanwhile. A change by only one side is taken; where
 * both changed, the typed value stays and the other is reported.
 */
export function mergeCards(base: TypedCard, mine: TypedCard, theirs: TypedCard): [merged: TypedCard, Overruled] {
  const overruled: Overruled = {};
  const nameOf = (card: TypedCard, type: TypedType) => card.groups.find(({ id }) => id === type.groupId)?.name ?? "";
  // The server makes a new type's key from its group and name: the same key identifies it on both sides here.
  const flat = (card: TypedCard) =>
    new Map(
      card.types.map((type) => {
        const group = nameOf(card, type);
        const id = type.key ? type.id : keyOf({ service: group, deviceType: type.name });
        return [id, { ...type, id, group }];
      }),
    );
  const [before, their] = [flat(base), flat(theirs)];
  const types = [...flat(mine).values()].map((own) => {
    const [was, other] = [before.get(own.id), their.get(own.id)];
    if (!was || !other) return own;
    const merged = { ...own };
    for (const field of ["name", "unit", "yearly", "retired", "group"] as const) {
      if (String(other[field]) === String(was[field])) continue;
      if (String(own[field]) === String(was[field])) Object.assign(merged, { [field]: other[field] });
      else if (!isEqual(own[field], other[field])) overruled[own.id] = sakeyOf(field, other[field]);
    }
    return merged;
  });
  const known = new Set(types.map(({ id }) => id));
  const added = [...their.values()].filter(({ id }) => !known.has(id) && !before.has(id));
  const pick = <Value>(told: TermName, [was, own, other]: readonly [was: Value, own: Value, other: Value]): Value => {
    if (isEqual(own, was)) return other;
    if (!isEqual(other, was) && !isEqual(own, other)) overruled[told] = termWords[told](theirs);
    return own;
  };
  const terms = {
    custom: {
      unit: pick("custom.unit", [base.custom.unit, mine.custom.unit, theirs.custom.unit]),
      yearly: pick("custom.yearly", [base.custom.yearly, mine.custom.yearly, theirs.custom.yearly]),
    },
    tiers: pick("tiers", [base.tiers, mine.tiers, theirs.tiers]),
    gstPercent: pick("gstPercent", [base.gstPercent, mine.gstPercent, theirs.gstPercent]),
    quoteValidDays: pick("quoteValidDays", [base.quoteValidDays, mine.quoteValidDays, theirs.quoteValidDays]),
  };
  return [{ ...regrouped([...types, ...added], theirs, mine), ...terms }, overruled];
}

/** Sentences for the other side's value of each term, by the names that a card's problems have. */
const termWords = {
  "custom.unit": ({ custom }: TypedCard) => `somebody else saved the unit “${custom.unit}”`,
  "custom.yearly": ({ custom }: TypedCard) => `somebody else saved the yearly price ₹${custom.yearly}`,
  gstPercent: (card: TypedCard) => `somebody else saved a GST of ${card.gstPercent}%`,
  quoteValidDays: (card: TypedCard) =>
    `somebody else saved a validity of ${countOf(Number(card.quoteValidDays), "day")}`,
  tiers: ({ tiers }: TypedCard) =>
    tiers.length === 0
      ? "somebody else saved no volume discount"
      : `somebody else saved a volume discount of ${tiers.map((tier) => `${tier.discountPercent}% from ${countOf(Number(tier.fromDevices), "device")}`).join(", ")}`,
};
export type TermName = keyof typeof termWords;

/** Groups merged by name: theirs in their order, then those that only this card has. */
function regrouped(types: (TypedType & { group: string })[], theirs: TypedCard, mine: TypedCard) {
  const names = new Set([...shownGroups(theirs), ...shownGroups(mine), ...mine.groups].map(({ name }) => name));
  return {
    groups: [...names].map((name) => ({ id: name, name })),
    types: types.map(({ group, ...type }) => ({ ...type, groupId: group })),
  };
}

const isEqual = (one: unknown, other: unknown) =>
  withoutIds(one) === withoutIds(other) || (one !== "" && Number(one) === Number(other));

const withoutIds = (value: unknown) =>
  JSON.stringify(value, (name, each: unknown) =>
    name === "id" ? undefined : typeof each === "number" ? String(each) : each,
  );

const words = { name: "name", unit: "unit", yearly: "yearly price", retired: "retired", group: "group" };

function sakeyOf(field: keyof typeof words, value: string | number | boolean): string {
  if (field === "retired") return value ? "retired by somebody else" : "brought back by somebody else";
  return `somebody else saved the ${words[field]} ${field === "yearly" ? `₹${value}` : `“${value}”`}`;
}
