import { and, eq, gte, ne, type SQL, sql } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { type Incident as Shown, incidentList, type IncidentQuery } from "../../contract/incidents.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import { reachCustomer } from "../access/reach.ts";
import { organisationOf, partnerOf, type Scope } from "../access/scope.ts";
import type { Database } from "../database/database.ts";
import { type Condition, listFrom, ofPartner, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { incidents } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { countOpenIncidents, rankEnded } from "./open-incidents.ts";

export const allIncidents = listFrom(incidentList, {
  table: incidents,
  fields: {
    id: incidents.id,
    serial: incidents.serial,
    title: incidents.title,
    severity: incidents.severity,
    state: incidents.state,
    waitsFor: incidents.waitsFor,
    source: incidents.source,
    organizationName: incidents.organisationName,
    owner: sql<string | null>`owner.first_name || ' ' || owner.last_name`,
    openedAt: incidents.openedAt,
    changedAt: incidents.changedAt,
    nextClock: incidents.nextClock,
    nextDueAt: incidents.nextDueAt,
    broken: incidents.broken,
    asks: incidents.asks,
  },
  joins: sql`left join people as owner on owner.id = incidents.owner_id`,
  id: incidents.id,
  searched: incidents.searched,
  sorts: {
    opened_at: incidents.openedAt,
    changed_at: incidents.changedAt,
    organization_name: sql`lower(${incidents.organisationName})`,
    worst: incidents.rank,
  },
});
export type ListedIncident = RowOf<(typeof allIncidents)["fields"]>;

export const incidentsOfOrganisation = { ...allIncidents, where: sql`${incidents.organisationId} = $1` };
export const incidentsOfPartner = { ...allIncidents, ...ofPartner(incidents) };

/** The organisation's own incidents, worst first unless sorted otherwise. */
export async function listIncidents(services: Services, scope: Scope<"organisation">, query: IncidentQuery) {
  const own = organisationOf(scope);
  return answer(services, incidentsOfOrganisation, own, query, oneCustomer(own));
}

/** The incidents of a partner's customers, or of the one customer with this e-mail. */
export async function listIncidentsOfPartner(
  services: Services,
  scope: Scope<"customers">,
  { email, ...query }: IncidentQuery & { email?: string | undefined },
) {
  const partner = partnerOf(scope);
  if (email === undefined)
    return answer(services, incidentsOfPartner, partner, query, { whose: sql`${incidents.partnerId} = ${partner}` });
  const customer = organisationOf(await reachCustomer(services.database, scope, email));
  return answer(services, incidentsOfOrganisation, customer, query, oneCustomer(customer));
}

/** All incidents, or those of the customer with this e-mail. */
export async function listAllIncidents(
  services: Services,
  scope: Scope<"any">,
  { email, ...query }: IncidentQuery & { email?: string | undefined },
) {
  if (email === undefined) return answer(services, allIncidents, null, query, { whose: sql`true` });
  const customer = organisationOf(await reachCustomer(services.database, scope, email));
  return answer(services, incidentsOfOrganisation, customer, query, oneCustomer(customer));
}

const narrowedBy = ({ show, severity }: IncidentQuery): Condition[] => [
  ...(show
    ? [
        {
          column: incidents.rank,
          compared: show === "open" ? ("<" as const) : (">=" as const),
          value: String(rankEnded),
        },
      ]
    : []),
  ...(severity ? [{ column: incidents.severity, compared: "=" as const, value: severity }] : []),
];

interface Whose {
  whose: SQL;
  ofCustomer?: string;
}

const oneCustomer = (id: string): Whose => ({ whose: sql`${incidents.organisationId} = ${id}`, ofCustomer: id });

async function answer(
  services: Services,
  list: typeof allIncidents,
  owner: string | null,
  query: IncidentQuery,
  whose: Whose,
) {
  const worstFirst: IncidentQuery = { ...query, sort: query.sort ?? "worst" };
  const { rows, ...rest } = await listPage(services.database, list, owner, worstFirst, narrowedBy(query));
  return { incidents: rows.map(presentIncident), counts: await countIncidents(services, whose), ...rest };
}

/** The figures on the cards above a list. */
async function countIncidents({ database, now }: Services, { whose, ofCustomer }: Whose) {
  const { bySeverity, ...sums } = await countOpenIncidents(database, whose);
  return {
    ...sums,
    by_severity: bySeverity,
    closed_last_30_days: ofCustomer ? await countEnded(database, ofCustomer, earlier(now(), { days: 30 })) : null,
  };
}

/** Merged incidents are left out: they go on in another one. */
async function countEnded(database: Database, organisationId: string, since: Date) {
  const ended = gte(sql`coalesce(${incidents.resolvedAt}, ${incidents.closedAt})`, since.toISOString());
  return database.$count(
    incidents,
    and(
      eq(incidents.organisationId, organisationId),
      ended,
      gte(incidents.rank, rankEnded),
      ne(incidents.state, "merged"),
    ),
  );
}

export const presentIncident = (row: ListedIncident): Shown => ({
  id: row.id,
  number: incidentNumber(row.serial),
  title: row.title,
  severity: row.severity,
  state: row.state,
  waits_for: row.waitsFor,
  source: row.source,
  organization_name: row.organizationName,
  owner: row.owner,
  opened_at: row.openedAt.toISOString(),
  changed_at: row.changedAt.toISOString(),
  next_clock: row.nextClock,
  next_due_at: row.nextDueAt?.toISOString() ?? null,
  broken: row.broken,
  asks: row.asks,
});
