import type { QueryClient } from "@tanstack/react-query";
import type { Side } from "../../contract/coverage-words.ts";

/** The operations by which each reader reads coverage. */
export const readsBy = {
  user: { coverage: "user/coverage", days: "user/coverage/days", devices: "user/coverage/devices" },
  partner: { coverage: "partner/coverage", days: "partner/coverage/days", devices: "partner/coverage/devices" },
  admin: { coverage: "admin/coverage", days: "admin/coverage/days", devices: "admin/coverage/devices" },
} as const;
export type CoverageReader = keyof typeof readsBy;

/** Whose coverage is read: the user's own, or that of the customer with this e-mail. */
export interface CoverageOf {
  reader: CoverageReader;
  /** Null for the user's own. */
  email: string | null;
}

/** The input that names the customer; the operations for one's own coverage take no e-mail. */
export const inputOf = ({ email }: CoverageOf) => (email === null ? {} : { email }) as { email: string };

/** The screen on which a partner or administrator sees a customer's coverage. */
export const coveragePath = (area: "partner" | "admin", email: string) =>
  `/${area}/coverage/${encodeURIComponent(email).replace("%40", "@")}`;

/** Who has to act, in the words for each reader. */
export const moveOf: Record<CoverageReader, Record<Side, string>> = {
  user: { customer: "Your move", service: "Our move" },
  partner: { customer: "Customer’s move", service: "The service’s move" },
  admin: { customer: "Customer’s move", service: "Our move" },
};

/** The query keys that depend on how devices are classified. */
export const shownOfCoverage = [
  ...Object.values(readsBy).flatMap((names) => [names.coverage, names.devices]),
  "admin/coverage/customers",
  "admin/coverage/rules",
].map((name) => [name]);

/** Refetches everything that depends on how devices are classified. */
export async function refreshCoverage(queries: QueryClient): Promise<void> {
  await Promise.all(shownOfCoverage.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
