import { Box, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { messages } from "../../contract/messages.ts";
import { ApiError } from "../api.ts";
import type { Sorting } from "./column.ts";
import { DataTable, type TableProps } from "./data-table.tsx";
import { ListEmpty, ListFailed, ListLoading } from "./list-state.tsx";
import { MoreFailed } from "./more-failed.tsx";
import type { ListName, ListRow, ListSort, useList } from "./use-list.ts";

export interface ListTexts {
  empty: string;
  /** What the user can do about an empty list. */
  emptyHint?: ReactNode;
  failure?: string;
}

/** A list in any state: loading, failed, empty, or its table. */
export function ListBody<Name extends ListName>({
  caption,
  list,
  empty,
  emptyHint,
  failure,
  loadingRows,
  sorting,
  ...table
}: TableProps<ListRow<Name>, ListSort<Name>> &
  ListTexts & {
    caption: string;
    list: ReturnType<typeof useList<Name>>;
    loadingRows?: number;
    sorting?: Sorting<ListSort<Name>>;
  }) {
  return (
    <ListStates
      list={list}
      empty={
        <ListEmpty message={empty}>
          {typeof emptyHint === "string" ? <Text c="var(--site-muted)">{emptyHint}</Text> : emptyHint}
        </ListEmpty>
      }
      {...(failure && { failure })}
      {...(loadingRows && { loadingRows })}
    >
      <DataTable caption={caption} rows={list.rows} more={list.more} sorting={sorting} {...table} />
    </ListStates>
  );
}

/** The states of a list: loading, failed and empty in place of its rows. */
export function ListStates<Name extends ListName>({
  list,
  empty,
  failure = messages.fetchFailed,
  loadingRows,
  children,
}: {
  list: ReturnType<typeof useList<Name>>;
  empty: ReactNode;
  failure?: string;
  loadingRows?: number;
  children: ReactNode;
}) {
  if (list.isPending) return <ListLoading {...(loadingRows && { rows: loadingRows })} />;
  const retry = () => void list.refetch();
  const text = list.error ? failureText(list.error, failure) : "";
  if (list.isLoadingError) return <ListFailed message={text} onRetry={isInvalid(list.error) ? undefined : retry} />;
  if (list.rows.length === 0) return empty;
  return (
    <>
      {text && !list.moreAgain && (
        <Box mb="md">
          <ListFailed message={`${text} What was loaded before is below.`} onRetry={retry} />
        </Box>
      )}
      {children}
      {list.moreAgain && <MoreFailed more={list.moreAgain} message={`${text} What was loaded before is above.`} />}
    </>
  );
}

const statusOf = (error: Error) => (error instanceof ApiError ? error.status : 0);
/** Such as a search that is too long: the server says what is wrong. */
const isInvalid = (error: Error) => statusOf(error) === 422;

const failureText = (error: Error, failure: string) =>
  isInvalid(error) ? error.message : statusOf(error) === 403 ? messages.unauthorised : failure;
