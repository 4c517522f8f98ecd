import { Button, Card, Center, Group, NativeSelect, Stack, Table, Text, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";
import classes from "./data-table.module.css";
import { type Unfolded, useUnfold } from "../components/unfold.tsx";

export interface Column<Row> {
  label: string;
  cell: (row: Row) => ReactNode;
  /** What it is in an exported file; without it the column is left out there. */
  text?: (row: Row) => string | number;
  /** The column's name for the server, which can sort by it. */
  sort?: string;
  /** Numbers are set to the end of their column. */
  numeric?: boolean;
  /** The least width of its column, in pixels. */
  width?: number;
}

/** `order` is a column's `sort`, with "-" for downwards; undefined is the server's own order. */
export interface Sorting {
  order: string | undefined;
  onChange: (order: string | undefined) => void;
}

interface Props<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  actions?: (row: Row) => ReactNode;
  /** Heading of the column of actions; without it only screen readers are told. */
  actionsLabel?: string;
  /** What a row has to say below itself when it is opened; the button stands in its last column. */
  unfold?: ((row: Row) => Unfolded | null) | undefined;
  more?: { load: () => void; loading: boolean } | undefined;
  sorting?: Sorting;
  /** A first column "#" that counts the rows from 1. */
  numbered?: boolean;
  /** Of so many columns that it takes 960 pixels; others take 720. */
  wide?: boolean;
}

/** A table where there is room for one, else a card a row; both from the same columns. `actions` stand last. */
export function DataTable<Row extends { id: string }>({
  caption,
  columns,
  rows,
  actions,
  actionsLabel,
  unfold,
  more,
  sorting,
  numbered,
  wide = false,
}: Props<Row>) {
  const unfolding = useUnfold(unfold);
  const width = columns.length + (numbered ? 1 : 0) + (actions ? 1 : 0);
  return (
    <div className={classes.list} data-wide={wide || undefined}>
      <div className={classes.table}>
        <Table verticalSpacing="sm" horizontalSpacing={wide ? 8 : "sm"} fz="sm" highlightOnHover>
          <caption className={classes.hidden}>{caption}</caption>
          <Table.Thead>
            <Table.Tr>
              {numbered && (
                <Table.Th scope="col" w={56}>
                  #
                </Table.Th>
              )}
              {columns.map((column) => (
                <Heading key={column.label} column={column} sorting={sorting} />
              ))}
              {actions && (
                <Table.Th scope="col">{actionsLabel ?? <span className={classes.hidden}>Actions</span>}</Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, index) => {
              const { button, content } = unfolding(row);
              return (
                <Fragment key={row.id}>
                  <Table.Tr>
                    {numbered && (
                      <Table.Td className="tabular" c="var(--site-muted)">
                        {index + 1}
                      </Table.Td>
                    )}
                    {columns.map(({ label, cell, numeric }, place) => (
                      <Table.Td
                        key={label}
                        ta={numeric ? "end" : "start"}
                        className={numeric ? "tabular" : (classes.cell ?? "")}
                      >
                        {cell(row)}
                        {place === columns.length - 1 && button}
                      </Table.Td>
                    ))}
                    {actions && (
                      <Table.Td>
                        <div className={classes.stacked}>{actions(row)}</div>
                      </Table.Td>
                    )}
                  </Table.Tr>
                  {content && (
                    <Table.Tr>
                      <Table.Td colSpan={width} bg="var(--site-canvas)">
                        {content}
                      </Table.Td>
                    </Table.Tr>
                  )}
                </Fragment>
              );
            })}
          </Table.Tbody>
        </Table>
      </div>
      {sorting && <SortChoice columns={columns} sorting={sorting} />}
      <ul className={classes.cards} aria-label={caption}>
        {rows.map((row, index) => {
          const { button, content } = unfolding(row);
          return (
            <Card key={row.id} component="li" withBorder radius="md" padding="md" bg="var(--site-surface)">
              <Stack gap={8}>
                {numbered && (
                  <Text fz="sm" fw={600} c="var(--site-muted)" className="tabular">
                    # {index + 1}
                  </Text>
                )}
                {columns.map(({ label, cell, numeric }) => (
                  <Group key={label} justify="space-between" gap="md" wrap="nowrap" align="flex-start">
                    <Text fz="sm" c="var(--site-muted)" style={{ flexShrink: 0 }}>
                      {label}
                    </Text>
                    <div className={`${numeric ? "tabular " : ""}${classes.value}`}>{cell(row)}</div>
                  </Group>
                ))}
                {button && <div className={classes.unfold}>{button}</div>}
                {content}
                {actions && <div className={classes.side}>{actions(row)}</div>}
              </Stack>
            </Card>
          );
        })}
      </ul>
      {more && (
        <Center mt="lg">
          <Button variant="default" size="md" onClick={more.load} loading={more.loading}>
            Load more
          </Button>
        </Center>
      )}
    </div>
  );
}

/** A column's heading; where it can be sorted by, a button: up, down, then the server's own order again. */
function Heading<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const { label, numeric, width, sort } = column;
  if (!sorting || !sort)
    return (
      <Table.Th scope="col" ta={numeric ? "end" : "start"} miw={width}>
        {label}
      </Table.Th>
    );
  const { order, onChange } = sorting;
  const up = order === sort;
  const down = order === `-${sort}`;
  const SortIcon = up ? IconArrowUp : down ? IconArrowDown : IconArrowsSort;
  return (
    <Table.Th
      scope="col"
      ta={numeric ? "end" : "start"}
      miw={width}
      aria-sort={up ? "ascending" : down ? "descending" : "none"}
    >
      <UnstyledButton
        className={classes.sort ?? ""}
        data-active={up || down || undefined}
        onClick={() => onChange(up ? `-${sort}` : down ? undefined : sort)}
      >
        {label}
        <SortIcon size={15} stroke={1.8} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}

/** The same for cards, which have no headings. */
function SortChoice<Row>({ columns, sorting }: { columns: readonly Column<Row>[]; sorting: Sorting }) {
  const choices = columns.flatMap(({ label, sort }) =>
    sort
      ? [
          { value: sort, label: `${label}, ascending` },
          { value: `-${sort}`, label: `${label}, descending` },
        ]
      : [],
  );
  return (
    <NativeSelect
      className={classes.sortChoice ?? ""}
      maw={280}
      mb="sm"
      size="md"
      label="Sort by"
      value={sorting.order ?? ""}
      onChange={(event) => sorting.onChange(event.currentTarget.value || undefined)}
      data={[{ value: "", label: "Newest first" }, ...choices]}
    />
  );
}
