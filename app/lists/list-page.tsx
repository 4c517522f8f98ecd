import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { PageTitle } from "../components/page-title.tsx";
import { ListCount } from "./list-count.tsx";
import { ListExport } from "./list-export.tsx";
import type { TableProps } from "./data-table.tsx";
import { ListBody, type ListTexts } from "./list-body.tsx";
import { SearchBox } from "./search-box.tsx";
import { useAskedByAddress } from "./use-asked-by-address.ts";
import { type ListName, type ListOptions, type ListRow, type ListSort, useList } from "./use-list.ts";

type ListPageProps<Name extends ListName> = Pick<ListOptions<Name>, "input" | "refetchInterval"> &
  TableProps<ListRow<Name>, ListSort<Name>> &
  ListTexts & {
    name: Name;
    title: string;
    hint?: string;
    /** The exported file's name, without its extension. */
    fileName: string;
    searchLabel: string;
    /** The order until the user chooses one; by default the server's own order. */
    firstOrder?: ListOptions<Name>["sort"];
    /** The column that the server sorts by on its own, if that is not newest first. */
    ownOrder?: ListSort<Name>;
    /** The totals of the whole list; printed too. */
    sums?: ReactNode;
    /** Filters beside the search. */
    filters?: ReactNode;
    /** Whether the list can also be saved as JSON lines. */
    jsonLines?: boolean;
    /** Actions beside the list, such as adding to it. */
    children?: ReactNode;
  };

/** A screen that is one list: searched, sorted, paged and exported by the server; its address has search and order. */
export function ListPage<Name extends ListName>({
  name,
  input,
  refetchInterval,
  title,
  hint,
  fileName,
  searchLabel,
  emptyHint,
  firstOrder,
  ownOrder,
  sums,
  filters,
  jsonLines = false,
  children,
  ...table
}: ListPageProps<Name>) {
  const { links, search, setSearch, sort, setSort } = useAskedByAddress(table.columns, ownOrder ?? firstOrder);
  const asked = { search, sort, ...(input && { input }) };
  const formats = jsonLines ? (["csv", "jsonl"] as const) : (["csv"] as const);
  const list = useList(name, {
    ...asked,
    // While loading, rows of another search may stay, but not those of another filter.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey[1]) === JSON.stringify(input ?? {}) ? before : undefined,
    ...(refetchInterval && { refetchInterval }),
  });
  return (
    <>
      <PageTitle title={title} {...(hint && { hint })}>
        {children}
      </PageTitle>
      {sums}
      {filters && <div className="chosen-on-paper">{filters}</div>}
      <Group justify="space-between" mb="md" gap="sm" className="chosen-on-paper">
        <SearchBox key={links} label={searchLabel} initial={search} onSearch={setSearch} />
        <Group gap="sm">
          <ListCount list={list} />
          {list.rows.length > 0 &&
            formats.map((format) => (
              <ListExport
                key={format}
                name={name}
                format={format}
                columns={table.columns}
                fileName={fileName}
                counted={list}
                {...asked}
              />
            ))}
        </Group>
      </Group>
      <ListBody
        caption={title}
        list={list}
        sorting={{ order: sort, own: ownOrder, onChange: setSort }}
        emptyHint={search ? `Try other words${filters ? ", or another choice above" : ""}.` : emptyHint}
        {...table}
        columns={table.columns.filter(({ fileOnly }) => !fileOnly)}
      />
    </>
  );
}
