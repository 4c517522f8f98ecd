import { Button } from "@mantine/core";
import { IconFileSpreadsheet, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { toast } from "../toast.ts";
import { limits } from "../../contract/limits.ts";
import type { Sent } from "../../contract/operations.ts";
import { call } from "../api.ts";
import { writeCsv } from "./csv.ts";
import type { Column } from "./column.ts";
import { showTotal } from "./show-total.ts";
import { askedFor, type ListName, type ListOptions, type ListRow, pageOf, rowsOf } from "./use-list.ts";

const formats = {
  csv: { label: "Export CSV", type: "text/csv;charset=utf-8" },
  jsonl: { label: "Export JSON lines", type: "application/jsonl" },
};

/**
 * Fetches every page of a list, as searched and sorted now, and saves the columns that have a `text` as a CSV file, or
 * the records as the server answers them as JSON lines.
 * `fileName` comes without its ending. While it runs the button shows how far it is, and stops it.
 */
export function ListExport<Name extends ListName>({
  name,
  format,
  columns,
  fileName,
  ...options
}: {
  name: Name;
  format: keyof typeof formats;
  columns: readonly Pick<Column<ListRow<Name>>, "label" | "text">[];
  fileName: string;
} & Pick<ListOptions<Name>, "search" | "sort" | "input">) {
  const [progress, setProgress] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const save = async () => {
    const stop = (running.current = new AbortController());
    setProgress("Exporting…");
    try {
      const rows = await fetchAll(name, format, options, stop.signal, (done, total) =>
        setProgress(`Exporting ${done.toLocaleString("en-IN")} of ${total}`),
      );
      download(
        `${fileName}.${format}`,
        format === "csv" ? asCsv(rows, columns) : asJsonLines(rows),
        formats[format].type,
      );
    } catch {
      if (!stop.signal.aborted) toast.error("The export did not finish. Please try again.");
    }
    if (!stop.signal.aborted) setProgress(null);
  };

  if (progress)
    return (
      <Button
        variant="default"
        size="md"
        leftSection={<IconX size={18} aria-hidden />}
        className="tabular"
        onClick={() => {
          running.current?.abort();
          setProgress(null);
        }}
      >
        <span role="status">{progress}</span>, stop
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

function asCsv<Row>(rows: readonly Row[], columns: readonly Pick<Column<Row>, "label" | "text">[]): string {
  const shown = columns.filter(({ text }) => text);
  const lines = rows.map((row) => shown.map(({ text }) => text?.(row) ?? ""));
  return writeCsv([shown.map(({ label }) => label), ...lines]);
}

const asJsonLines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

async function fetchAll<Name extends ListName>(
  name: Name,
  format: keyof typeof formats,
  options: Pick<ListOptions<Name>, "search" | "sort" | "input">,
  signal: AbortSignal,
  onProgress: (done: number, total: string) => void,
): Promise<ListRow<Name>[]> {
  const rows: ListRow<Name>[] = [];
  let cursor: string | null = null;
  do {
    const chosen = { ...options.input, ...askedFor(options), export: format };
    const asked = { ...chosen, limit: limits.listLimitMax, ...(cursor && { cursor }) };
    // oxlint-disable-next-line no-await-in-loop -- a page's place is known only when the one before it is there
    const page = await call(name, asked as Sent<Name>, signal);
    rows.push(...rowsOf<Name>(page));
    const listed = pageOf(page);
    cursor = listed.nextCursor;
    onProgress(
      rows.length,
      showTotal({ ...listed, totalIsCapped: listed.totalIsCapped && cursor !== null }, rows.length),
    );
  } while (cursor !== null);
  return rows;
}

function download(fileName: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
