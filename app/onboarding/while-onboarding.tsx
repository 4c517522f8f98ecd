import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { call } from "../api.ts";

/** Remembers on this device that an onboarding was open, so that its menu entry is there from the start. */
export const onboardingOpenKey = "onboardingOpen";

/** Content shown only while the organisation's onboarding is open. */
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
