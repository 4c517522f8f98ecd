import { Button } from "@mantine/core";
import { IconFileSpreadsheet, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { formatCount } from "../../contract/format-count.ts";
import { partIsGone } from "../components/later.tsx";
import { toast } from "../toast.ts";
import classes from "./list-export.module.css";
import type { SavedList } from "./save-list.ts";
import { showTotal } from "./show-total.ts";
import type { ListName } from "./use-list.ts";

const labels = { csv: "Export CSV", jsonl: "Export JSON lines" };

/**
 * Fetches a whole list with the current search and order, and saves the columns that have a `text` as CSV, or the
 * server's records as JSON lines. While running, the button shows the progress and cancels.
 */
export function ListExport<Name extends ListName>({
  counted,
  ...list
}: SavedList<Name> & {
  /** The number of records. */
  counted: { total: number; totalIsCapped: boolean };
}) {
  const [done, setDone] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const save = async () => {
    const { signal } = (running.current = new AbortController());
    setDone(0);
    const part = await import("./save-list.ts").catch(partIsGone);
    if (part && !signal.aborted)
      await part.saveList(list, setDone, signal).catch(() => {
        if (!signal.aborted) toast.error("The export did not finish. Please try again.");
      });
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
          {formatCount(done)} of {showTotal(counted, done)}, stop
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
      {labels[list.format]}
    </Button>
  );
}
