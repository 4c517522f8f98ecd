import type { FunnelRow } from "../../contract/lead-inbox.ts";
import { leadSources, type LeadSource, leadStages } from "../../contract/lead-states.ts";
import type { Scope } from "../access/scope.ts";
import type { Database } from "../database/database.ts";
import { foldRows } from "../database/fold-rows.ts";
import { lastMonths } from "../reports/months.ts";
import type { Services } from "../services.ts";

// The stage "new" is called "came", as NEW means something in SQL.
const [, ...furtherStages] = leadStages;
const names = ["came", ...furtherStages, "lost", "junk"] as const;

/** What became of the leads of each of the last twelve months, by source; newest month first. */
export async function readFunnel(services: Services, _scope: Scope<"any">): Promise<{ rows: FunnelRow[] }> {
  const [first] = lastMonths(services.now());
  const { rows } = await services.database.$client.query<FunnelRow & { source: LeadSource }>({
    text: `select month, source, ${names.map((name) => `sum(${name})::int as ${name}`).join(", ")}
      from lead_figures where month >= $1 group by month, source having sum(came) > 0`,
    values: [first?.name],
  });
  const order = Object.keys(leadSources);
  return {
    rows: rows.toSorted(
      (one, other) => other.month.localeCompare(one.month) || order.indexOf(one.source) - order.indexOf(other.source),
    ),
  };
}

/** Folds the changes of each month and source into one row. */
export const foldLeadFigures = (database: Database): Promise<void> =>
  foldRows(database, "lead_figures", ["month", "source"], names);
