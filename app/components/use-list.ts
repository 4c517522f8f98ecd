import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { Answer, Sent } from "../../contract/operations.ts";
import { call } from "../api.ts";

type ListName = "user/get-estimation" | "user/get-payment-by-email";

/** A list call page by page; `search` is looked for on the server. */
export function useList<Name extends ListName>(
  name: Name,
  search: string,
  refetchInterval?: (pages: Answer<Name>[]) => number | false,
) {
  return useInfiniteQuery({
    queryKey: [name, search],
    queryFn: ({ pageParam, signal }) =>
      call(name, { ...(search && { search }), ...(pageParam && { cursor: pageParam }) } as Sent<Name>, signal),
    initialPageParam: "",
    getNextPageParam: (page: Answer<Name>) => page.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchInterval?.(state.data?.pages ?? []) ?? false,
  });
}
