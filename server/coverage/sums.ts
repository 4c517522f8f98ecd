import { earlier } from "../../contract/durations.ts";
import type { ServiceTotals } from "../../contract/service-view.ts";
import type { Database } from "../database/database.ts";
import { foldRows } from "../database/fold-rows.ts";
import { overdue } from "./coverage-of.ts";

const names = [
  "customers",
  "unknown_customers",
  "contracted",
  "connected",
  "silent",
  "never_connected",
  "missing",
  "unknown",
] as const;

export type CoverageSums = Omit<ServiceTotals, "bySeverity" | "broken">;

/**
 * The sums of the counts of a partner's customers, or of all customers for null. The sums are kept ready; only the few
 * counts that are too old are read, and their state counts as not known.
 */
export async function readCoverageSums(database: Database, partnerId: string | null, now: Date): Promise<CoverageSums> {
  const whose = partnerId === null ? "is null" : "= $2";
  const { rows } = await database.$client.query<CoverageSums>({
    text: `select kept.customers::int, (kept.unknown_customers + stale.customers)::int as "unknownCustomers",
        kept.contracted::int, (kept.connected - stale.connected)::int as connected,
        (kept.silent - stale.silent)::int as silent, (kept.never_connected - stale.never_connected)::int as "neverConnected",
        kept.missing::int, (kept.unknown + stale.unknown)::int as unknown
      from (
        select ${names.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join(", ")}
          from coverage_sums where partner_id ${whose}
      ) as kept, (
        select count(*) filter (where unknown_since is null) as customers, coalesce(sum(connected), 0) as connected,
            coalesce(sum(silent), 0) as silent, coalesce(sum(never_connected), 0) as never_connected,
            coalesce(sum(contracted - missing - unknown), 0) as unknown
          from coverage_figures where next_count_at < $1 ${partnerId === null ? "" : "and partner_id = $2"}
      ) as stale`,
    values: [earlier(now, overdue), ...(partnerId === null ? [] : [partnerId])],
  });
  const [sums] = rows;
  if (!sums) throw new Error("Sums were not answered");
  return sums;
}

/** Folds the changes of each partner's sums, and of the total, into one row. */
export const foldCoverageSums = (database: Database): Promise<void> =>
  foldRows(database, "coverage_sums", ["partner_id"], names);
