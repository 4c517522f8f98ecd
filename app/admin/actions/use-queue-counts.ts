import { useQuery } from "@tanstack/react-query";
import { call } from "../../api.ts";

const countedAgainMs = 60_000;

/**
 * The number of open entries in each queue. The menu needs it on every screen, so the rest of the queues' code stays
 * out of this file.
 */
export function useQueueCounts() {
  return useQuery({
    queryKey: ["admin/actions/queues"],
    queryFn: ({ signal }) => call("admin/actions/queues", {}, signal),
    refetchInterval: countedAgainMs,
  });
}
