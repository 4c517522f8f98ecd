import { CsvError, parse } from "csv-parse/sync";
import { formatCount } from "../../contract/format-count.ts";
import { invalidField } from "../failures/failure.ts";

/** A parsed CSV file, with its header row apart. */
export interface Csv {
  /** The cells of the first line. */
  head: string[];
  rows: Line[];
  /** A sentence on how the file was read, if that is worth mentioning. */
  note: string | null;
}

export interface Line {
  record: string[];
  /** Line number in the file; the header is line 1. */
  line: number;
}

/**
 * Reads a CSV file with a header row: separated by commas, semicolons or tabs, in UTF-8 or UTF-16.
 * @throws Failure invalid for a file that can't be read as such, or has more than `rowsMax` rows
 */
export function readCsv(bytes: Uint8Array, rowsMax: number): Csv {
  const { text, note } = decode(bytes);
  if ((text.match(/\r\n?|\n/g)?.length ?? 0) > linesPerRow * rowsMax) throw tooManyRows(rowsMax);
  const [head, ...rows] = parseCsv(text, rowsMax);
  if (!head) throw refusedFile("The file is empty.");
  if (rows.length > rowsMax) throw tooManyRows(rowsMax);
  return { head: head.record, rows, note };
}

/** The failure for a file that is refused, shown at its field. */
export const refusedFile = (sentence: string) => invalidField("file", sentence);

/**
 * Cells may have several lines, and rows may be empty; more lines than this are refused, as parsing them takes long.
 */
const linesPerRow = 2;

const tooManyRows = (rowsMax: number) =>
  refusedFile(`The file has more than ${formatCount(rowsMax)} rows. Please split it.`);

function decode(bytes: Uint8Array): { text: string; note: string | null } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes), note: fromUtf16 };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes), note: fromUtf16 };
  if (bytes.includes(0))
    throw refusedFile("This is no CSV file: it holds characters that no text has. Please save the table as CSV.");
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), note: null };
  } catch {
    throw refusedFile(
      `The file is not written in UTF-8: line ${lineOfFault(bytes)} has another encoding, such as Latin-1. In Excel please choose “CSV UTF-8” when you save it.`,
    );
  }
}

const fromUtf16 = "The file was in UTF-16 and was converted.";

/** The number of the first line that is not UTF-8. */
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

function parseCsv(text: string, rowsMax: number): Line[] {
  // The first line with more than one cell: above the header a bank may write its name.
  const head = /^.*[,;\t].*$/m.exec(text.slice(0, 10_000))?.[0] ?? "";
  // Excel writes semicolons in locales with a decimal comma.
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
      // The header and one row more than allowed: a file of short lines may have millions.
      to: rowsMax + 2,
    });
    return (parsed as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      record,
      // The parser gives the last line of a record, which may have several.
      line: info.lines - record.reduce((sum, cell) => sum + count(cell.replaceAll("\r\n", "\n"), "\n"), 0),
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { code, lines } = error as CsvError & { lines?: number };
    const where = lines ? ` from line ${lines} on` : "";
    throw refusedFile(
      code === "CSV_MAX_RECORD_SIZE"
        ? `The file has a row${where} that is far too long: maybe a quotation mark is not closed.`
        : `The file is no CSV${where}: a quotation mark is not closed or stands in the middle of a cell.`,
    );
  }
}

const count = (text: string, character: string) => text.split(character).length - 1;
