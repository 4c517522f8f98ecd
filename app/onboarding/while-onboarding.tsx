import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call } from "../api.ts";

/** What is of use only while the organisation's onboarding is under way. */
export function WhileOnboarding({ children }: { children: ReactNode }) {
  const { data } = useQuery({
    queryKey: ["user/onboarding", "state"],
    queryFn: ({ signal }) => call("user/onboarding/state", {}, signal),
    staleTime: 60_000,
  });
  return data?.state === "open" ? children : null;
}
