import { expect, test } from "vitest";
import { writeCsv } from "./csv.ts";

test("A file starts with a byte order mark and ends its lines as RFC 4180 says", () => {
  expect(
    writeCsv([
      ["Name", "Amount"],
      ["आशा", 12.5],
    ]),
  ).toBe("\uFEFFName,Amount\r\nआशा,12.5\r\n");
});

test("Commas, quotes and line breaks stay within their cell", () => {
  expect(writeCsv([['Rao, "Asha"\nMysuru']])).toBe('\uFEFF"Rao, ""Asha""\nMysuru"\r\n');
});

test.each(["=1+1", "+919876543210", "-2", "@SUM(A1)", "\t=1", " =1"])(
  "The text %j is never run as a formula",
  (text) => {
    expect(writeCsv([[text]])).toContain(`'${text}`);
  },
);

test("A number may be negative", () => {
  expect(writeCsv([[-2]])).toBe("\uFEFF-2\r\n");
});
