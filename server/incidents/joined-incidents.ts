import { eq, type SQL, sql } from "drizzle-orm";
import { openIncidentStates } from "../../contract/incident-states.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import { incidents } from "../database/schema/index.ts";
import type { IncidentRow } from "./find-incident.ts";

/** One of several incidents that merging has joined into one. */
export interface JoinedIncident {
  id: string;
  openedAt: Date;
  /** When it was merged into the surviving incident; null for the survivor itself. */
  joinedAt: Date | null;
}

/** Condition on `incidents`: open, or merged (through any chain) into one that is open. */
export const goesOn: SQL = sql`(${incidents.state} in ${openIncidentStates} or ${incidents.state} = 'merged' and exists (
  with recursive onward as (
    select ${incidents.mergedInto} as id
    union select merged.merged_into from onward join incidents merged on merged.id = onward.id and merged.state = 'merged'
  )
  select from onward join incidents target on target.id = onward.id where target.state in ${openIncidentStates}))`;

/** For each incident the surviving one and all that were merged into it, in one statement. */
export async function readJoined(
  database: Database | Transaction,
  incidentIds: readonly string[],
): Promise<(incidentId: string) => JoinedIncident[]> {
  const { rows } = await database.execute<{
    asked: string;
    id: string;
    opened_at: string;
    joined_at: string | null;
  }>(sql`
    with recursive onward as (
      select id as asked, id, opened_at, merged_into, state = 'merged' and merged_into is not null as is_merged
      from incidents where ${isOneOf(incidents.id, incidentIds)}
      union
      select onward.asked, target.id, target.opened_at, target.merged_into,
        target.state = 'merged' and target.merged_into is not null
      from onward join incidents target on target.id = onward.merged_into where onward.is_merged
    ), joined as (
      select asked, id, opened_at, null::timestamptz as joined_at from onward where not is_merged
      union
      select joined.asked, merged.id, merged.opened_at, greatest(joined.joined_at, merged.closed_at)
      from joined join incidents merged on merged.merged_into = joined.id and merged.state = 'merged'
    )
    select asked, id, opened_at, joined_at from joined`);
  const byAsked = Map.groupBy(rows, ({ asked }) => asked);
  return (incidentId) =>
    (byAsked.get(incidentId) ?? []).map(({ id, opened_at, joined_at }) => ({
      id,
      openedAt: new Date(opened_at),
      joinedAt: joined_at === null ? null : new Date(joined_at),
    }));
}

/** The incident into which this one was merged, through any chain; itself if it was not merged. */
export async function findOnward(database: Database | Transaction, incident: IncidentRow): Promise<IncidentRow> {
  if (incident.state !== "merged") return incident;
  const joined = (await readJoined(database, [incident.id]))(incident.id);
  const onwardId = joined.find(({ joinedAt }) => joinedAt === null)?.id ?? incident.id;
  const [onward] = await database.select().from(incidents).where(eq(incidents.id, onwardId));
  return onward ?? incident;
}
