import { keyOf } from "../../contract/devices.ts";
import { formatRupees } from "../../contract/money.ts";
import type { CardContent, Rate } from "../database/schema/index.ts";
import { customRate, typesOf } from "./card-on-the-wire.ts";

/** What differs between a card and the one before it, one sentence each, for its history and the audit. */
export function changesBetween(before: CardContent, after: CardContent): string[] {
  const earlier = new Map(typesOf(before).map((rate) => [keyOf(rate), rate]));
  const renamed = renamedGroups(before, after);
  return [
    ...[...renamed].map(([from, to]) => `Group “${from}” renamed to “${to}”`),
    ...typesOf(after).flatMap((rate) => changesOfType(earlier.get(keyOf(rate)), rate, renamed)),
    ...changesOfPrice("Custom devices", customRate(before), customRate(after)),
    ...changesOfTerms(before, after),
  ];
}

function changesOfType(before: Rate | undefined, after: Rate, renamed: ReadonlyMap<string, string>): string[] {
  const { name, group, unit, yearlyPaise, retired } = after;
  if (!before) return [`${name} added to ${group}: ${formatRupees(yearlyPaise)} per ${unit} and year`];
  return [
    ...(before.name === name ? [] : [`${before.name} renamed to ${name}`]),
    ...(before.group === group || renamed.get(before.group) === group
      ? []
      : [`${name} moved from ${before.group} to ${group}`]),
    ...(before.retired === retired ? [] : [retired ? `${name} retired` : `${name} brought back`]),
    ...changesOfPrice(name, before, after),
  ];
}

function changesOfPrice(name: string, before: Rate, after: Rate): string[] {
  const [from, to] = [before, after].map(({ yearlyPaise }) => formatRupees(yearlyPaise));
  return [
    ...(before.unit === after.unit ? [] : [`${name} counted by ${after.unit} instead of ${before.unit}`]),
    ...(from === to ? [] : [`${name} from ${from} to ${to} a year`]),
  ];
}

function changesOfTerms(before: CardContent, after: CardContent): string[] {
  const [from, to] = [before, after].map(tiersInWords);
  return [
    ...(from === to ? [] : [`Volume discount from ${from} to ${to}`]),
    ...(before.gstBasisPoints === after.gstBasisPoints
      ? []
      : [`GST from ${before.gstBasisPoints / 100}% to ${after.gstBasisPoints / 100}%`]),
    ...(before.quoteValidDays === after.quoteValidDays
      ? []
      : [`Quotes valid for ${after.quoteValidDays} days instead of ${before.quoteValidDays}`]),
  ];
}

const tiersInWords = ({ tiers }: CardContent) =>
  tiers.map((tier) => `${tier.discountBasisPoints / 100}% from ${tier.fromDevices}`).join(", ") || "none";

/** Groups all of whose types moved into one new group. */
function renamedGroups(before: CardContent, after: CardContent): Map<string, string> {
  const now = new Map(typesOf(after).map((rate) => [keyOf(rate), rate.group]));
  const oldNames = new Set(typesOf(before).map((rate) => rate.group));
  const renamed = new Map<string, string>();
  for (const [name, rates] of Map.groupBy(typesOf(before), (rate) => rate.group)) {
    const [to, ...others] = new Set(rates.map((rate) => now.get(keyOf(rate))));
    if (to !== undefined && others.length === 0 && !oldNames.has(to)) renamed.set(name, to);
  }
  return renamed;
}
