import { type SQL, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import type { Try } from "../../contract/orders.ts";
import type { AttemptState } from "../database/schema/index.ts";

/** A list column with an order's attempts as JSON, computed for the rows of the page only. */
export const triesOfOrder: SQL<TryRow[]> = sql`(select coalesce(json_agg(tries order by tries.id desc), '[]') from (
    select attempts.id, attempts.state, attempts.created_at, ended_at, reason, superseded_at,
      superseded_by = started_by as superseded_by_self,
      starter.first_name || ' ' || starter.last_name as started_by,
      successor.first_name || ' ' || successor.last_name as superseded_by
    from attempts
      left join people as starter on starter.id = started_by
      left join people as successor on successor.id = superseded_by
    where attempts.order_id = orders.id order by attempts.id desc limit ${sql.raw(String(limits.triesShown))}
  ) as tries)`;

/** The JSON that PostgreSQL writes: instants have their offset from UTC. */
export interface TryRow {
  state: AttemptState;
  created_at: string;
  ended_at: string | null;
  reason: string | null;
  started_by: string | null;
  superseded_at: string | null;
  superseded_by: string | null;
  superseded_by_self: boolean | null;
}

export function presentTry(row: TryRow): Try {
  const from = { started_at: utc(row.created_at), started_by: row.started_by };
  if (row.superseded_at && isWithoutMoney(row.state))
    return {
      ...from,
      ended_at: utc(row.superseded_at),
      state: "taken_over",
      reason: row.superseded_by_self
        ? "Started again with other details."
        : `Taken over by ${row.superseded_by ?? "somebody else"}.`,
    };
  return { ...from, ended_at: row.ended_at && utc(row.ended_at), state: row.state, reason: row.reason };
}

/** If the gateway reported money, its state is shown rather than the takeover. */
const isWithoutMoney = (state: TryRow["state"]) => state === "initiated" || state === "expired" || state === "failure";

const utc = (instant: string) => new Date(instant).toISOString();
