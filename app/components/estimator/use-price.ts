import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { limits } from "../../../contract/limits.ts";
import type { Price } from "../../../contract/quotes.ts";
import { call } from "../../api.ts";
import type { Selection } from "./selection.ts";

export interface CurrentPrice {
  /** The last known price; while the next one comes, that of the selection before. */
  price: Price | undefined;
  /** The selection has changed since, or the price was not asked for yet. */
  isStale: boolean;
  /** Why there is none, fit to be shown. */
  failure: string | null;
  isFetching: boolean;
  retry: () => void;
}

/** What the selection costs, asked of the server at the first change and then whenever the changes pause. */
export function usePrice(selection: Selection): CurrentPrice {
  const [settled] = useDebouncedValue(selection, limits.priceDebounceMs, { leading: true });
  const query = useQuery({
    queryKey: ["estimator/price", settled],
    queryFn: ({ signal }) => call("estimator/price", { selectedDevices: [...settled] }, signal),
    enabled: settled.length > 0,
    placeholderData: keepPreviousData,
  });
  return {
    price: selection.length > 0 ? query.data : undefined,
    isStale: settled !== selection || query.isPlaceholderData || query.isPending,
    failure: query.error?.message ?? null,
    isFetching: query.isFetching,
    retry: () => void query.refetch(),
  };
}
