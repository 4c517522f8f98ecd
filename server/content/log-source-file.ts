import { contentLimits } from "../../contract/content-limits.ts";
import { plainCell } from "../../contract/csv.ts";
import { logSourceColumns, NewLogSource } from "../../contract/log-sources.ts";
import { readCsv, refusedFile } from "../csv/read-csv.ts";

/** A row of the file, in the format of the list's export. */
export interface FileRow extends NewLogSource {
  retired: boolean;
}

/** A CSV file after parsing. */
export interface ReadFile {
  rows: FileRow[];
  /** Errors by line; the head is line 1. */
  errors: { line: number; error: string }[];
  /** A remark on how the file was read, where it matters. */
  note: string | null;
}

/**
 * Reads a CSV file with the columns Product, Category, Label and Format in any order, with further columns ignored
 * except State; commas or semicolons, UTF-8 or UTF-16. Invalid rows become errors.
 * @throws Failure invalid for a file that can't be read as such
 */
export function readLogSourceFile(bytes: Uint8Array): ReadFile {
  const { head, rows: records, note } = readCsv(bytes, contentLimits.csvRowsMax);
  const columns = columnsIn(head);
  const state = head.findIndex((cell) => cell.trim().toLowerCase() === "state");
  if (records.length === 0) throw refusedFile("The file has a header and no rows.");
  const rows: FileRow[] = [];
  const errors: ReadFile["errors"] = [];
  const firstLines = new Map<string, number>();
  for (const { record, line } of records) {
    const cells = Object.fromEntries(columns.map(({ name, index }) => [name, plainCell(record[index] ?? "")]));
    const parsed = NewLogSource.safeParse(cells);
    const first = parsed.success ? firstLines.get(parsed.data.label) : undefined;
    if (!parsed.success) errors.push({ line, error: sentenceOf(parsed.error.issues[0]) });
    else if (first !== undefined)
      errors.push({ line, error: `The label ${parsed.data.label} stands in line ${first} already` });
    else {
      firstLines.set(parsed.data.label, line);
      rows.push({ ...parsed.data, retired: (record[state] ?? "").trim().toLowerCase() === "retired" });
    }
  }
  return { rows, errors, note };
}

const sentenceOf = (issue: { path: PropertyKey[]; message: string } | undefined) =>
  issue ? `${String(issue.path[0])}: ${issue.message}` : "This row is not right";

function columnsIn(head: string[]): { name: string; index: number }[] {
  const names = head.map((cell) => cell.trim().toLowerCase());
  const missing = logSourceColumns.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw refusedFile(
      `The file lacks the column${missing.length > 1 ? "s" : ""} ${missing.map(titled).join(", ")}. Its first line has to name ${logSourceColumns.map(titled).join(", ")}.`,
    );
  const twice = logSourceColumns.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice) throw refusedFile(`The column ${titled(twice)} is there twice.`);
  return logSourceColumns.map((name) => ({ name, index: names.indexOf(name) }));
}

const titled = (name: string) => name[0]?.toUpperCase() + name.slice(1);
