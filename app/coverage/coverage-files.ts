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

/** The cells of a line. The last one is what the counts leave of the contracted devices, which is 0 if they add up. */
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

/** Saves the shown lines as a CSV file, each with its difference. */
export function saveLines({ asOf, lines }: Coverage): void {
  const rows = [["Counted at", ...heads], ...lines.map((line) => [timeInFile(asOf ?? ""), ...cells(line)])];
  download("coverage.csv", [csvStart, csvLines(rows)], type);
}

/** Saves each day by device type as a CSV file; a day without data says "not known". */
export function saveDays(days: readonly CoverageDay[]): void {
  const rows = days.flatMap(({ day, lines, contracted }) =>
    contracted === null ? [[day, "not known"]] : lines.map((line) => [day, ...cells(line)]),
  );
  download("coverage-by-day.csv", [csvStart, csvLines([["Day", ...heads], ...rows])], type);
}
