import { limits } from "../../contract/limits.ts";

/** The first index of an endless list, from `?from=` in the address: readers without script can't scroll on. */
export function firstNode(params: URLSearchParams): number {
  const from = Math.trunc(Number(params.get("from")));
  return from > 0 ? Math.min(from, limits.startingNodeMax) : 0;
}
