import type { TextChange } from "./site-texts.ts";

/** The differences between two contents of a section, by the path of each value: emails.sales, offices.1.title. */
export function changesBetween(before: object, after: object): TextChange[] {
  const [one, other] = [new Map(valuesIn(before)), new Map(valuesIn(after))];
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((field) => ({ field, before: one.get(field) ?? "", after: other.get(field) ?? "" }))
    .filter((change) => change.before !== change.after);
}

function valuesIn(part: unknown, place = ""): [place: string, value: string][] {
  if (typeof part === "string") return [[place, part]];
  if (typeof part !== "object" || part === null) return [[place, part === null ? "none" : JSON.stringify(part)]];
  return Object.entries(part).flatMap(([name, value]) => valuesIn(value, place ? `${place}.${name}` : name));
}
