import { useQuery } from "@tanstack/react-query";
import { call } from "../../api.ts";

const countedAgainMs = 60_000;

/** The number of open entries in each queue. Every screen's menu needs it, so this file loads nothing else of them. */
export function useQueueCounts() {
  return useQuery({
    queryKey: ["admin/actions/queues"],
    queryFn: ({ signal }) => call("admin/actions/queues", {}, signal),
    refetchInterval: countedAgainMs,
  });
}
