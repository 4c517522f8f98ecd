import type { QueryClient } from "@tanstack/react-query";
import type { Side } from "../../contract/coverage-words.ts";

/** Who looks at coverage, and by which operations. */
export const readsBy = {
  user: { coverage: "user/coverage", days: "user/coverage/days", devices: "user/coverage/devices" },
  partner: { coverage: "partner/coverage", days: "partner/coverage/days", devices: "partner/coverage/devices" },
  admin: { coverage: "admin/coverage", days: "admin/coverage/days", devices: "admin/coverage/devices" },
} as const;
export type CoverageReader = keyof typeof readsBy;

/** Whose coverage is read: one's own, or that of the customer with this e-mail. */
export interface CoverageOf {
  reader: CoverageReader;
  /** Null for one's own. */
  email: string | null;
}

/** What says whose coverage is asked for. The operations that take no e-mail get none. */
export const inputOf = ({ email }: CoverageOf) => (email === null ? {} : { email }) as { email: string };

/** Where a customer's coverage is shown to a partner or to us. */
export const coveragePath = (area: "partner" | "admin", email: string) =>
  `/${area}/coverage/${encodeURIComponent(email).replace("%40", "@")}`;

/** Whose move it is, as the reader is told. */
export const moveOf: Record<CoverageReader, Record<Side, string>> = {
  user: { customer: "Your move", service: "Our move" },
  partner: { customer: "Customer’s move", service: "The service’s move" },
  admin: { customer: "Customer’s move", service: "Our move" },
};

/** The keys of what follows from what devices are. */
export const shownOfCoverage = [
  ...Object.values(readsBy).flatMap((names) => [names.coverage, names.devices]),
  "admin/coverage/customers",
  "admin/coverage/rules",
].map((name) => [name]);

/** Has everything asked for anew that follows from what devices are. */
export async function refreshCoverage(queries: QueryClient): Promise<void> {
  await Promise.all(shownOfCoverage.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
