import { Button, Card, Center, Group, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./data-table.module.css";

export interface Column<Row> {
  label: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are set to the end of their column. */
  numeric?: boolean;
  /** The least width of its column, in pixels. */
  width?: number;
}

/** A table on wide screens, a card a row on phones; both from the same columns. `actions` stand last. */
export function DataTable<Row extends { id: string }>({
  caption,
  columns,
  rows,
  actions,
  more,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  actions?: (row: Row) => ReactNode;
  more?: { load: () => void; loading: boolean } | undefined;
}) {
  return (
    <>
      <Table.ScrollContainer minWidth={960} visibleFrom="md" className={classes.sheet ?? ""}>
        <Table verticalSpacing="sm" horizontalSpacing="sm" fz="sm" highlightOnHover>
          <caption className={classes.hidden}>{caption}</caption>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ label, numeric, width }) => (
                <Table.Th key={label} scope="col" ta={numeric ? "end" : "start"} miw={width}>
                  {label}
                </Table.Th>
              ))}
              {actions && (
                <Table.Th scope="col">
                  <span className={classes.hidden}>Actions</span>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.id}>
                {columns.map(({ label, cell, numeric }) => (
                  <Table.Td
                    key={label}
                    ta={numeric ? "end" : "start"}
                    className={numeric ? "tabular" : (classes.cell ?? "")}
                  >
                    {cell(row)}
                  </Table.Td>
                ))}
                {actions && (
                  <Table.Td>
                    <div className={classes.stacked}>{actions(row)}</div>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Stack gap="sm" hiddenFrom="md" component="ul" p={0} m={0} style={{ listStyle: "none" }} aria-label={caption}>
        {rows.map((row) => (
          <Card key={row.id} component="li" withBorder radius="md" padding="md" bg="var(--site-surface)">
            <Stack gap={8}>
              {columns.map(({ label, cell, numeric }) => (
                <Group key={label} justify="space-between" gap="md" wrap="nowrap" align="flex-start">
                  <Text fz="sm" c="var(--site-muted)" style={{ flexShrink: 0 }}>
                    {label}
                  </Text>
                  <div className={`${numeric ? "tabular " : ""}${classes.value}`}>{cell(row)}</div>
                </Group>
              ))}
              {actions && <div className={classes.side}>{actions(row)}</div>}
            </Stack>
          </Card>
        ))}
      </Stack>
      {more && (
        <Center mt="lg">
          <Button variant="default" size="md" onClick={more.load} loading={more.loading}>
            Load more
          </Button>
        </Center>
      )}
    </>
  );
}
