import { dayBefore } from "../../contract/india-time.ts";
import { daysFrom, priceOfDays, type Span, type YearlyPrice, sharesOf } from "../../contract/proration.ts";
import type { QuoteLine, QuoteTerm } from "../database/schema/index.ts";

/** A row of a contract: a number of devices from one day to another. */
export interface Row extends YearlyPrice {
  startsOn: string;
  endsOn: string;
}

/** What an order adds to a contract: a row per line, with its invoiced amount without tax. */
export type Added = Row &
  Pick<QuoteLine, "service" | "deviceType" | "unit"> & { key: { service: string; deviceType: string } } & {
    invoicedPaise: number;
  };

interface Sold {
  lines: readonly QuoteLine[];
  subtotalPaise: number;
  discountBasisPoints: number;
  discountPaise: number;
  term: QuoteTerm | null;
}

/** The rows that a paid quote adds to a contract, for these days. */
export function rowsOf({ lines, term, ...sums }: Sold, { from, to }: Pick<Span, "from" | "to">): Added[] {
  // Lines of an addition have the discount in their amounts; otherwise it was taken from the whole.
  const discountBasisPoints = term && term.kind !== "renew" ? term.discountBasisPoints : sums.discountBasisPoints;
  const invoiced = sharesOf(
    lines.map(({ amountPaise }) => amountPaise),
    sums.subtotalPaise - sums.discountPaise,
  );
  return lines.map(({ key, service, deviceType, number, unit, ratePaise }, index) => ({
    key: key ?? { service, deviceType },
    service,
    deviceType,
    unit,
    quantity: number,
    ratePaise,
    discountBasisPoints,
    startsOn: from,
    endsOn: to,
    invoicedPaise: invoiced[index] ?? 0,
  }));
}

/** How the rows of a series change when devices are taken away from a day on. */
export interface TakenAway<Of extends Row> {
  /** The new last day of rows that end earlier; the day before its first for a row that is not needed at all. */
  closed: { row: Of; endsOn: string }[];
  /** Rows that continue with fewer devices. */
  opened: Of[];
  /** What the devices cost for the days taken away, in paise without tax. */
  valuePaise: number;
}

/**
 * The first day on which devices of a series can be taken away: `from`, or the first day of a series that begins later.
 */
export function firstDayOf(rows: readonly Row[], from: string): string {
  const starts = rows.filter((row) => isInForce(row) && row.endsOn >= from).map(({ startsOn }) => startsOn);
  return laterOf(from, starts.toSorted()[0] ?? from);
}

/** How many devices of a series can be taken away from a day on: the smallest quantity of its rows from then on. */
export function mostToTake(rows: readonly Row[], from: string): number {
  const later = rows.filter((row) => isInForce(row) && row.endsOn >= from);
  return later.length === 0 ? 0 : Math.min(...later.map(({ quantity }) => quantity));
}

/**
 * Takes devices away from a day on. Nothing before that day changes: a row that spans it is closed and continued by
 * another. `quantity` is at most `mostToTake`.
 */
export function takeAway<Of extends Row>(
  rows: readonly Of[],
  quantity: number,
  from: string,
  daysOfYear: number,
): TakenAway<Of> {
  const later = rows.filter((row) => isInForce(row) && row.endsOn >= from);
  const [first] = later;
  const days = later.reduce((sum, row) => sum + daysFrom(laterOf(row.startsOn, from), row.endsOn), 0);
  return {
    closed: later.map((row) => ({ row, endsOn: dayBefore(laterOf(row.startsOn, from)) })),
    opened: later
      .filter((row) => row.quantity > quantity)
      .map((row) => ({ ...row, quantity: row.quantity - quantity, startsOn: laterOf(row.startsOn, from) })),
    // All rows of a series have the same price.
    valuePaise: first ? priceOfDays({ ...first, quantity }, days, daysOfYear) : 0,
  };
}

/** The paise to credit: what the devices cost for these days, capped at what is left of their invoiced amount. */
export const creditOf = (valuePaise: number, invoicedPaise: number, creditedPaise: number): number =>
  Math.min(valuePaise, invoicedPaise - creditedPaise);

/** A row closed before its first day was never in force. */
const isInForce = ({ startsOn, endsOn }: Row) => startsOn <= endsOn;

const laterOf = (one: string, other: string) => (one > other ? one : other);
