import { expect, test } from "vitest";
import { dayOfCell, paiseOfCell, placesOf, whyNoDay } from "./cells.ts";

const statement = {
  day: ["date", "transactiondate", "valuedate"],
  utr: ["utr", "refno"],
  payer: ["payer"],
} as const;
const placesIn = (head: string) =>
  placesOf(head.split(","), statement, { shown: (name) => name, has: "", mayLack: ["payer"] });

test.each([
  ["Date,UTR", { day: 0, utr: 1, payer: -1 }],
  ["1,Ref No.,,Date", { day: 3, utr: 1, payer: -1 }],
  ["Payer,Ref No.,Value Date", { day: 2, utr: 1, payer: 0 }],
  ["Value Date,Ref No.,Date,UTR", { day: 2, utr: 3, payer: -1 }],
  ["Value Date,Transaction Date,Ref No.", { day: 1, utr: 2, payer: -1 }],
])("Of the columns %s those are read whose names come first in the list, wherever they stand", (head, places) =>
  expect(placesIn(head)).toEqual(places),
);

test.each([
  ["2,69,040.00", 26904000],
  ["2,69,040", 26904000],
  ["269,040.00", 26904000],
  ["1,269,040.5", 126904050],
  ["₹ 269040.00", 26904000],
  ["-1,200.50", -120050],
  ["", 0],
  ["-", 0],
])("“%s” is an amount", (cell, paise) => expect(paiseOfCell(cell)).toBe(paise));

test.each(["269040,00", "2.69.040,00", "1.200,00", "1,5", "12,34", "1.5,000", "269040,000", "1,2345", ",500", "1e3"])(
  "“%s” is none, as nobody knows where its paise begin",
  (cell) => expect(paiseOfCell(cell)).toBeNull(),
);

test.each([
  ["2026-11-30", "2026-11-30"],
  ["30-11-2026", "2026-11-30"],
  ["30/11/26", "2026-11-30"],
  ["2026-11-30T14:05:33.000+05:30", "2026-11-30"],
  ["2026-11-30 14:05:33", "2026-11-30"],
  ["30-11-2026  2:05 PM", "2026-11-30"],
  ["30/11/26 14:05 IST", "2026-11-30"],
  ["30/11/2026, 02.05 pm", "2026-11-30"],
  ["2027-03-31T20:05:33Z", "2027-04-01"],
  ["2027-03-31 19:00:00+00:00", "2027-04-01"],
  ["2027-04-01T02:00:00.000+0800", "2027-03-31"],
  ["31/03/27 12:05 AM +00:00", "2027-03-31"],
  ["31/03/27, 07.05 pm z", "2027-04-01"],
  ["2027-03-31 20:05 -05:00", "2027-04-01"],
  ["30-Nov-2026", "2026-11-30"],
  ["30 NOV 2026", "2026-11-30"],
  ["30/Nov/26", "2026-11-30"],
  ["1 Apr 2026", "2026-04-01"],
  ["05-Sept-2026", "2026-09-05"],
  ["5 September 2026 02:05 PM", "2026-09-05"],
])("“%s” is a day", (cell, day) => expect(dayOfCell(cell, { shortYears: true })).toBe(day));

const right = "2026-11-30 or 30-11-2026";
test.each([
  ["30-11-0026", `please check the year of 30-11-0026; a day is written as ${right}`],
  ["0001-01-01", `please check the year of 0001-01-01; a day is written as ${right}`],
  ["01-01-0000", `please check the year of 01-01-0000; a day is written as ${right}`],
  ["01-01-2200", `please check the year of 01-01-2200; a day is written as ${right}`],
  ["30-02-2026", `there is no day 30-02-2026; a day is written as ${right}`],
  ["2026-11-30junk", `please write it as ${right}`],
  ["2026-11-30 25:05Z", `please write it as ${right}`],
  ["30-02-2026 20:05Z", `there is no day 30-02-2026; a day is written as ${right}`],
  ["31-Feb-2026", `there is no day 31-Feb-2026; a day is written as ${right}`],
  ["30-Nov-0026", `please check the year of 30-Nov-0026; a day is written as ${right}`],
  ["30-Nox-2026", `please write it as ${right}`],
  ["30-Nov", `please write it as ${right}`],
  ["Nov 30 2026", `please write it as ${right}`],
  ["1/4/2026", `please write it as ${right}`],
  ["2026-11-301", `please write it as ${right}`],
  ["30/11/2026 - 01/12/2026", `please write it as ${right}`],
])("“%s” is no day, and it says why", (cell, why) => {
  expect(dayOfCell(cell, { shortYears: true })).toBeNull();
  expect(whyNoDay(cell, { shortYears: true })).toBe(why);
});

test.each(["30-11-26", "30-Nov-26", "30 Nov 26"])("“%s” is no day where a year has four digits", (cell) =>
  expect(dayOfCell(cell)).toBeNull(),
);
