import { keyOf } from "../../../contract/devices.ts";
import { type DeviceKey, RateCardContent } from "../../../contract/rates.ts";
import { fieldErrors } from "../../forms/form-errors.ts";

type Typed = string | number;

export interface TypedType {
  /** Its key, or something of its own while it is new. */
  id: string;
  key: DeviceKey | null;
  groupId: string;
  name: string;
  unit: string;
  yearly: Typed;
  retired: boolean;
}

/** A card as it is typed: groups keep their identity while their names change. */
export interface TypedCard {
  groups: { id: string; name: string }[];
  types: TypedType[];
  custom: { unit: string; yearly: Typed };
  tiers: { id: string; fromDevices: Typed; discountPercent: Typed }[];
  gstPercent: Typed;
  quoteValidDays: Typed;
}

/** An id of this page's own, for what has no key yet. */
export const newId = () => `new ${crypto.randomUUID()}`;

export function typedFrom(content: RateCardContent): TypedCard {
  return {
    groups: content.groups.map(({ name }) => ({ id: name, name })),
    types: content.groups.flatMap(({ name: groupId, types }) =>
      types.map((type) => ({ ...type, id: type.key ? keyOf(type.key) : newId(), groupId })),
    ),
    custom: content.custom,
    tiers: content.tiers.map((tier) => ({ ...tier, id: newId() })),
    gstPercent: content.gstPercent,
    quoteValidDays: content.quoteValidDays,
  };
}

/** As the server takes it: rupees as text, numbers as numbers; groups without types are left out. */
export function contentOf(card: TypedCard): RateCardContent {
  return {
    groups: shownGroups(card).map(({ name, types }) => ({
      name: name.trim(),
      types: types.map(({ id: _id, groupId: _groupId, yearly, ...type }) => ({ ...type, yearly: wireRupees(yearly) })),
    })),
    custom: { unit: card.custom.unit, yearly: wireRupees(card.custom.yearly) },
    tiers: card.tiers.map(({ fromDevices, discountPercent }) => ({
      fromDevices: wireNumber(fromDevices),
      discountPercent: wireNumber(discountPercent),
    })),
    gstPercent: wireNumber(card.gstPercent),
    quoteValidDays: wireNumber(card.quoteValidDays),
  };
}

/** Groups that have types, with them. */
export const shownGroups = ({ groups, types }: TypedCard) =>
  groups
    .map((group) => ({ ...group, types: types.filter(({ groupId }) => groupId === group.id) }))
    .filter((group) => group.types.length > 0);

const checkContent = fieldErrors(RateCardContent);

/** What is wrong with a typed card, by the path of the field; a number that is missing says so. */
export function problemsOf(card: TypedCard): Record<string, string> {
  const problems = checkContent(contentOf(card));
  const empty = "Please enter a number";
  for (const [groupIndex, { types }] of shownGroups(card).entries())
    for (const [index, { yearly }] of types.entries())
      if (yearly === "") problems[`groups.${groupIndex}.types.${index}.yearly`] = empty;
  if (card.custom.yearly === "") problems["custom.yearly"] = empty;
  for (const name of ["gstPercent", "quoteValidDays"] as const) if (card[name] === "") problems[name] = empty;
  for (const [index, tier] of card.tiers.entries())
    for (const name of ["fromDevices", "discountPercent"] as const)
      if (tier[name] === "") problems[`tiers.${index}.${name}`] = empty;
  return problems;
}

export const isSame = (one: RateCardContent, other: RateCardContent) => JSON.stringify(one) === JSON.stringify(other);

const wireRupees = (typed: Typed) => (typed === "" ? "" : Number(typed).toFixed(2));
// An empty field is no 0: it fails the check.
const wireNumber = (typed: Typed) => (typed === "" ? Number.NaN : Number(typed));
