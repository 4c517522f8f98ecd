import { type QueryClient, useQuery } from "@tanstack/react-query";
import { call } from "../../api.ts";
import { useSession } from "../../session.ts";
import { useMayCall } from "../../portal/use-may-call.ts";
import { showTotal } from "../../lists/show-total.ts";
import type { Lead } from "../../../contract/lead-list.ts";

export const viewsKey = ["admin/leads/views"];
export const leadKey = (id: string | null) => ["admin/leads/lead", id];

export function useLead(id: string | null) {
  return useQuery({
    queryKey: leadKey(id),
    queryFn: ({ signal }) => call("admin/leads/lead", { id: id ?? "" }, signal),
    enabled: id !== null,
    // A refetch must not change what is being typed.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Fetches a lead afresh, past the cache. */
export const fetchLeadNow = (queries: QueryClient, id: string) =>
  queries.fetchQuery({ queryKey: leadKey(id), queryFn: () => call("admin/leads/lead", { id }), staleTime: 0 });

/** Refetches everything that shows leads. */
export async function refreshLeads(queries: QueryClient): Promise<void> {
  await Promise.all(
    ["admin/leads", "admin/leads/lead", "admin/leads/funnel", "admin/leads/owners"].map((name) =>
      queries.invalidateQueries({ queryKey: [name] }),
    ),
  );
}

/**
 * The people who can own leads, `me` among them as the signed-in user; `former` left leads behind. `failure` says that
 * they could not be loaded, beside the field that lacks them.
 */
export function useOwners() {
  const { email } = useSession();
  const { data, isLoadingError } = useQuery({
    queryKey: ["admin/leads/owners"],
    queryFn: ({ signal }) => call("admin/leads/owners", {}, signal),
  });
  const owners = data?.owners ?? [];
  const failure = isLoadingError && "People could not be loaded. Please reload.";
  return { owners, former: data?.former ?? [], me: owners.find((owner) => owner.email === email), failure };
}

/** How many open leads somebody owns, also in words; undefined while that is not known, and for null. */
export function useOpenLeads(owner: string | null): { count: number; words: string } | undefined {
  const { data } = useQuery({
    queryKey: ["admin/leads", "open of", owner],
    queryFn: ({ signal }) => call("admin/leads", { owner: owner ?? "", state: "open", limit: 1 }, signal),
    enabled: owner !== null,
  });
  if (!data) return undefined;
  const { total: count } = data;
  return { count, words: count === 1 ? "one open lead" : `${showTotal(data)} open leads` };
}

/** Whether the signed-in user may change a lead: administrators any, child accounts those that they own. */
export function useMayChange(): (lead: Pick<Lead, "owner_id">) => boolean {
  const mayAll = useMayCall()("admin/leads/join");
  const { me } = useOwners();
  return ({ owner_id }) => mayAll || (me !== undefined && owner_id === me.id);
}
