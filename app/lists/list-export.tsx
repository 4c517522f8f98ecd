import { Button } from "@mantine/core";
import { IconFileSpreadsheet, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { toast } from "../toast.ts";
import type { Sent } from "../../contract/operations.ts";
import { callForAll } from "./call-for-all.ts";
import { csvLines, csvStart } from "../../contract/csv.ts";
import type { Column } from "./column.ts";
import classes from "./list-export.module.css";
import { download } from "./download.ts";
import { showTotal } from "./show-total.ts";
import { askedFor, type ListName, type ListOptions, type ListRow } from "./use-list.ts";

const formats = {
  csv: { label: "Export CSV", type: "text/csv;charset=utf-8" },
  jsonl: { label: "Export JSON lines", type: "application/jsonl" },
};

/**
 * Fetches a whole list, as searched and sorted now, and saves the columns that have a `text` as a CSV file, or the
 * records as the server answers them as JSON lines.
 * `fileName` comes without its ending. While it runs the button shows how far it is, and stops it.
 */
export function ListExport<Name extends ListName>({
  name,
  format,
  columns,
  fileName,
  counted,
  ...options
}: {
  name: Name;
  format: keyof typeof formats;
  columns: readonly Pick<Column<ListRow<Name>>, "label" | "text">[];
  fileName: string;
  /** How many records there are. */
  counted: { total: number; totalIsCapped: boolean };
} & Pick<ListOptions<Name>, "search" | "sort" | "input">) {
  const [done, setDone] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const save = async () => {
    const { signal } = (running.current = new AbortController());
    const { start, lines } = fileOf(format, columns);
    // The browser keeps what is in a blob on the disk: a million records take no memory of the page.
    const parts = [new Blob([start])];
    let saved = 0;
    setDone(0);
    try {
      const asked = { ...options.input, ...askedFor(options), export: format } as Sent<Name>;
      const onRecords = (records: unknown[]) => {
        parts.push(new Blob([lines(records as ListRow<Name>[])]));
        setDone((saved += records.length));
      };
      await callForAll(name, asked, onRecords, signal);
      download(`${fileName}.${format}`, parts, formats[format].type);
    } catch {
      if (!signal.aborted) toast.error("The export did not finish. Please try again.");
    }
    if (!signal.aborted) setDone(null);
  };

  if (done !== null)
    return (
      <Button
        variant="default"
        size="md"
        leftSection={<IconX size={18} aria-hidden />}
        className="tabular"
        onClick={() => {
          running.current?.abort();
          setDone(null);
        }}
      >
        <progress
          className={classes.progress}
          aria-label="Exported"
          {...(counted.totalIsCapped ? {} : { value: done, max: Math.max(counted.total, 1) })}
        />
        <span>
          {done.toLocaleString("en-IN")} of {showTotal(counted, done)}, stop
        </span>
      </Button>
    );
  return (
    <Button
      variant="default"
      size="md"
      leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
      onClick={() => void save()}
    >
      {formats[format].label}
    </Button>
  );
}

/** What a file begins with, and its lines for some records. */
function fileOf<Row>(format: keyof typeof formats, columns: readonly Pick<Column<Row>, "label" | "text">[]) {
  const shown = columns.filter(({ text }) => text);
  if (format === "jsonl")
    return { start: "", lines: (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("") };
  return {
    start: csvStart + csvLines([shown.map(({ label }) => label)]),
    lines: (rows: readonly Row[]) => csvLines(rows.map((row) => shown.map(({ text }) => text?.(row) ?? ""))),
  };
}
