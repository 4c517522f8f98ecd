import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { Answer, OperationName, Sent } from "../../contract/operations.ts";
import { recordsOf } from "../../contract/records.ts";
import { call } from "../api.ts";

/** All operations that return a page of a list. */
export type ListName = {
  [Name in OperationName]: Answer<Name> extends { nextCursor: string | null } ? Name : never;
}[OperationName];

export type ListRow<Name extends ListName> = { id: string } & (Answer<Name> extends infer Page
  ? { [Key in keyof Page]: Page[Key] extends readonly (infer Row)[] ? Row : never }[keyof Page]
  : never);

/** The columns that a list can be sorted by, from the contract. */
export type ListSort<Name extends ListName> = Exclude<
  Exclude<Sent<Name> extends { sort?: infer Sort } ? Sort : never, undefined> & string,
  `-${string}`
>;

export interface ListOptions<Name extends ListName> {
  /** Searched for on the server. */
  search?: string | undefined;
  /** A column's API name, with "-" for descending; by default the server's own order. */
  sort?: ListSort<Name> | `-${ListSort<Name>}` | undefined;
  /** Input besides paging, such as a customer's e-mail. */
  input?: Partial<Sent<Name>>;
  /** The data shown while loading; by default the previous data. */
  placeholderData?: <Data>(
    before: Data | undefined,
    query: { queryKey: readonly unknown[] } | undefined,
  ) => Data | undefined;
  enabled?: boolean;
  /** Milliseconds until the next refetch, depending on the pages loaded. */
  refetchInterval?: (pages: Answer<Name>[]) => number | false;
}

/** A list fetched page by page; `rows` are those of all pages so far. Invalidate `[name]` to reload it. */
export function useList<Name extends ListName>(name: Name, options: ListOptions<Name> = {}) {
  const { input, placeholderData = keepPreviousData, enabled = true, refetchInterval } = options;
  const asked = askedFor(options);
  const list = useInfiniteQuery({
    queryKey: [name, input ?? {}, asked],
    queryFn: ({ pageParam, signal }) =>
      call(name, { ...input, ...asked, ...(pageParam && { cursor: pageParam }) } as Sent<Name>, signal),
    initialPageParam: "",
    getNextPageParam: (page: Answer<Name>) => pageOf(page).nextCursor,
    placeholderData,
    enabled,
    refetchInterval: ({ state }) => refetchInterval?.(state.data?.pages ?? []) ?? false,
  });
  const pages = list.data?.pages ?? [];
  const next = { load: () => void list.fetchNextPage(), loading: list.isFetchingNextPage };
  return {
    ...list,
    rows: pages.flatMap((page) => recordsOf(page) as ListRow<Name>[]),
    total: pages[0] ? pageOf(pages[0]).total : 0,
    /** There are more than `total`; false once the last page is loaded. */
    totalIsCapped: list.hasNextPage && pages[0] !== undefined && pageOf(pages[0]).totalIsCapped,
    /** For DataTable: loads the next page, if there is one. */
    more: list.hasNextPage && !list.isFetchNextPageError ? next : undefined,
    /** The same after a failure, when `MoreFailed` takes its place. */
    moreAgain: list.isFetchNextPageError ? next : undefined,
  };
}

/** The call's search and order; absent if not chosen. */
export function askedFor({ search, sort }: { search?: string | undefined; sort?: string | undefined }) {
  return { ...(search && { search }), ...(sort && { sort }) };
}

interface ListedPage {
  nextCursor: string | null;
  total: number;
  totalIsCapped: boolean;
}

/** The paging fields of every list's answer. */
export function pageOf(page: object): ListedPage {
  return page as ListedPage;
}
