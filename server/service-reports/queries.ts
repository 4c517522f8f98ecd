import { sql } from "drizzle-orm";
import { type ServiceReport, serviceReportList, type ServiceReportQuery } from "../../contract/service-reports.ts";
import { reachCustomer } from "../access/reach.ts";
import { organisationOf, partnerOf, type Scope } from "../access/scope.ts";
import { type Condition, listFrom, ofPartner, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { serviceReports } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { boardFigures } from "./close-month.ts";
import { fileFor } from "./deliver-report.ts";

const allReports = listFrom(serviceReportList, {
  table: serviceReports,
  fields: {
    id: serviceReports.id,
    organizationName: serviceReports.organisationName,
    month: sql<string>`${serviceReports.month}::text`,
    closedAt: serviceReports.closedAt,
    data: serviceReports.data,
    certificateHash: serviceReports.certificateHash,
    file: serviceReports.file,
    certificateFile: serviceReports.certificateFile,
    partnerFile: serviceReports.partnerFile,
    partnerIdAtClose: serviceReports.partnerIdAtClose,
  },
  id: serviceReports.id,
  searched: serviceReports.searched,
  sorts: {
    month: serviceReports.month,
    organization_name: sql`lower(${serviceReports.organisationName})`,
  },
});

const reportsOfOrganisation = {
  ...allReports,
  name: "reports-of-organisation",
  where: sql`${serviceReports.organisationId} = $1`,
};
const reportsOfPartner = { ...allReports, ...ofPartner(serviceReports) };

export const listOwnReports = (services: Services, scope: Scope<"organisation">, query: ServiceReportQuery) =>
  page(services, reportsOfOrganisation, organisationOf(scope), query, [], ({ file }) => file);

/** The reports of a partner's customers, or of the customer with this e-mail. */
export const listReportsOfPartner = async (
  services: Services,
  scope: Scope<"customers">,
  { email, ...query }: ServiceReportQuery & { email?: string | undefined },
) => {
  const partnerId = partnerOf(scope);
  const narrowed = await narrowedTo(services, scope, email);
  // For a month in which the customer had no partner, or another one, the report is in our name.
  return page(services, reportsOfPartner, partnerId, query, narrowed, (row) => fileFor(partnerId, row));
};

/** All reports, or those of the customer with this e-mail. */
export const listAllReports = async (
  services: Services,
  scope: Scope<"any">,
  { email, ...query }: ServiceReportQuery & { email?: string | undefined },
) => page(services, allReports, null, query, await narrowedTo(services, scope, email), ({ file }) => file);

async function narrowedTo(
  { database }: Services,
  scope: Scope<"customers" | "any">,
  email: string | undefined,
): Promise<Condition[]> {
  if (email === undefined) return [];
  const customer = await reachCustomer(database, scope, email);
  return [{ column: serviceReports.organisationId, compared: "=", value: organisationOf(customer) }];
}

type Row = RowOf<(typeof allReports)["fields"]>;

async function page(
  services: Services,
  list: typeof allReports,
  owner: string | null,
  query: ServiceReportQuery,
  narrowed: readonly Condition[],
  fileOf: (row: Row) => string | null,
) {
  const { rows, ...rest } = await listPage(services.database, list, owner, query, narrowed);
  return { reports: rows.map((row) => present(row, fileOf(row))), ...rest };
}

function present(row: Row, file: string | null): ServiceReport {
  const figures = boardFigures(row.data);
  return {
    id: row.id,
    organization_name: row.organizationName,
    month: row.month,
    closed_at: row.closedAt.toISOString(),
    watched: figures.watchedPercent,
    incidents: figures.incidents,
    promises_kept: figures.promisesKept,
    promises_broken: figures.promisesBroken,
    open_actions: figures.openActions,
    pdf_url: file,
    certificate_url: row.certificateFile,
    certificate_hash: row.certificateHash,
  };
}
