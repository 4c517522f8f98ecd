import { useQuery } from "@tanstack/react-query";
import { limits } from "../../contract/limits.ts";
import type { Area } from "../../contract/roles.ts";
import { call } from "../api.ts";
import { useSession } from "../session.ts";

/** The page with all notices of an area. */
export const noticesPath = (area: Area) => `/${area}/notices`;

/** The query key to invalidate when a notice or banner is read, marked or closed. */
export const newsKey = ["notices/news"] as const;

/** The data of the bell and the banners; refetched at intervals while the page is in view. */
export function useNews() {
  const { email } = useSession();
  return useQuery({
    queryKey: [...newsKey, email],
    queryFn: ({ signal }) => call("notices/news", {}, signal),
    refetchInterval: 1000 * limits.noticePollSeconds,
  });
}
