import { Day } from "../../contract/fields.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { plainCell, refusedFile } from "./read-csv.ts";

/**
 * Where each column stands in a head, by one of the names that it goes by; letters alone count, without case. Their order
 * does not matter, and there may be more. A column that may be missing is at -1 then.
 * @throws Failure invalid, which names what is missing by `shown` and adds `has`
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
  const names = head.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ""));
  const found = (Object.entries(columns) as [Name, readonly string[]][]).map(
    ([name, called]) => [name, names.findIndex((each) => called.includes(each))] as const,
  );
  const missing = found.filter(([name, place]) => place < 0 && !mayLack.includes(name)).map(([name]) => shown(name));
  if (missing.length > 0)
    throw refusedFile(`The file lacks the column${missing.length > 1 ? "s" : ""} ${missing.join(", ")}. ${has}`);
  return Object.fromEntries(found) as Record<Name, number>;
}

/** The cells of a record by these places, plain and trimmed; empty where there is none. */
export const cellsOf = <Name extends string>(
  record: readonly string[],
  places: Readonly<Record<Name, number>>,
): Record<Name, string> =>
  Object.fromEntries(
    Object.entries<number>(places).map(([name, place]) => [name, plainCell(record[place] ?? "").trim()]),
  ) as Record<Name, string>;

/**
 * Paise of rupees with a sign, with or without decimals and commas between thousands or lakhs; an empty cell is nothing.
 * Null for anything else, as a comma before the paise is, which would make the sum a hundredfold.
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

/** Why a cell is no amount for paiseOfCell. */
export const whyNoAmount =
  "is no amount in rupees; please write it as 1234.50 or 1,234.50, with a point before the paise";

/**
 * The day in India as ISO 8601, from that or from day, month and year, which may have two digits where `shortYears`; a time may
 * follow, which is India's where it says no zone. Null where it is none that the contract knows.
 */
export function dayOfCell(cell: string, options: { shortYears?: boolean } = {}): string | null {
  return Day.safeParse(writtenInCell(cell, options)?.day).data ?? null;
}

/** Why a cell is no day for dayOfCell. */
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

/** A time of day as banks write it after the day, with or without seconds, AM or PM, and a zone. */
const timeAfter =
  /^(?:T|,?\s+)(?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.]\d{2})?(?:\.\d+)?\s*(?<half>[AP]M)?\s*(?<zone>Z|IST|[+-]\d{2}:?\d{2})?$/i;

/** What is written as a day is, whether or not there is such a day. */
function writtenInCell(cell: string, { shortYears = false }: { shortYears?: boolean }) {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(cell);
  const indian = (shortYears ? /^(\d{2})[-/](\d{2})[-/](\d{4}|\d{2})(?!\d)/ : /^(\d{2})[-/](\d{2})[-/](\d{4})/).exec(
    cell,
  );
  const says = (iso ?? indian)?.[0] ?? "";
  const rest = cell.slice(says.length);
  const time = timeAfter.exec(rest);
  if (!says || (rest && !time)) return null;
  const year = indian?.[3]?.length === 2 ? `20${indian[3]}` : indian?.[3];
  const written = iso ? says : `${year}-${indian?.[2]}-${indian?.[1]}`;
  const day = time?.groups && isInCalendar(written) ? dayInIndia(written, time.groups) : written;
  return day === null ? null : { says, day };
}

/** The day in India of a time that may say its zone; null where the zone is another and the time is none. */
function dayInIndia(day: string, { hour, minute, half, zone = "IST" }: Record<string, string | undefined>) {
  if (zone.toUpperCase() === "IST") return day;
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === "PM" ? 12 : 0) : Number(hour);
  const offset = zone.toUpperCase().replace(/^(.\d\d)(\d\d)$/, "$1:$2");
  const instant = new Date(`${day}T${String(hours).padStart(2, "0")}:${minute}${offset}`);
  return Number.isNaN(instant.getTime()) ? null : writtenDay(instant);
}
