import { useQuery } from "@tanstack/react-query";
import { call } from "../api.ts";
import { type CoverageOf, inputOf, readsBy } from "./coverage-readers.ts";

const refetchMs = 60_000;

/** What a customer pays for beside what is watched; one query, however many parts of a screen use it. */
export function useCoverage(of: CoverageOf) {
  const name = readsBy[of.reader].coverage;
  return useQuery({
    queryKey: [name, inputOf(of)],
    queryFn: ({ signal }) => call(name, inputOf(of), signal),
    refetchInterval: refetchMs,
  });
}
