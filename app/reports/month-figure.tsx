import { Skeleton } from "@mantine/core";
import { type ReactNode, Suspense } from "react";
import { showMonth } from "../components/display.ts";
import classes from "./month-figure.module.css";

/** A figure of each month, as the table shows it. */
export interface MonthColumn<Month> {
  label: string;
  cell: (month: Month) => string;
}

/**
 * A drawing by month, and below it the same figures as a table to unfold. The drawing is hidden from screen readers, who
 * have the table. `children` may still be loading.
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
  return (
    <figure className={classes.figure}>
      <figcaption>{title}</figcaption>
      <div aria-hidden className={classes.drawing}>
        <Suspense fallback={<Skeleton h={height} radius="md" />}>{children}</Suspense>
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
