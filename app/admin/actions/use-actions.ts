import { type QueryClient, useQuery } from "@tanstack/react-query";
import { call } from "../../api.ts";

export const useAction = (id: string) =>
  useQuery({
    queryKey: ["admin/actions/item", id],
    queryFn: ({ signal }) => call("admin/actions/item", { id }, signal),
    // It may sort itself out, or be taken by somebody else, while it is looked at.
    refetchInterval: 15_000,
  });

/** Everything that is shown of the queues is asked for again. */
export async function refreshActions(queries: QueryClient): Promise<void> {
  const shown = ["admin/actions", "admin/actions/queues", "admin/actions/item", "admin/overview"];
  await Promise.all(shown.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}
