import { type QueryClient, useQuery } from "@tanstack/react-query";
import { call } from "../../api.ts";

export const useAction = (id: string) =>
  useQuery({
    queryKey: ["admin/actions/item", id],
    queryFn: ({ signal }) => call("admin/actions/item", { id }, signal),
    // The entry may resolve itself, or somebody else may take it, while it is on screen.
    refetchInterval: 15_000,
  });

/** Refetches everything that shows the queues. */
export async function refreshActions(queries: QueryClient): Promise<void> {
  const shown = ["admin/actions", "admin/actions/queues", "admin/actions/item", "admin/overview"];
  await Promise.all(shown.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}
