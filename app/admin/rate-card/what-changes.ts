import { keyOf } from "../../../contract/devices.ts";
import type { RateCardContent } from "../../../contract/rates.ts";

/** What a card does to prices and to what is on offer, in a sentence: "12 prices change, 1 type is new." */
export function whatChanges(before: RateCardContent, after: RateCardContent): string {
  const earlier = new Map(typesOf(before).flatMap((type) => (type.key ? [[keyOf(type.key), type] as const] : [])));
  const custom = Number(before.custom.yearly) === Number(after.custom.yearly) ? 0 : 1;
  const counts = { prices: custom, added: 0, retired: 0, back: 0 };
  for (const { key, yearly, retired } of typesOf(after)) {
    const was = key && earlier.get(keyOf(key));
    if (!was) counts.added += 1;
    else if (retired !== was.retired) counts[retired ? "retired" : "back"] += 1;
    if (was && Number(yearly) !== Number(was.yearly)) counts.prices += 1;
  }
  const types = (count: number, what: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? "type is" : "types are"} ${what}`];
  return `${[
    counts.prices === 0
      ? "No price changes"
      : counts.prices === 1
        ? "1 price changes"
        : `${counts.prices} prices change`,
    ...types(counts.added, "new"),
    ...types(counts.retired, "retired"),
    ...types(counts.back, "brought back"),
  ].join(", ")}.`;
}

const typesOf = ({ groups }: RateCardContent) => groups.flatMap(({ types }) => types);
