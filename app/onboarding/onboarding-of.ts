import { queryOptions } from "@tanstack/react-query";
import type { Onboarding } from "../../contract/onboarding.ts";
import { call } from "../api.ts";

/** Whose onboarding, and who reads it: the organisation itself, or a customer's partner or administrator. */
export type OnboardingOf = { reader: "user" } | { reader: "partner" | "admin"; email: string };

export const onboardingQuery = (of: OnboardingOf) =>
  queryOptions({
    queryKey: of.reader === "user" ? ["user/onboarding"] : [`${of.reader}/onboarding`, { email: of.email }],
    queryFn: ({ signal }) => fetchOnboarding(of, signal),
  });

function fetchOnboarding(of: OnboardingOf, signal: AbortSignal): Promise<Onboarding> {
  if (of.reader === "user") return call("user/onboarding", {}, signal);
  return call(`${of.reader}/onboarding`, { email: of.email }, signal);
}
