import { limits } from "../../contract/limits.ts";

/** Where an endless list begins, by `?from=` of the address: for readers without script, who can't scroll on. */
export function firstNode(params: URLSearchParams): number {
  const from = Math.trunc(Number(params.get("from")));
  return from > 0 ? Math.min(from, limits.startingNodeMax) : 0;
}
