import type { FunnelRow } from "../../contract/lead-inbox.ts";
import { leadSources, type LeadSource, leadStages } from "../../contract/lead-states.ts";
import type { Scope } from "../access/scope.ts";
import { lastMonths } from "../reports/months.ts";
import type { Services } from "../services.ts";

const stages = leadStages.map((stage, index) => `count(*) filter (where furthest >= ${index})::int as "${stage}"`);

/** What became of the leads that came in each of the last twelve months, by where they came from; newest month first. */
export async function readFunnel(services: Services, _scope: Scope<"any">): Promise<{ rows: FunnelRow[] }> {
  const [first] = lastMonths(services.now());
  const { rows } = await services.database.$client.query<FunnelRow & { new: number; source: LeadSource }>({
    text: `select month_in_india(created_at) as month, source, ${stages.join(", ")},
      count(*) filter (where state = 'lost')::int as lost, count(*) filter (where state = 'junk')::int as junk
    from leads where joined_to is null and created_at >= $1 group by 1, 2`,
    values: [first?.start],
  });
  const order = Object.keys(leadSources);
  return {
    rows: rows
      .map(({ new: came, ...row }) => ({ ...row, came }))
      .toSorted(
        (one, other) => other.month.localeCompare(one.month) || order.indexOf(one.source) - order.indexOf(other.source),
      ),
  };
}
