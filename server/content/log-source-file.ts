import { contentLimits } from "../../contract/content-limits.ts";
import { CsvError, parse } from "csv-parse/sync";
import { logSourceColumns, NewLogSource } from "../../contract/log-sources.ts";
import { Failure } from "../failures/failure.ts";

/** A row of a file, as an export of the list writes it. */
export interface FileRow extends NewLogSource {
  retired: boolean;
}

/** A CSV file as it was understood. */
export interface ReadFile {
  rows: FileRow[];
  /** What is wrong in which line, the head being line 1. */
  errors: { line: number; error: string }[];
  /** How it was read, where that is worth a sentence. */
  note: string | null;
}

/**
 * Reads a CSV file with the columns Product, Category, Label and Format in any order and more beside them; commas or
 * semicolons, UTF-8 or UTF-16. Rows that are wrong become errors.
 * @throws Failure invalid for a file that can't be read as such
 */
export function readLogSourceFile(bytes: Uint8Array): ReadFile {
  const { text, note } = decode(bytes);
  const [head, ...records] = parseCsv(text);
  if (!head) throw refused("The file is empty.");
  const columns = columnsIn(head.record);
  const state = head.record.findIndex((cell) => cell.trim().toLowerCase() === "state");
  if (records.length > contentLimits.csvRowsMax) throw tooManyRows();
  if (records.length === 0) throw refused("The file has a head and no rows.");
  const rows: FileRow[] = [];
  const errors: ReadFile["errors"] = [];
  const firstLines = new Map<string, number>();
  for (const { record, line } of records) {
    const cells = Object.fromEntries(columns.map(({ name, index }) => [name, plain(record[index] ?? "")]));
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

/** An apostrophe that an export of ours, or of others, put before what a spreadsheet would run. */
const plain = (cell: string) => cell.replace(/^'(?=\s*[=+\-@\t\r])/, "");

const sentenceOf = (issue: { path: PropertyKey[]; message: string } | undefined) =>
  issue ? `${String(issue.path[0])}: ${issue.message}` : "This row is not right";

function decode(bytes: Uint8Array): { text: string; note: string | null } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes), note: fromUtf16 };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes), note: fromUtf16 };
  if (bytes.includes(0))
    throw refused("This is no CSV file: it holds characters that no text has. Please save the table as CSV.");
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), note: null };
  } catch {
    throw refused(
      `The file is not written in UTF-8: line ${lineOfFault(bytes)} has another encoding, such as Latin-1. In Excel please choose “CSV UTF-8” when you save it.`,
    );
  }
}

const fromUtf16 = "The file was in UTF-16 and was converted.";

/** The first line that is no UTF-8. */
function lineOfFault(bytes: Uint8Array): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(10, start);
    const part = bytes.subarray(start, end < 0 ? bytes.length : end);
    try {
      decoder.decode(part);
    } catch {
      return line;
    }
    start = end < 0 ? bytes.length : end + 1;
  }
  return line;
}

interface Line {
  record: string[];
  line: number;
}

/** Cells may have several lines, and rows may be empty; the parser takes its time for each. */
const linesPerRow = 2;

function parseCsv(text: string): Line[] {
  if ((text.match(/\r\n?|\n/g)?.length ?? 0) > linesPerRow * contentLimits.csvRowsMax) throw tooManyRows();
  const head = text.slice(0, text.search(/[\r\n]|$/));
  // Excel writes semicolons where the comma is the decimal sign.
  const delimiter = [",", ";", "\t"].toSorted((one, other) => count(head, other) - count(head, one))[0] ?? ",";
  try {
    const parsed: unknown = parse(text, {
      delimiter,
      bom: true,
      record_delimiter: ["\r\n", "\n", "\r"],
      info: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
      max_record_size: 20_000,
      // The head, and one row more than there may be: a file of short lines has millions of them.
      to: contentLimits.csvRowsMax + 2,
    });
    return (parsed as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      record,
      // The parser names the last line of a record, which may have several.
      line: info.lines - record.reduce((sum, cell) => sum + count(cell.replaceAll("\r\n", "\n"), "\n"), 0),
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { code, lines } = error as CsvError & { lines?: number };
    const where = lines ? ` from line ${lines} on` : "";
    throw refused(
      code === "CSV_MAX_RECORD_SIZE"
        ? `The file has a row${where} that is far too long: maybe a quotation mark is not closed.`
        : `The file is no CSV${where}: a quotation mark is not closed or stands in the middle of a cell.`,
    );
  }
}

const count = (text: string, character: string) => text.split(character).length - 1;

function columnsIn(head: string[]): { name: string; index: number }[] {
  const names = head.map((cell) => cell.trim().toLowerCase());
  const missing = logSourceColumns.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw refused(
      `The file lacks the column${missing.length > 1 ? "s" : ""} ${missing.map(titled).join(", ")}. Its first line has to name ${logSourceColumns.map(titled).join(", ")}.`,
    );
  const twice = logSourceColumns.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice) throw refused(`The column ${titled(twice)} is there twice.`);
  return logSourceColumns.map((name) => ({ name, index: names.indexOf(name) }));
}

const tooManyRows = () =>
  refused(`The file has more than ${contentLimits.csvRowsMax.toLocaleString("en-IN")} rows. Please split it.`);

const titled = (name: string) => name[0]?.toUpperCase() + name.slice(1);

const refused = (sentence: string) => new Failure("invalid", sentence, { fields: { file: sentence } });
