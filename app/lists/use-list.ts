import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { Answer, OperationName, Sent } from "../../contract/operations.ts";
import { recordsOf } from "../../contract/records.ts";
import { call } from "../api.ts";

/** Every operation that answers a page of a list. */
export type ListName = {
  [Name in OperationName]: Answer<Name> extends { nextCursor: string | null } ? Name : never;
}[OperationName];

/** One record of a list. */
export type ListRow<Name extends ListName> = { id: string } & (Answer<Name> extends infer Page
  ? { [Key in keyof Page]: Page[Key] extends readonly (infer Row)[] ? Row : never }[keyof Page]
  : never);

/** What a list can be sorted by, as the contract declares it. */
export type ListSort<Name extends ListName> = Exclude<
  Exclude<Sent<Name> extends { sort?: infer Sort } ? Sort : never, undefined> & string,
  `-${string}`
>;

export interface ListOptions<Name extends ListName> {
  /** Looked for on the server. */
  search?: string | undefined;
  /** A column's name on the wire, with "-" for downwards; without it the newest come first. */
  sort?: ListSort<Name> | `-${ListSort<Name>}` | undefined;
  /** What the operation takes besides the page, such as a customer's e-mail. */
  input?: Partial<Sent<Name>>;
  /** What is shown until it is there: what was there before, unless this says otherwise. */
  placeholderData?: <Data>(
    before: Data | undefined,
    query: { queryKey: readonly unknown[] } | undefined,
  ) => Data | undefined;
  enabled?: boolean;
  /** Milliseconds until it is asked again, by the pages that are there. */
  refetchInterval?: (pages: Answer<Name>[]) => number | false;
}

/** A list call page by page; `rows` are those of all pages fetched so far. Reload it by invalidating `[name]`. */
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
    /** There are more than `total`, until the last page is there. */
    totalIsCapped: list.hasNextPage && pages[0] !== undefined && pageOf(pages[0]).totalIsCapped,
    /** For DataTable: how to get more, when there is more. */
    more: list.hasNextPage && !list.isFetchNextPageError ? next : undefined,
    /** The same after it failed: `MoreFailed` then stands in its place. */
    moreAgain: list.isFetchNextPageError ? next : undefined,
  };
}

/** What is said about search and order in the call; nothing where nothing was chosen. */
export function askedFor({ search, sort }: { search?: string | undefined; sort?: string | undefined }) {
  return { ...(search && { search }), ...(sort && { sort }) };
}

interface ListedPage {
  nextCursor: string | null;
  total: number;
  totalIsCapped: boolean;
}

/** What every list answers beside its array. */
export function pageOf(page: object): ListedPage {
  return page as ListedPage;
}
