import { Group, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { messages } from "../../contract/messages.ts";
import { ApiError } from "../api.ts";
import { CsvExport } from "./csv-export.tsx";
import { type Column, DataTable } from "./data-table.tsx";
import { ListEmpty, ListFailed, ListLoading } from "./list-state.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { SearchBox } from "./search-box.tsx";
import type { Unfolded } from "../components/unfold.tsx";
import { type ListName, type ListOptions, type ListRow, useList } from "./use-list.ts";

/** A screen that is one list: searched, sorted and exported by the server's pages. */
export function ListPage<Name extends ListName>({
  name,
  input,
  title,
  hint,
  columns,
  fileName,
  empty,
  emptyHint,
  failure = messages.fetchFailed,
  searchLabel,
  numbered = false,
  wide = false,
  actions,
  actionsLabel,
  unfold,
  children,
}: {
  name: Name;
  input?: ListOptions<Name>["input"];
  title: string;
  hint?: string;
  columns: readonly Column<ListRow<Name>>[];
  /** Of the exported file, without its ending. */
  fileName: string;
  empty: string;
  emptyHint: string;
  failure?: string;
  searchLabel: string;
  numbered?: boolean;
  wide?: boolean;
  actions?: (row: ListRow<Name> & { id: string }) => ReactNode;
  actionsLabel?: string;
  unfold?: (row: ListRow<Name> & { id: string }) => Unfolded | null;
  /** What can be done beside the list, such as adding to it. */
  children?: ReactNode;
}) {
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState<string>();
  const asked = { search, sort, ...(input && { input }) };
  const list = useList(name, asked);
  const rows = list.rows as (ListRow<Name> & { id: string })[];
  return (
    <>
      <PageTitle title={title} {...(hint && { hint })}>
        {children}
      </PageTitle>
      <Group justify="space-between" mb="md" gap="sm">
        <SearchBox label={searchLabel} onSearch={setSearch} />
        {rows.length > 0 && (
          <Group gap="sm">
            <Text fz="sm" c="var(--site-muted)" className="tabular" role="status">
              {rows.length.toLocaleString("en-IN")} of {list.total?.toLocaleString("en-IN")}
            </Text>
            <CsvExport name={name} columns={columns} fileName={fileName} {...asked} />
          </Group>
        )}
      </Group>
      {list.isPending && <ListLoading />}
      {list.isError && <ListFailed message={failureText(list.error, failure)} onRetry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <ListEmpty message={empty}>
          <Text c="var(--site-muted)">{search ? "Try other words." : emptyHint}</Text>
        </ListEmpty>
      )}
      {rows.length > 0 && (
        <DataTable
          caption={title}
          columns={columns}
          rows={rows}
          more={list.more}
          sorting={{ order: sort, onChange: setSort }}
          numbered={numbered}
          wide={wide}
          unfold={unfold}
          {...(actions && { actions })}
          {...(actionsLabel && { actionsLabel })}
        />
      )}
    </>
  );
}

const failureText = (error: Error, failure: string) =>
  error instanceof ApiError && error.status === 403 ? messages.unauthorised : failure;
