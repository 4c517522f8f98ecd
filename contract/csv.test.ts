import { expect, test } from "vitest";
import { csvLines, csvStart, plainCell } from "./csv.ts";

test("A file starts with a byte order mark and ends its lines as RFC 4180 says", () => {
  expect(csvStart).toBe("\uFEFF");
  expect(
    csvLines([
      ["Name", "Amount"],
      ["आशा", 12.5],
    ]),
  ).toBe("Name,Amount\r\nआशा,12.5\r\n");
});

test("Commas, quotes and line breaks stay within their cell", () => {
  expect(csvLines([['Rao, "Asha"\nMysuru']])).toBe('"Rao, ""Asha""\nMysuru"\r\n');
});

test.each(["=1+1", "+919876543210", "-2", "-2.50+cmd", "-2.50\n=1", "@SUM(A1)", "\t=1", " =1", "＝1+1", "＠SUM(A1)"])(
  "The text %j is never run as a formula, and read again as it was",
  (text) => {
    expect(csvLines([[text]])).toContain(`'${text}`);
    expect(plainCell(`'${text}`)).toBe(text);
  },
);

test("A number and an amount may be negative", () => {
  expect(csvLines([[-2, "-1080.00"]])).toBe("-2,-1080.00\r\n");
});
