import { Group, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { PageTitle } from "../components/page-title.tsx";
import { CsvExport } from "./csv-export.tsx";
import type { TableProps } from "./data-table.tsx";
import { ListBody, type ListTexts } from "./list-body.tsx";
import { SearchBox } from "./search-box.tsx";
import { showTotal } from "./show-total.ts";
import { type ListName, type ListOptions, type ListRow, type ListSort, useList } from "./use-list.ts";

/** A screen that is one list: searched, sorted and exported by the server's pages. */
export function ListPage<Name extends ListName>({
  name,
  input,
  refetchInterval,
  title,
  hint,
  fileName,
  searchLabel,
  emptyHint,
  children,
  ...table
}: Pick<ListOptions<Name>, "input" | "refetchInterval"> &
  TableProps<ListRow<Name>, ListSort<Name>> &
  ListTexts & {
    name: Name;
    title: string;
    hint?: string;
    /** Of the exported file, without its ending. */
    fileName: string;
    searchLabel: string;
    /** What can be done beside the list, such as adding to it. */
    children?: ReactNode;
  }) {
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState<ListOptions<Name>["sort"]>();
  const asked = { search, sort, ...(input && { input }) };
  const list = useList(name, { ...asked, ...(refetchInterval && { refetchInterval }) });
  return (
    <>
      <PageTitle title={title} {...(hint && { hint })}>
        {children}
      </PageTitle>
      <Group justify="space-between" mb="md" gap="sm" className="screen-only">
        <SearchBox label={searchLabel} onSearch={setSearch} />
        {list.rows.length > 0 && (
          <Group gap="sm">
            <Text fz="sm" c="var(--site-muted)" className="tabular" role="status">
              {list.rows.length.toLocaleString("en-IN")} of {showTotal(list, list.rows.length)}
            </Text>
            <CsvExport name={name} columns={table.columns} fileName={fileName} {...asked} />
          </Group>
        )}
      </Group>
      <ListBody
        caption={title}
        list={list}
        sorting={{ order: sort, onChange: setSort }}
        emptyHint={search ? "Try other words." : emptyHint}
        {...table}
      />
    </>
  );
}
