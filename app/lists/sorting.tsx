import { UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import type { Column, Sorting } from "./column.ts";
import textField from "../components/text-field.module.css";
import fields from "./list-fields.module.css";
import classes from "./sorting.module.css";

type Direction = "ascending" | "descending" | "none";

/** The list's direction by this column; undefined if it can't be sorted by it. */
export function directionOf<Sort extends string>(
  sort: Sort | undefined,
  sorting: Sorting<Sort> | undefined,
): Direction | undefined {
  if (!sort || !sorting) return undefined;
  if (sorting.order === sort) return "ascending";
  return sorting.order === `-${sort}` ? "descending" : "none";
}

const icons = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort };

/** A column's name, as a button if the list can be sorted by it: ascending, descending, then the server's own order. */
export function SortButton<Sort extends string>({
  label,
  sort,
  sorting,
}: {
  label: string;
  sort: Sort | undefined;
  sorting: Sorting<Sort> | undefined;
}) {
  const direction = directionOf(sort, sorting);
  if (!sort || !sorting || !direction) return label;
  const SortIcon = icons[direction];
  const next = { none: sort, ascending: `-${sort}` as const, descending: sorting.own };
  return (
    <UnstyledButton
      className={classes.button ?? ""}
      data-active={direction !== "none" || undefined}
      onClick={() => sorting.onChange(next[direction])}
    >
      {label}
      <SortIcon size={15} stroke={1.8} aria-hidden />
    </UnstyledButton>
  );
}

/** Sorting for cards, which have no headings. */
export function SortChoice<Row, Sort extends string>({
  columns,
  sorting,
}: {
  columns: readonly Column<Row, Sort>[];
  sorting: Sorting<Sort>;
}) {
  const choices = columns.flatMap(({ label, sort }) =>
    sort
      ? [
          { order: sort, label: `${label}, ascending` },
          { order: `-${sort}` as const, label: `${label}, descending` },
        ]
      : [],
  );
  return (
    <label className={fields.choice}>
      Sort by
      <select
        className={textField.field}
        value={sorting.order ?? ""}
        onChange={({ currentTarget: { value } }) =>
          sorting.onChange(choices.find(({ order }) => order === value)?.order)
        }
      >
        {!sorting.own && <option value="">Newest first</option>}
        {choices.map(({ order, label }) => (
          <option key={order} value={order}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
