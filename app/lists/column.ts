import type { ReactNode } from "react";

/** One column of a list; `Sort` are the column names that the contract lets the server sort by. */
export interface Column<Row, Sort extends string = string> {
  label: string;
  cell: (row: Row) => ReactNode;
  /** The value in an exported file, which leaves out columns without one. In parts if an instant stands among words. */
  text?: (row: Row) => string | number | readonly string[];
  /** The column exists only in exported files. */
  fileOnly?: boolean;
  /** The column's name for sorting on the server. */
  sort?: Sort;
  /** Aligns numbers to the column's end and keeps each on one line. */
  numeric?: boolean;
  /** Moves below the previous column where space is short. */
  below?: boolean;
  /** The column's minimum width in pixels. */
  width?: number;
}

/**
 * `order` is a column's `sort`, with "-" for descending; undefined is the server's own order: by `own` if given, else
 * newest first.
 */
export interface Sorting<Sort extends string = string> {
  order: Sort | `-${Sort}` | undefined;
  own?: Sort | undefined;
  onChange: (order: Sort | `-${Sort}` | undefined) => void;
}

/** The position of a cell when columns are stacked: track and line, both counted from 1. */
export interface Place {
  track: number;
  line: number;
  /** The last cell of its track, which takes the height by which other tracks are taller. */
  isLast: boolean;
  /** Aligned to the end, as the first cell of its track is. */
  atEnd: boolean;
}

/** The position of each column, the number of tracks, and the number of lines of the longest track. */
export function placesOf(
  columns: readonly Pick<Column<never>, "below" | "numeric">[],
  tracksBefore: number,
): { places: Place[]; tracks: number; lines: number } {
  const places: Place[] = [];
  for (const { below, numeric = false } of columns) {
    const before = places.at(-1);
    if (below && before) {
      before.isLast = false;
      places.push({ ...before, line: before.line + 1, isLast: true });
    } else places.push({ track: (before?.track ?? tracksBefore) + 1, line: 1, isLast: true, atEnd: numeric });
  }
  return {
    places,
    tracks: places.at(-1)?.track ?? tracksBefore,
    lines: Math.max(1, ...places.map(({ line }) => line)),
  };
}
