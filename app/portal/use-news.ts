import { useQuery } from "@tanstack/react-query";
import { limits } from "../../contract/limits.ts";
import type { Area } from "../../contract/roles.ts";
import { call } from "../api.ts";
import { useSession } from "../session.ts";

/** The page with all notices, in each area. */
export const noticesPath = (area: Area) => `/${area}/notices`;

/** What is invalidated when somebody reads, marks or closes something. */
export const newsKey = ["notices/news"] as const;

/** What the bell and the banners show; asked again every minute while the page is looked at. */
export function useNews() {
  const { email } = useSession();
  return useQuery({
    queryKey: [...newsKey, email],
    queryFn: ({ signal }) => call("notices/news", {}, signal),
    refetchInterval: 1000 * limits.noticePollSeconds,
  });
}
