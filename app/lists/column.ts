import type { ReactNode } from "react";

/** One column of a list; `Sort` are the names that the list's declaration in the contract can be sorted by. */
export interface Column<Row, Sort extends string = string> {
  label: string;
  cell: (row: Row) => ReactNode;
  /** What it is in an exported file; without it the column is left out there. In parts where an instant stands among words. */
  text?: (row: Row) => string | number | readonly string[];
  /** It stands in an exported file only. */
  fileOnly?: boolean;
  /** The column's name for the server, which can sort by it. */
  sort?: Sort;
  /** Numbers are set to the end of their column, and stay in one piece. */
  numeric?: boolean;
  /** Where there is little room it stands below the column before it. */
  below?: boolean;
  /** The least width of its column, in pixels. */
  width?: number;
}

/**
 * `order` is a column's `sort`, with "-" for downwards; undefined is the server's own order, the newest first unless that is
 * one of these: then it is `own`.
 */
export interface Sorting<Sort extends string = string> {
  order: Sort | `-${Sort}` | undefined;
  own?: Sort | undefined;
  onChange: (order: Sort | `-${Sort}` | undefined) => void;
}

/** Where a cell stands when columns stand below each other: its track and its line, both from 1. */
export interface Place {
  track: number;
  line: number;
  /** Of the last in its track, which takes what other tracks need more. */
  isLast: boolean;
  /** Set to the end as the first of its track is. */
  atEnd: boolean;
}

/** The place of each column, the number of tracks and that of the lines of the longest. */
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
