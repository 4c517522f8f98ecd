import { sql } from "drizzle-orm";
import { customerCoverageList, type CustomerCoverageQuery } from "../../contract/coverage.ts";
import { emailReaching } from "../access/reach.ts";
import { partnerOf, type Scope } from "../access/scope.ts";
import { listFrom, ofPartner, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { coverageFigures } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { isOverdue } from "./coverage-of.ts";
import { nothingContracted } from "./recount.ts";

/** What lists of customers read from the last count; each list adds its own fields. */
export const countedCustomers = {
  table: coverageFigures,
  fields: {
    id: coverageFigures.id,
    organizationName: coverageFigures.organisationName,
    email: emailReaching(coverageFigures.organisationId),
    countedAt: coverageFigures.countedAt,
    nextCountAt: coverageFigures.nextCountAt,
    share: coverageFigures.share,
    contracted: coverageFigures.contracted,
    connected: coverageFigures.connected,
    silent: coverageFigures.silent,
    neverConnected: coverageFigures.neverConnected,
    unknown: coverageFigures.unknown,
    missing: coverageFigures.missing,
    unknownSince: coverageFigures.unknownSince,
  },
  id: coverageFigures.id,
  searched: coverageFigures.searched,
  sorts: { organization_name: sql<string>`lower(${coverageFigures.organisationName})`, watched: coverageFigures.share },
};
export const ofPartnersCustomers = ofPartner(coverageFigures);

/** A row of `countedCustomers` with any added fields, for the API. The state is not known if the count is too old. */
export function presentCounted<Row extends RowOf<(typeof countedCustomers)["fields"]>>(row: Row, now: Date) {
  const { organizationName, email, countedAt, nextCountAt: _next, share, unknownSince, ...counts } = row;
  const isStale = isOverdue(row, now);
  return {
    ...counts,
    ...(isStale && { connected: 0, silent: 0, neverConnected: 0, unknown: row.contracted - row.missing }),
    organization_name: organizationName,
    email: email ?? "",
    watched: share === nothingContracted ? null : isStale ? 0 : share / 100,
    unknownSince: (unknownSince ?? (isStale ? countedAt : null))?.toISOString() ?? null,
  };
}

const everybody = listFrom(customerCoverageList, {
  ...countedCustomers,
  fields: {
    ...countedCustomers.fields,
    notContracted: coverageFigures.notContracted,
    unmatched: coverageFigures.unmatched,
  },
});

const customersOfPartner = { ...everybody, ...ofPartnersCustomers };

/** The last counts of a partner's customers, worst first. */
export const listCoverageOfPartner = (services: Services, scope: Scope<"customers">, query: CustomerCoverageQuery) =>
  customersPage(services, customersOfPartner, partnerOf(scope), query);

/** The last counts of every customer, worst first. */
export const listAllCoverage = (services: Services, _scope: Scope<"any">, query: CustomerCoverageQuery) =>
  customersPage(services, everybody, null, query);

async function customersPage(
  services: Services,
  list: typeof everybody,
  owner: string | null,
  query: CustomerCoverageQuery,
) {
  const worstFirst = { ...query, sort: query.sort ?? ("watched" as const) };
  const { rows, ...page } = await listPage(services.database, list, owner, worstFirst);
  const now = services.now();
  const customers = rows.map((row) => ({ ...presentCounted(row, now), asOf: row.countedAt.toISOString() }));
  return { customers, ...page };
}
