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

/**
 * Fetches every page of a list, as searched and sorted now, and saves the columns that have a `text` as a CSV file.
 * `fileName` comes without its ending. While it runs the button shows how far it is, and stops it.
 */
export function CsvExport<Name extends ListName>({
  name,
  columns,
  fileName,
  ...options
}: {
  name: Name;
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
      const rows = await fetchAll(name, options, stop.signal, (done, total) =>
        setProgress(`Exporting ${done.toLocaleString("en-IN")} of ${total}`),
      );
      const shown = columns.filter(({ text }) => text);
      const lines = rows.map((row) => shown.map(({ text }) => text?.(row) ?? ""));
      download(`${fileName}.csv`, writeCsv([shown.map(({ label }) => label), ...lines]));
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
      Export CSV
    </Button>
  );
}

async function fetchAll<Name extends ListName>(
  name: Name,
  options: Pick<ListOptions<Name>, "search" | "sort" | "input">,
  signal: AbortSignal,
  onProgress: (done: number, total: string) => void,
): Promise<ListRow<Name>[]> {
  const rows: ListRow<Name>[] = [];
  let cursor: string | null = null;
  do {
    const asked = { ...options.input, ...askedFor(options), limit: limits.listLimitMax, ...(cursor && { cursor }) };
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

function download(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
