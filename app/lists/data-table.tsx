import { type CSSProperties, Fragment, type ReactNode } from "react";
import { type Unfolded, useUnfold } from "../components/unfold.tsx";
import { type Column, type Place, placesOf, type Sorting } from "./column.ts";
import classes from "./data-table.module.css";
import { LoadMore } from "./load-more.tsx";
import { directionOf, SortButton, SortChoice } from "./sorting.tsx";

export interface TableProps<Row, Sort extends string = string> {
  columns: readonly Column<Row, Sort>[];
  actions?: ((row: Row) => ReactNode) | undefined;
  /** Heading of the actions column; without it, only screen readers get a heading. */
  actionsLabel?: string | undefined;
  /** The content that a row can expand below itself; the button is in the row's last column. */
  unfold?: ((row: Row) => Unfolded | null) | undefined;
  /** Adds a first column "#" that counts the rows from 1. */
  numbered?: boolean | undefined;
}

interface Props<Row, Sort extends string> extends TableProps<Row, Sort> {
  caption: string;
  rows: readonly Row[];
  more?: { load: () => void; loading: boolean } | undefined;
  sorting?: Sorting<Sort> | undefined;
}

/** Explicit roles, as some browsers drop a table's roles when CSS changes its display. */
const as = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
};

/**
 * A list as one table, each row rendered once. Depending on the width, the style sheet lays out the same cells as a
 * plain table, as a table with stacked columns, or as a card for each row; print always shows a table.
 */
export function DataTable<Row extends { id: string }, Sort extends string = string>(props: Props<Row, Sort>) {
  const { caption, columns, rows, actions, unfold, more, sorting, numbered = false } = props;
  const unfolding = useUnfold(unfold);
  const { places, tracks, lines } = placesOf(columns, numbered ? 1 : 0);
  const width = columns.length + (numbered ? 1 : 0) + (actions ? 1 : 0);
  const layout = { "--tracks": tracks + (actions ? 1 : 0), "--lines": lines } as CSSProperties;
  const several = width > 6 || columns.some(({ below }) => below);
  return (
    <div className={classes.list} data-columns={width > 8 ? "most" : width > 7 ? "many" : several ? "several" : "few"}>
      {sorting && (
        <div className={classes.sortChoice}>
          <SortChoice columns={columns} sorting={sorting} />
        </div>
      )}
      <div className={classes.sheet}>
        <table {...as.table} className={classes.table} style={layout} aria-label={caption}>
          <thead {...as.rowgroup}>
            <Headings {...props} places={places} />
          </thead>
          <tbody {...as.rowgroup}>
            {rows.map((row, index) => {
              const { button, content } = unfolding(row);
              return (
                <Fragment key={row.id}>
                  <tr {...as.row} data-unfolded={content ? true : undefined}>
                    <Cells {...props} places={places} row={row} index={index} button={button} />
                  </tr>
                  {content && (
                    <tr {...as.row} className={classes.unfolded}>
                      <td {...as.cell} colSpan={width}>
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
      <LoadMore more={more} />
    </div>
  );
}

function Headings<Row, Sort extends string>({
  columns,
  actions,
  actionsLabel,
  sorting,
  numbered,
  places,
}: Pick<Props<Row, Sort>, "columns" | "actions" | "actionsLabel" | "sorting" | "numbered"> & { places: Place[] }) {
  return (
    <tr {...as.row}>
      {numbered && (
        <th {...as.columnheader} scope="col" {...placed(alone(1))}>
          #
        </th>
      )}
      {columns.map(({ label, sort, numeric, width }, index) => (
        <th
          key={label}
          {...as.columnheader}
          scope="col"
          {...placed(places[index], numeric, width)}
          aria-sort={directionOf(sort, sorting)}
        >
          <SortButton label={label} sort={sort} sorting={sorting} />
        </th>
      ))}
      {actions && (
        <th {...as.columnheader} scope="col" className={classes.actions} {...placed(afterAll(places))}>
          {actionsLabel ?? <span className="visually-hidden">Actions</span>}
        </th>
      )}
    </tr>
  );
}

function Cells<Row, Sort extends string>({
  columns,
  actions,
  numbered,
  places,
  row,
  index,
  button,
}: Pick<Props<Row, Sort>, "columns" | "actions" | "numbered"> & {
  places: Place[];
  row: Row;
  index: number;
  /** The button that expands the row. */
  button: ReactNode;
}) {
  return (
    <>
      {numbered && (
        <td {...as.cell} data-label="#" className={`tabular ${classes.count}`} {...placed(alone(1))}>
          {index + 1}
        </td>
      )}
      {columns.map(({ label, cell, numeric }, place) => (
        <td key={label} {...as.cell} data-label={label} {...placed(places[place], numeric)}>
          <div className={classes.value}>
            {cell(row)}
            {place === columns.length - 1 && button}
          </div>
        </td>
      ))}
      {actions && (
        <td {...as.cell} className={classes.actions} {...placed(afterAll(places))}>
          <div className={classes.buttons}>{actions(row)}</div>
        </td>
      )}
    </>
  );
}

/** The position of a cell that is alone in its track. */
const alone = (track: number): Place => ({ track, line: 1, isLast: true, atEnd: false });
const afterAll = (places: readonly Place[]) => alone((places.at(-1)?.track ?? 0) + 1);

/** The attributes by which the style sheet positions a cell; `minWidth` is in pixels. */
function placed(place: Place | undefined, numeric = false, minWidth?: number) {
  return {
    "data-numeric": numeric || undefined,
    "data-at-end": place?.atEnd || undefined,
    "data-below": (place && place.line > 1) || undefined,
    "data-last": place?.isLast || undefined,
    style: { "--track": place?.track, "--line": place?.line, minWidth } as CSSProperties,
  };
}
