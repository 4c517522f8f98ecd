import { describe, expect, it } from "vitest";
import { contractYear, daysAfter, daysFrom } from "../../contract/proration.ts";
import { totalsOf } from "../../contract/totals.ts";
import { randomFrom } from "../../tests/random.ts";
import type { QuoteLine, VolumeTier } from "../database/schema/index.ts";
import type { RateCardRow } from "../rates/rate-card.ts";
import { coTermed } from "./add-devices.ts";
import { type Added, creditOf, mostToTake, rowsOf, takeAway } from "./line-changes.ts";

/** The history of a series as the model gets it: in days from the first one, never in rows. */
interface Told {
  ratePaise: number;
  discountBasisPoints: number;
  changes: { day: number; quantity: number }[];
}

/**
 * The model: the money of a series in 10,000ths of a paisa × days of the year, one day after another. It knows nothing
 * of rows, spans or rounding, and has its own calendar.
 */
function dayByDay({ ratePaise, discountBasisPoints, changes }: Told, daysOfYear: number): bigint {
  let sum = 0n;
  for (let day = 0; day < daysOfYear; day++) {
    let quantity = 0;
    for (const change of changes) if (change.day <= day) quantity += change.quantity;
    sum += BigInt(quantity) * BigInt(ratePaise) * BigInt(10_000 - discountBasisPoints);
  }
  return sum;
}

/** The days of the year that begins on `start`, found by counting. */
function countYear(start: string): string[] {
  const [year = 0, month = 0, date = 0] = start.split("-").map(Number);
  const days: string[] = [];
  for (let day = new Date(Date.UTC(year, month - 1, date)); ; day = new Date(day.getTime() + 86_400_000)) {
    const written = day.toISOString().slice(0, 10);
    const isAnniversary =
      written.slice(0, 4) > start.slice(0, 4) &&
      (written.slice(5) === start.slice(5) || (start.endsWith("02-29") && written.endsWith("02-28")));
    if (isAnniversary) return days;
    days.push(written);
  }
}

const tiers: VolumeTier[] = [
  { fromDevices: 50, discountBasisPoints: 500 },
  { fromDevices: 100, discountBasisPoints: 825 },
  { fromDevices: 250, discountBasisPoints: 1233 },
];
const starts = ["2026-11-22", "2027-02-28", "2027-03-01", "2028-01-31", "2028-02-28", "2028-02-29", "2028-03-01"];
const types = ["Prod Server", "Hypervisor", "Web Servers"];

interface Series {
  rows: Added[];
  creditedPaise: number;
  told: Told;
  /** How often its money was rounded. */
  amendments: number;
}

function liveHistory(seed: number) {
  const random = randomFrom(seed).below;
  const start = starts[random(starts.length)] ?? "";
  const days = countYear(start);
  const card = {
    tiers,
    gstBasisPoints: 1800,
    rates: types.map((deviceType) => ({
      service: "Server",
      group: "Server",
      name: deviceType,
      deviceType,
      unit: "device",
      retired: false,
      yearlyPaise: 1 + random(5_000_000),
    })),
  } as unknown as RateCardRow;
  const all: Series[] = [];
  const begin = (lines: readonly Added[], day: number, amendments = 1) => {
    for (const row of lines) {
      const { ratePaise, discountBasisPoints, quantity } = row;
      const told = { ratePaise, discountBasisPoints, changes: [{ day, quantity }] };
      all.push({ rows: [row], creditedPaise: 0, told, amendments });
    }
  };
  const year = contractYear(start);
  // The order's discount is rounded once for the whole, and the rest is split in whole paise: each line is rounded
  // twice.
  begin(firstOrder(card, year, random), 0, 2);
  const exact = all.reduce((sum, { told }) => sum + dayByDay(told, days.length), 0n);
  const invoicedPaise = all.reduce((sum, { rows: [row] }) => sum + (row?.invoicedPaise ?? 0), 0);
  const wholeIsOff = BigInt(invoicedPaise) * 10_000n * BigInt(days.length) - exact;
  for (let step = 0, from = 0; step < 1 + random(7); step++) {
    from += random(80);
    const on = days[from];
    if (on === undefined) break;
    if (random(2) === 0) {
      const device = { service: "Server", deviceType: types[random(3)] ?? "", number: 1 + random(200) };
      const contract = { serial: 1, startsOn: start, endsOn: days.at(-1) ?? "" };
      const added = coTermed(card, contract, [device], { from: on, held: random(200), kind: "add" });
      begin(rowsOf(added, added.term), from);
    } else decrease(all[random(all.length)], on, from, days.length, random);
  }
  return { all, days, year, wholeIsOff };
}

function firstOrder(card: RateCardRow, year: ReturnType<typeof contractYear>, random: (below: number) => number) {
  const lines = card.rates.slice(0, 1 + random(3)).map((rate): QuoteLine => {
    const number = 1 + random(300);
    const { service, deviceType, unit, yearlyPaise: ratePaise } = rate;
    return {
      service,
      deviceType,
      number,
      unit,
      ratePaise,
      amountPaise: ratePaise * number,
      subjectToConfirmation: false,
    };
  });
  const terms = { discountBasisPoints: [0, 500, 1233][random(3)] ?? 0, gstBasisPoints: 1800 };
  return rowsOf({ ...totalsOf(lines, terms), lines, term: null }, year);
}

function decrease(
  series: Series | undefined,
  on: string,
  day: number,
  daysOfYear: number,
  random: (below: number) => number,
) {
  if (!series) return;
  const most = mostToTake(series.rows, on);
  if (most === 0) return;
  const quantity = random(4) === 0 ? most : 1 + random(most);
  const { closed, opened, valuePaise } = takeAway(series.rows, quantity, on, daysOfYear);
  const before = series.rows.filter((row) => row.startsOn < on).map((row) => JSON.stringify({ ...row, endsOn: "" }));
  const ends = new Map(closed.map(({ row, endsOn }) => [row, endsOn]));
  series.rows = [
    ...series.rows.map((row) => ({ ...row, endsOn: ends.get(row) ?? row.endsOn })),
    ...opened.map((row) => ({ ...row, invoicedPaise: 0 })),
  ];
  expect(series.rows.map((row) => JSON.stringify({ ...row, endsOn: "" }))).toEqual(expect.arrayContaining(before));
  const invoiced = series.rows.reduce((sum, row) => sum + row.invoicedPaise, 0);
  series.creditedPaise += creditOf(valuePaise, invoiced, series.creditedPaise);
  series.told.changes.push({ day, quantity: -quantity });
  series.amendments++;
}

const histories = Number(process.env["HISTORIES"] ?? 2000);
const first = Number(process.env["HISTORY_SEED"] ?? 1);

describe("The money of a contract", () => {
  it(`is that of a model which counts day by day, within a paisa for each amendment, in ${histories} random histories`, () => {
    for (let seed = first; seed < first + histories; seed++) {
      const { all, days, year, wholeIsOff } = liveHistory(seed);
      // The first order as a whole is within half a paisa, however it is split into lines.
      const half = 5000n * BigInt(days.length);
      expect([seed, -half <= wholeIsOff && wholeIsOff <= half]).toEqual([seed, true]);
      expect([seed, year.days, year.to]).toEqual([seed, days.length, days.at(-1)]);
      for (const { rows, creditedPaise, told, amendments } of all) {
        const keptPaise = rows.reduce((sum, row) => sum + row.invoicedPaise, 0) - creditedPaise;
        const unit = 10_000n * BigInt(days.length);
        const off = BigInt(keptPaise) * unit - dayByDay(told, days.length);
        const isWithin = (off < 0n ? -off : off) <= BigInt(amendments) * unit;
        expect({ seed, isWithin, isPositive: keptPaise >= 0 }).toEqual({ seed, isWithin: true, isPositive: true });
      }
    }
  });

  it("has rows that say of each day how many devices there were, and never two for one day", () => {
    for (let seed = 1; seed <= 100; seed++) {
      const { all, days } = liveHistory(seed);
      for (const { rows, told } of all) {
        const byRows = days.map((day) => rows.filter((row) => row.startsOn <= day && day <= row.endsOn));
        expect(byRows.every((found) => found.length <= 1)).toBe(true);
        const byModel = days.map((_day, index) =>
          told.changes.reduce((sum, change) => sum + (change.day <= index ? change.quantity : 0), 0),
        );
        expect(byRows.map(([row]) => row?.quantity ?? 0)).toEqual(byModel);
      }
    }
  });
});

describe("A contract year", () => {
  it.each([
    ["2026-11-22", "2027-11-21", 365],
    ["2027-03-01", "2028-02-29", 366],
    ["2028-02-28", "2029-02-27", 366],
    // The anniversary of 29 February is the 28th.
    ["2028-02-29", "2029-02-27", 365],
    ["2028-03-01", "2029-02-28", 365],
  ])("from %s ends on %s", (from, to, days) => {
    expect(contractYear(from)).toEqual({ from, to, days });
    expect(daysFrom(from, to)).toBe(days);
    expect(daysAfter(from, days - 1)).toBe(to);
  });
});
