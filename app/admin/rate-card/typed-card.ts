import { keyOf } from "../../../contract/devices.ts";
import type { DeviceKey, RateCardContent } from "../../../contract/rates.ts";

type Typed = string | number;

export interface TypedType {
  /** Derived from its key, or a temporary id while the type is new. */
  id: string;
  key: DeviceKey | null;
  groupId: string;
  name: string;
  unit: string;
  yearly: Typed;
  retired: boolean;
}

/** A card as it is typed: groups have ids, as their names can change. */
export interface TypedCard {
  groups: { id: string; name: string }[];
  types: TypedType[];
  custom: { unit: string; yearly: Typed };
  tiers: { id: string; fromDevices: Typed; discountPercent: Typed }[];
  gstPercent: Typed;
  quoteValidDays: Typed;
}

/** A temporary id for what has no key yet. */
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

/** The card as the server takes it: rupees as text, numbers as numbers; groups without types are left out. */
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

/** The groups that have types, each with its types. */
export const shownGroups = ({ groups, types }: TypedCard) =>
  groups
    .map((group) => ({ ...group, types: types.filter(({ groupId }) => groupId === group.id) }))
    .filter((group) => group.types.length > 0);

export const isSame = (one: RateCardContent, other: RateCardContent) => JSON.stringify(one) === JSON.stringify(other);

const wireRupees = (typed: Typed) => (typed === "" ? "" : Number(typed).toFixed(2));
// An empty field is not 0: NaN fails the check.
const wireNumber = (typed: Typed) => (typed === "" ? Number.NaN : Number(typed));
