import { assert, date, nat, property, tuple } from "fast-check";
import { types } from "pg";
import { expect, it } from "vitest";
import { valuesRead } from "./values-read.ts";

const instant = types.builtins.TIMESTAMPTZ;
const readByPg = types.getTypeParser(instant) as (text: string) => unknown;
const read = valuesRead.getTypeParser(instant) as (text: string) => unknown;

it("Reads every instant of a session in UTC as pg does", () => {
  const written = tuple(
    date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
    nat(6),
  );
  assert(
    property(written, ([time, digits]) => {
      const [day = "", ofDay = ""] = time.toISOString().slice(0, -1).split("T");
      const [clock = "", fraction = ""] = `${ofDay}789`.split(".");
      const shown = digits === 0 ? "" : `.${fraction.slice(0, digits)}`;
      const text = `${day} ${clock}${shown}+00`;
      expect(read(text)).toEqual(readByPg(text));
    }),
  );
});

it.each([
  "infinity",
  "-infinity",
  "0044-03-15 12:00:00+00 BC",
  "10000-01-01 00:00:00+00",
  "2026-11-22 19:25:47.8+05:30",
  "2026-11-22 09:25:47-03",
])("Leaves %s to pg", (text) => expect(read(text)).toEqual(readByPg(text)));

it.each(["0", "-1", "700000000000000", "9007199254740991"])("Reads the bigint %s as a number", (text) => {
  expect(valuesRead.getTypeParser(types.builtins.INT8)(text)).toBe(Number(text));
});
