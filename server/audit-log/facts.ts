import type { AuditFact } from "../../contract/audit-log.ts";
import { monthInWords, startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { formatRupees } from "../../contract/money.ts";
import { shortClock, shortDay } from "../../contract/short-time.ts";

/** An entry's detail as lines of text, with `before` and `after` side by side. */
export function factsOf({ before, after, ...rest }: Record<string, unknown>): AuditFact[] {
  const was = membersOf(before);
  const is = membersOf(after);
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = names.map((name) => ({
    name: nameOf(name),
    before: textOf(name, was[name]),
    value: textOf(name, is[name]),
  }));
  // A lone "before", as in an entry about deletions, is a day.
  const others = { ...(isRecord(before) ? {} : { before }), ...rest };
  const told = Object.entries(others).filter(([, value]) => value !== undefined && value !== null);
  return [
    ...changed,
    ...told.map(([name, value]) => ({ name: nameOf(name), before: null, value: textOf(name, value) })),
  ];
}

/** An entry's detail merged with its values from outside the chain, or with a note that these were erased. */
export function withValues(
  { valuesHash, ...detail }: Record<string, unknown>,
  values: Record<string, unknown> | null | undefined,
): Record<string, unknown> {
  if (valuesHash === undefined) return detail;
  if (!values) return { ...detail, details: "erased with the person" };
  const both = (name: string) => ({ ...membersOf(detail[name]), ...membersOf(values[name]) });
  return {
    ...detail,
    ...values,
    ...(isRecord(values["before"]) && { before: both("before") }),
    ...(isRecord(values["after"]) && { after: both("after") }),
  };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const membersOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** "Also at" from "alsoAt", "Total" from "totalPaise". */
function nameOf(key: string): string {
  const words = key.replace(/Paise$/, "").replaceAll(/([A-Z])/g, " $1");
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

function textOf(name: string, value: unknown): string {
  if (value === undefined || value === null || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && name.endsWith("Paise")) return formatRupees(value);
  if (Array.isArray(value)) return value.map((each) => textOf(name, each)).join("; ") || "–";
  if (isRecord(value))
    return Object.entries(value)
      .map(([key, member]) => (typeof member === "string" ? member : `${nameOf(key)} ${textOf(key, member)}`))
      .join(", ");
  return typeof value === "string" ? dated(name, value) : JSON.stringify(value);
}

/** Days and instants as on every screen: "2 Dec 2026" and "2 Dec 2026, 14:05" in India; other text as it is. */
function dated(name: string, text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const instant = isDay ? startOfWrittenDay(text) : new Date(text);
  // Somebody may have typed what only looks like a day.
  if (Number.isNaN(instant.getTime()) || text !== (isDay ? writtenDay(instant) : instant.toISOString())) return text;
  if (isDay) return name === "month" ? monthInWords(text) : shortDay(instant);
  return `${shortDay(instant)}, ${shortClock(instant)}`;
}
