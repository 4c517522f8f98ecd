import { plainCell } from "../../contract/csv.ts";
import { Day } from "../../contract/fields.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { refusedFile } from "./read-csv.ts";

/**
 * Finds each column in a header row by one of its names, comparing only letters, without case. Columns may come in any
 * order, and there may be others: where several have one of the names, the name that is listed first decides, as a
 * bank's statement may have a reference of its own beside the UTR. An optional column that is missing gets -1.
 * @throws Failure invalid, naming missing columns by `shown` and followed by the sentence `has`
 */
export function placesOf<Name extends string>(
  head: readonly string[],
  columns: Readonly<Record<Name, readonly string[]>>,
  {
    shown,
    has,
    mayLack = [],
  }: { shown: (name: NoInfer<Name>) => string; has: string; mayLack?: readonly NoInfer<Name>[] },
): Record<Name, number> {
  const found = findPlaces(head, columns);
  const missing = missingIn(found, mayLack).map(shown);
  if (missing.length > 0)
    throw refusedFile(`The file lacks the column${missing.length > 1 ? "s" : ""} ${missing.join(", ")}. ${has}`);
  return Object.fromEntries(found) as Record<Name, number>;
}

/** Whether a row is a header with these columns, but for those that it may lack. */
export const hasColumns = <Name extends string>(
  head: readonly string[],
  columns: Readonly<Record<Name, readonly string[]>>,
  mayLack: readonly NoInfer<Name>[],
): boolean => missingIn(findPlaces(head, columns), mayLack).length === 0;

function findPlaces<Name extends string>(head: readonly string[], columns: Readonly<Record<Name, readonly string[]>>) {
  const names = head.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ""));
  return (Object.entries(columns) as [Name, readonly string[]][]).map(
    ([name, called]) => [name, called.map((each) => names.indexOf(each)).find((place) => place >= 0) ?? -1] as const,
  );
}

const missingIn = <Name extends string>(
  found: readonly (readonly [Name, number])[],
  mayLack: readonly Name[],
): Name[] => found.filter(([name, place]) => place < 0 && !mayLack.includes(name)).map(([name]) => name);

/** The cells of a record at these places, without an export's apostrophe and trimmed; empty if missing. */
export const cellsOf = <Name extends string>(
  record: readonly string[],
  places: Readonly<Record<Name, number>>,
): Record<Name, string> =>
  Object.fromEntries(
    Object.entries<number>(places).map(([name, place]) => [name, plainCell(record[place] ?? "").trim()]),
  ) as Record<Name, string>;

/**
 * Paise of a rupee amount, optionally with ₹, a sign, decimals, and commas between thousands or lakhs; an empty cell is
 * 0. Null for anything else, such as a decimal comma, which read as a separator would multiply the sum by a hundred.
 */
export function paiseOfCell(cell: string): number | null {
  const written = cell.replace(/[₹\s]/g, "");
  if (written === "" || written === "-") return 0;
  if (written.includes(",") && !/^-?\d{1,3}(,\d{2,3})*,\d{3}(\.|$)/.test(written)) return null;
  const plain = written.replaceAll(",", "");
  const parts = /^(-?)(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(plain);
  if (!parts) return null;
  const [, sign, whole = "0", decimals = ""] = parts;
  const paise = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  return sign && paise > 0 ? -paise : paise;
}

/** What to say of a cell that paiseOfCell can't read. */
export const whyNoAmount =
  "is no amount in rupees; please write it as 1234.50 or 1,234.50, with a point before the paise";

/**
 * The day in India as ISO 8601, from that form or from day, month (also by its English name) and year, which may have
 * two digits with `shortYears`. A time may follow, in India unless it names a zone. Null for a day that the contract
 * does not accept.
 */
export function dayOfCell(cell: string, options: { shortYears?: boolean } = {}): string | null {
  return Day.safeParse(writtenInCell(cell, options)?.day).data ?? null;
}

/** What to say of a cell that dayOfCell can't read. */
export function whyNoDay(cell: string, options: { shortYears?: boolean } = {}): string {
  const written = writtenInCell(cell, options);
  const right = "2026-11-30 or 30-11-2026";
  if (!written) return `please write it as ${right}`;
  const why = isInCalendar(written.day)
    ? `please check the year of ${written.says}`
    : `there is no day ${written.says}`;
  return `${why}; a day is written as ${right}`;
}

function isInCalendar(day: string): boolean {
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}

/** The time of day that banks write after the day: seconds, AM or PM and a zone are optional. */
const timeAfter =
  /^(?:T|,?\s+)(?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.]\d{2})?(?:\.\d+)?\s*(?<half>[AP]M)?\s*(?<zone>Z|IST|[+-]\d{2}:?\d{2})?$/i;

/** The day as written and as ISO 8601, whether or not it exists; null for any other text. */
function writtenInCell(cell: string, { shortYears = false }: { shortYears?: boolean }) {
  const iso = /^\d{4}-\d{2}-\d{2}/.exec(cell)?.[0];
  const found = iso ? { says: iso, written: iso } : dayMonthYearIn(cell, shortYears);
  if (!found) return null;
  const { says, written } = found;
  const rest = cell.slice(says.length);
  const time = timeAfter.exec(rest);
  if (rest && !time) return null;
  const day = time?.groups && isInCalendar(written) ? dayInIndia(written, time.groups) : written;
  return day === null ? null : { says, day };
}

/** A day, its month as a number or by name, and its year; a month's name may have blanks beside it. */
function dayMonthYearIn(cell: string, shortYears: boolean): { says: string; written: string } | null {
  const parts =
    /^(\d{2})[-/](\d{2})[-/](\d{4}|\d{2})(?!\d)/.exec(cell) ??
    /^(\d{1,2})[-/\s]([a-z]{3,9})[-/\s](\d{4}|\d{2})(?!\d)/i.exec(cell);
  if (!parts) return null;
  const [says, date = "", named = "", year = ""] = parts;
  const month = /^\d/.test(named) ? named : monthNamed(named);
  const isShort = year.length === 2;
  if (!month || (isShort && !shortYears)) return null;
  return { says, written: `${isShort ? `20${year}` : year}-${month}-${date.padStart(2, "0")}` };
}

const monthNames = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** The number of a month by its name or the beginning of it, as banks write Nov or NOV; null for any other word. */
function monthNamed(word: string): string | null {
  const place = monthNames.findIndex((name) => name.startsWith(word.toLowerCase()));
  return place < 0 ? null : String(place + 1).padStart(2, "0");
}

/** The day in India at a time that may name its zone; null for an invalid time in another zone. */
function dayInIndia(day: string, { hour, minute, half, zone = "IST" }: Record<string, string | undefined>) {
  if (zone.toUpperCase() === "IST") return day;
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === "PM" ? 12 : 0) : Number(hour);
  const offset = zone.toUpperCase().replace(/^(.\d\d)(\d\d)$/, "$1:$2");
  const instant = new Date(`${day}T${String(hours).padStart(2, "0")}:${minute}${offset}`);
  return Number.isNaN(instant.getTime()) ? null : writtenDay(instant);
}
