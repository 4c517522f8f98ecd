import { csvLines, csvStart } from "../../contract/csv.ts";
import type { Sent } from "../../contract/operations.ts";
import { callForAll } from "./call-for-all.ts";
import type { Column } from "./column.ts";
import { download } from "./download.ts";
import { timeInFile } from "./time-in-file.ts";
import { askedFor, type ListName, type ListOptions, type ListRow } from "./use-list.ts";

const types = { csv: "text/csv;charset=utf-8", jsonl: "application/jsonl" };

export interface SavedList<Name extends ListName> extends Pick<ListOptions<Name>, "search" | "sort" | "input"> {
  name: Name;
  format: keyof typeof types;
  columns: readonly Pick<Column<ListRow<Name>>, "label" | "text">[];
  /** Without its extension. */
  fileName: string;
}

/** Fetches a whole list and saves it as a file; `onSaved` receives the number of records so far. @throws ApiError */
export async function saveList<Name extends ListName>(
  { name, format, columns, fileName, input, ...options }: SavedList<Name>,
  onSaved: (records: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const { start, lines } = fileOf(format, columns);
  // The browser keeps blobs on disk, so a million records do not fill the page's memory.
  const parts = [new Blob([start])];
  let saved = 0;
  const asked = { ...input, ...askedFor(options), export: format } as Sent<Name>;
  const onRecords = (records: unknown[]) => {
    parts.push(new Blob([lines(records as ListRow<Name>[])]));
    onSaved((saved += records.length));
  };
  await callForAll(name, asked, onRecords, signal);
  download(`${fileName}.${format}`, parts, types[format]);
}

/** A file's beginning, and a function that gives its lines for some records. */
function fileOf<Row>(format: keyof typeof types, columns: readonly Pick<Column<Row>, "label" | "text">[]) {
  const shown = columns.filter(({ text }) => text);
  if (format === "jsonl")
    return { start: "", lines: (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("") };
  return {
    start: csvStart + csvLines([shown.map(({ label }) => label)]),
    lines: (rows: readonly Row[]) => csvLines(rows.map((row) => shown.map(({ text }) => inFile(text?.(row) ?? "")))),
  };
}

const inFile = (text: string | number | readonly string[]) =>
  typeof text === "number" ? text : [text].flat().map(timeInFile).join("");
