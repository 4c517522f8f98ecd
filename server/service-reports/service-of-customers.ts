import { sql, type SQL } from "drizzle-orm";
import { customerServiceList, type CustomerServiceQuery, type ServiceTotals } from "../../contract/service-view.ts";
import { partnerOf, type Scope } from "../access/scope.ts";
import { countedCustomers, ofPartnersCustomers, presentCounted } from "../coverage/list-customers.ts";
import { readCoverageSums } from "../coverage/sums.ts";
import { listFrom } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { countOpenIncidents, incidentIsOpen } from "../incidents/open-incidents.ts";
import type { Services } from "../services.ts";

/** Counts the open incidents of the listed customer that match. */
const openIncidents = (which: SQL) =>
  sql<number>`(select count(*)::int from incidents
    where incidents.organisation_id = coverage_figures.organisation_id and ${incidentIsOpen} and ${which})`;

const everybody = listFrom(customerServiceList, {
  ...countedCustomers,
  fields: {
    ...countedCustomers.fields,
    openIncidents: openIncidents(sql`true`),
    openP1: openIncidents(sql`severity in ('P1', 'unknown')`),
    broken: openIncidents(sql`broken > 0`),
  },
});
const customersOfPartner = { ...everybody, ...ofPartnersCustomers };

export const readServiceOfPartner = (services: Services, scope: Scope<"customers">, query: CustomerServiceQuery) =>
  readService(services, customersOfPartner, partnerOf(scope), query);

export const readServiceOfAll = (services: Services, _scope: Scope<"any">, query: CustomerServiceQuery) =>
  readService(services, everybody, null, query);

async function readService(
  services: Services,
  list: typeof everybody,
  partnerId: string | null,
  query: CustomerServiceQuery,
) {
  const worstFirst = { ...query, sort: query.sort ?? ("watched" as const) };
  const [{ rows, ...page }, totals] = await Promise.all([
    listPage(services.database, list, partnerId, worstFirst),
    readTotals(services, partnerId),
  ]);
  return { totals, customers: rows.map((row) => presentCounted(row, services.now())), ...page };
}

async function readTotals({ database, now }: Services, partnerId: string | null): Promise<ServiceTotals> {
  const whose = partnerId === null ? sql`true` : sql`partner_id = ${partnerId}::uuid`;
  const [sums, { bySeverity, broken }] = await Promise.all([
    readCoverageSums(database, partnerId, now()),
    countOpenIncidents(database, whose),
  ]);
  return { ...sums, bySeverity, broken };
}
