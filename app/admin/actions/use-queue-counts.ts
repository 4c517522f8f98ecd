import { useQuery } from "@tanstack/react-query";
import { call } from "../../api.ts";

const countedAgainMs = 60_000;

/** How much is open in each queue. The menu asks it on every screen: what else the queues need stays out of this file. */
export function useQueueCounts() {
  return useQuery({
    queryKey: ["admin/actions/queues"],
    queryFn: ({ signal }) => call("admin/actions/queues", {}, signal),
    refetchInterval: countedAgainMs,
  });
}
