import type { Overview } from "../../contract/reports.ts";

export type Month = Overview["months"][number];

/** The share of a month's leads that are paid by now, in per cent; null in a month without leads. */
export function conversionOf({ leads, converted }: Pick<Month, "leads" | "converted">): number | null {
  return leads === 0 ? null : (100 * converted) / leads;
}
