import { type SQL, sql } from "drizzle-orm";
import { incidentSeverities, type IncidentSeverity } from "../../contract/incident-states.ts";
import type { Database, Transaction } from "../database/database.ts";

/** Ranks of incidents that have ended begin here; `settleIncident` writes them. */
export const rankEnded = 100;
/** Which rows of `incidents` are open. */
export const incidentIsOpen = sql.raw(`rank < ${rankEnded}`);

/** How many incidents are open, by severity, and what they broke and ask. `whose` is a condition on `incidents`. */
export async function countOpenIncidents(database: Database | Transaction, whose: SQL) {
  const { rows } = await database.execute<{
    severity: IncidentSeverity;
    open: number;
    broken: number;
    asks: number;
  }>(sql`
    select severity, count(*)::integer as open, (count(*) filter (where broken > 0))::integer as broken,
        coalesce(sum(asks), 0)::integer as asks
      from incidents where ${incidentIsOpen} and ${whose} group by severity`);
  const sum = (field: "open" | "broken" | "asks") => rows.reduce((total, row) => total + row[field], 0);
  return {
    open: sum("open"),
    broken: sum("broken"),
    asks: sum("asks"),
    bySeverity: incidentSeverities.map((severity) => ({
      severity,
      open: rows.find((row) => row.severity === severity)?.open ?? 0,
    })),
  };
}
