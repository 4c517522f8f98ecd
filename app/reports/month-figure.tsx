import { Skeleton } from "@mantine/core";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { showMonth } from "../components/display.ts";
import classes from "./month-figure.module.css";

/** A figure of each month, as the table shows it. */
export interface MonthColumn<Month> {
  label: string;
  cell: (month: Month) => string;
}

/**
 * A drawing by month, and below it the same figures as a table to unfold. The drawing is hidden from screen readers, who
 * have the table. `children` are put in when their room comes near the window, as what draws them is fetched by then.
 */
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
  /** Of the drawing, in pixels. */
  height: number;
  children: ReactNode;
}) {
  const drawing = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(drawing);
  return (
    <figure className={classes.figure}>
      <figcaption>{title}</figcaption>
      <div ref={drawing} aria-hidden className={classes.drawing}>
        {isNear ? children : <RoomOfDrawing height={height} />}
      </div>
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

/** What stands in a drawing's place until it is there. */
export function RoomOfDrawing({ height }: { height: number }) {
  return <Skeleton h={height} radius="md" />;
}

/** Whether it has been within half a window's height of what is seen. */
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
