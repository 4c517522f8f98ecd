import { csvLines, csvStart } from "../../contract/csv.ts";
import type { Coverage, CoverageDay } from "../../contract/coverage.ts";
import { download } from "../lists/download.ts";
import { timeInFile } from "../lists/time-in-file.ts";

const type = "text/csv;charset=utf-8";
const heads = [
  "Service",
  "Device type",
  "Contracted",
  "Connected",
  "Silent",
  "Never connected",
  "Not known",
  "Missing",
  "Difference",
];

type Counts = CoverageDay["lines"][number];

/** The difference is what is contracted less what it is made of: nothing. */
const cells = ({ service, name, contracted, connected, silent, neverConnected, unknown, missing }: Counts) => [
  service,
  name,
  contracted,
  connected,
  silent,
  neverConnected,
  unknown,
  missing,
  contracted - connected - silent - neverConnected - unknown - missing,
];

/** Saves the lines as they are shown, each with what does not add up. */
export function saveLines({ asOf, lines }: Coverage): void {
  const rows = [["Counted at", ...heads], ...lines.map((line) => [timeInFile(asOf ?? ""), ...cells(line)])];
  download("coverage.csv", [csvStart, csvLines(rows)], type);
}

/** Saves each day by device type; a day that is not known stands there as such. */
export function saveDays(days: readonly CoverageDay[]): void {
  const rows = days.flatMap(({ day, lines, contracted }) =>
    contracted === null ? [[day, "not known"]] : lines.map((line) => [day, ...cells(line)]),
  );
  download("coverage-by-day.csv", [csvStart, csvLines([["Day", ...heads], ...rows])], type);
}
