import { customService, keyOf } from "../../contract/devices.ts";
import { paiseFrom, rupees } from "../../contract/money.ts";
import type { RateCardContent } from "../../contract/rates.ts";
import type { CardContent, Rate } from "../database/schema/index.ts";
import { invalidField } from "../failures/failure.ts";

/** A card's content in the API's form: rupees and per cent, types under their groups. */
export function presentContent(card: CardContent): RateCardContent {
  const { unit, yearlyPaise } = customRate(card);
  const groups = Map.groupBy(typesOf(card), (rate) => rate.group);
  return {
    groups: [...groups].map(([name, rates]) => ({
      name,
      types: rates.map(({ service, deviceType, name: typeName, unit, yearlyPaise, retired }) => ({
        key: { service, deviceType },
        name: typeName,
        unit,
        yearly: rupees(yearlyPaise),
        retired,
      })),
    })),
    custom: { unit, yearly: rupees(yearlyPaise) },
    tiers: card.tiers.map(({ fromDevices, discountBasisPoints }) => ({
      fromDevices,
      discountPercent: discountBasisPoints / 100,
    })),
    gstPercent: card.gstBasisPoints / 100,
    quoteValidDays: card.quoteValidDays,
  };
}

/**
 * A card as typed, with a key for each type: types of the previous card keep their keys, new ones get theirs from group
 * and name.
 * @throws Failure invalid if a type of the previous card is missing, or two would have the same key
 */
export function readContent(content: RateCardContent, before: CardContent): CardContent {
  const known = new Set(typesOf(before).map(keyOf));
  const rates = content.groups.flatMap(({ name: group, types }) =>
    types.map(({ key, yearly, ...type }) => ({
      ...(key && known.has(keyOf(key)) ? key : { service: group, deviceType: type.name }),
      ...type,
      group,
      yearlyPaise: paiseFrom(yearly),
    })),
  );
  refuseLost(before, rates);
  refuseTwins(rates, known);
  return {
    rates: [...rates, asCustomRate(content.custom)],
    tiers: content.tiers.map(({ fromDevices, discountPercent }) => ({
      fromDevices,
      discountBasisPoints: Math.round(discountPercent * 100),
    })),
    gstBasisPoints: Math.round(content.gstPercent * 100),
    quoteValidDays: content.quoteValidDays,
  };
}

/** The types of the catalogue, without the default rate for custom devices. */
export const typesOf = ({ rates }: Pick<CardContent, "rates">) =>
  rates.filter((rate) => rate.service !== customService);

export function customRate({ rates }: Pick<CardContent, "rates">): Rate {
  const rate = rates.find((each) => each.service === customService);
  if (!rate) throw new Error("The rate card has no default for custom devices");
  return rate;
}

const asCustomRate = ({ unit, yearly }: RateCardContent["custom"]): Rate => ({
  service: customService,
  deviceType: "*",
  group: customService,
  name: "*",
  unit,
  yearlyPaise: paiseFrom(yearly),
  retired: false,
});

/** Quotes, saved selections and other people's programs refer to types by key, so no type ever disappears. */
function refuseLost(before: CardContent, rates: Rate[]): void {
  const kept = new Set(rates.map(keyOf));
  const lost = typesOf(before).find((rate) => !kept.has(keyOf(rate)));
  if (lost) throw invalidGroups(`“${lost.name}” can't be left out. Please retire it instead.`);
}

function refuseTwins(rates: Rate[], known: ReadonlySet<string>): void {
  const seen = new Map<string, Rate>();
  for (const rate of rates) {
    const twin = seen.get(keyOf(rate));
    if (twin) throw invalidGroups(twinSentence(twin, rate, known));
    seen.set(keyOf(rate), rate);
  }
}

function twinSentence(one: Rate, other: Rate, known: ReadonlySet<string>): string {
  const { service, deviceType } = one;
  if (!known.has(keyOf(one)) || one.name === other.name) return `“${deviceType}” is listed twice.`;
  const owner = one.name === deviceType && one.group === service ? other : one;
  return `“${owner.name}” was called “${deviceType}” in “${service}” before. Please choose another name for the new type.`;
}

const invalidGroups = (sentence: string) => invalidField("content.groups", sentence);
