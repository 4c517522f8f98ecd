import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { limits } from "../../contract/limits.ts";
import type { OperationName } from "../../contract/operations.ts";
import type { Found } from "../../contract/palette.ts";
import { type Area, areaOf } from "../../contract/roles.ts";
import { call } from "../api.ts";
import { useSession } from "../session.ts";

const finders = { user: "user/find", partner: "partner/find", admin: "admin/find" } as const satisfies Record<
  Area,
  OperationName
>;

/**
 * The server's results for the search, fetched when typing pauses; an outdated request is cancelled. `isCurrent` says
 * that the results match what is typed now.
 */
export function useFind(typed: string) {
  const { role, email } = useSession();
  const words = typed.trim();
  const [asked] = useDebouncedValue(words, limits.paletteDebounceMs);
  const name = finders[areaOf(role ?? "user")];
  const query = useQuery({
    queryKey: [name, email, asked],
    queryFn: async ({ signal }): Promise<Found[]> => (await call(name, { words: asked }, signal)).found,
    enabled: asked !== "" && words !== "",
    placeholderData: keepPreviousData,
  });
  const isCurrent = words === "" || (asked === words && !query.isPlaceholderData && !query.isPending);
  return {
    found: words === "" ? [] : (query.data ?? []),
    isCurrent: isCurrent || query.isError,
    isError: words !== "" && query.isError,
    retry: () => void query.refetch(),
  };
}
