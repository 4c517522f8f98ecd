import { Skeleton } from "@mantine/core";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { showMonth } from "../components/display.ts";
import classes from "./month-figure.module.css";

/** A column of a chart's table. */
export interface MonthColumn<Month> {
  label: string;
  cell: (month: Month) => string;
}

/** A chart by month, with the same figures below as a table to expand. Screen readers get only the table. */
export function MonthFigure<Month extends { month: string }>({
  title,
  months,
  columns,
  height,
  children,
}: {
  title: string;
  months: readonly Month[];
  columns: readonly MonthColumn<Month>[];
  /** The chart's height in pixels. */
  height: number;
  children: ReactNode;
}) {
  return (
    <figure className={classes.figure}>
      <figcaption>{title}</figcaption>
      <Drawing height={height}>{children}</Drawing>
      <details className={classes.details}>
        <summary>
          Show as a table<span className="visually-hidden">: {title}</span>
        </summary>
        <table aria-label={title}>
          <thead>
            <tr>
              <th scope="col">Month</th>
              {columns.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.toReversed().map((month) => (
              <tr key={month.month}>
                <th scope="row">{showMonth(month.month)}</th>
                {columns.map(({ label, cell }) => (
                  <td key={label}>{cell(month)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** A chart of this height, rendered when its place comes near the window, as its library is fetched only then. */
export function Drawing({ height, children }: { height: number; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(place);
  return (
    <div ref={place} aria-hidden className={classes.drawing}>
      {isNear ? children : <RoomOfDrawing height={height} />}
    </div>
  );
}

/** Stands in for a chart until it is loaded. */
export function RoomOfDrawing({ height }: { height: number }) {
  return <Skeleton h={height} radius="md" className={classes.room} />;
}

/** Whether it has come within half a window's height of the visible part. */
function useIsNear(place: RefObject<Element | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (!place.current || isNear) return undefined;
    const seen = new IntersectionObserver((entries) => setIsNear(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: "50% 0px",
    });
    seen.observe(place.current);
    return () => seen.disconnect();
  }, [place, isNear]);
  return isNear;
}
