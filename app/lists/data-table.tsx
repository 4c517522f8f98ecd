import { Button, Center } from "@mantine/core";
import { type CSSProperties, Fragment, type ReactNode } from "react";
import { type Unfolded, useUnfold } from "../components/unfold.tsx";
import { type Column, type Place, placesOf, type Sorting } from "./column.ts";
import classes from "./data-table.module.css";
import { directionOf, SortButton, SortChoice } from "./sorting.tsx";

export interface TableProps<Row, Sort extends string = string> {
  columns: readonly Column<Row, Sort>[];
  actions?: ((row: Row) => ReactNode) | undefined;
  /** Heading of the column of actions; without it only screen readers are told. */
  actionsLabel?: string | undefined;
  /** What a row has to say below itself when it is opened; the button stands in its last column. */
  unfold?: ((row: Row) => Unfolded | null) | undefined;
  /** A first column "#" that counts the rows from 1. */
  numbered?: boolean | undefined;
}

interface Props<Row, Sort extends string> extends TableProps<Row, Sort> {
  caption: string;
  rows: readonly Row[];
  more?: { load: () => void; loading: boolean } | undefined;
  sorting?: Sorting<Sort> | undefined;
}

/**
 * A list as one table, each row rendered once. By the width there is, the style sheet lays the same cells out as a plain
 * table, as one whose lesser columns stand below others, or as a card a row; printed it is always a table. The roles
 * stand written out, as browsers drop those of a table that is laid out otherwise.
 */
export function DataTable<Row extends { id: string }, Sort extends string = string>({
  caption,
  columns,
  rows,
  actions,
  actionsLabel,
  unfold,
  more,
  sorting,
  numbered = false,
}: Props<Row, Sort>) {
  const unfolding = useUnfold(unfold);
  const { places, tracks, lines } = placesOf(columns, numbered ? 1 : 0);
  const width = columns.length + (numbered ? 1 : 0) + (actions ? 1 : 0);
  const layout = { "--tracks": tracks + (actions ? 1 : 0), "--lines": lines } as CSSProperties;
  return (
    <div className={classes.list} data-columns={width > 7 ? "many" : width > 6 ? "several" : "few"}>
      {sorting && (
        <div className={classes.sortChoice}>
          <SortChoice columns={columns} sorting={sorting} />
        </div>
      )}
      <div className={classes.sheet}>
        <table role="table" className={classes.table} style={layout} aria-label={caption}>
          <thead role="rowgroup">
            <tr role="row">
              {numbered && (
                <th role="columnheader" scope="col" {...placed(alone(1))}>
                  #
                </th>
              )}
              {columns.map(({ label, sort, numeric, width: least }, index) => (
                <th
                  key={label}
                  role="columnheader"
                  scope="col"
                  {...placed(places[index], numeric)}
                  style={{ ...placed(places[index]).style, minWidth: least }}
                  aria-sort={directionOf(sort, sorting)}
                >
                  <SortButton label={label} sort={sort} sorting={sorting} />
                </th>
              ))}
              {actions && (
                <th role="columnheader" scope="col" className={classes.actions} {...placed(alone(tracks + 1))}>
                  {actionsLabel ?? <span className="visually-hidden">Actions</span>}
                </th>
              )}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row, index) => {
              const { button, content } = unfolding(row);
              return (
                <Fragment key={row.id}>
                  <tr role="row" data-unfolded={content ? true : undefined}>
                    {numbered && (
                      <td role="cell" data-label="#" className={`tabular ${classes.count}`} {...placed(alone(1))}>
                        {index + 1}
                      </td>
                    )}
                    {columns.map(({ label, cell, numeric }, place) => (
                      <td key={label} role="cell" data-label={label} {...placed(places[place], numeric)}>
                        <div className={classes.value}>
                          {cell(row)}
                          {place === columns.length - 1 && button}
                        </div>
                      </td>
                    ))}
                    {actions && (
                      <td role="cell" className={classes.actions} {...placed(alone(tracks + 1))}>
                        <div className={classes.buttons}>{actions(row)}</div>
                      </td>
                    )}
                  </tr>
                  {content && (
                    <tr role="row" className={classes.unfolded}>
                      <td role="cell" colSpan={width}>
                        {content}
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
      {more && (
        <Center mt="lg" className="screen-only">
          <Button variant="default" size="md" onClick={more.load} loading={more.loading}>
            Load more
          </Button>
        </Center>
      )}
    </div>
  );
}

/** The place of a cell that has its track for itself. */
const alone = (track: number): Place => ({ track, line: 1, isLast: true, atEnd: false });

/** What tells the style sheet where a cell stands. */
function placed(place: Place | undefined, numeric = false) {
  return {
    "data-numeric": numeric || undefined,
    "data-at-end": place?.atEnd || undefined,
    "data-below": (place && place.line > 1) || undefined,
    "data-last": place?.isLast || undefined,
    style: { "--track": place?.track, "--line": place?.line } as CSSProperties,
  };
}
