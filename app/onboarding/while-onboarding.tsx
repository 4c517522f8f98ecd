import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { call } from "../api.ts";

/** That an onboarding was under way when it was last asked about on this device: its entry is there from the start then. */
export const onboardingOpenKey = "onboardingOpen";

/** What is of use only while the organisation's onboarding is under way. */
export function WhileOnboarding({ children }: { children: ReactNode }) {
  const { data } = useQuery({
    queryKey: ["user/onboarding", "state"],
    queryFn: ({ signal }) => call("user/onboarding/state", {}, signal),
    staleTime: 60_000,
  });
  useEffect(() => {
    if (data?.state === "open") localStorage.setItem(onboardingOpenKey, "true");
    else if (data) localStorage.removeItem(onboardingOpenKey);
  }, [data]);
  const isOpen = data ? data.state === "open" : localStorage.getItem(onboardingOpenKey) !== null;
  return isOpen ? children : null;
}
