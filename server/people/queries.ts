import { sql } from "drizzle-orm";
import { type Child, type ChildQuery, type ListedPerson, personList, type PersonQuery } from "../../contract/people.ts";
import { type Area, areaOf, childOf } from "../../contract/roles.ts";
import { organisationOf, partnerOf, type Scope } from "../access/scope.ts";
import { listFrom, ofPartner, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { people } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { customerStateOf, stateFields } from "./customer-state.ts";
import { personFields, personSorts, statusOf } from "./person-status.ts";

const fields = {
  ...personFields,
  organisationName: people.organisationName,
  partnerName: sql<string | null>`nullif(${people.partnerName}, '')`,
};
type PersonRow = RowOf<typeof fields>;
const stateful = { ...fields, ...stateFields };

const everyone = listFrom(personList, {
  table: people,
  fields: stateful,
  id: people.id,
  searched: people.searched,
  sorts: {
    ...personSorts,
    organization_name: sql`lower(${people.organisationName})`,
    partner_organization_name: sql`lower(${people.partnerName})`,
  },
});

const peopleOfRole = { ...everyone, where: sql`${people.role} = $1` };
const customersOfPartner = {
  ...everyone,
  ...ofPartner(people),
  where: sql`${people.partnerId} = $1 and ${people.role} = 'user'`,
  // All have the same partner, so this sorts by id. By the partner's name, the planner might walk the customers of all
  // partners in that order, in which those of this one come together, perhaps at the end.
  sorts: { ...everyone.sorts, partner_organization_name: people.id },
};
const firstOfOrganisation = {
  ...everyone,
  name: "first_of_organisation",
  where: sql`${people.organisationId} = $1 and ${people.role} in ('user', 'partner')`,
};
const customersWithoutDashboards = {
  ...everyone,
  where: sql`${people.role} = 'user' and not ${people.hasDashboards} and ${people.erasedAt} is null`,
};
const childrenOf = (area: Area) => ({
  ...everyone,
  fields,
  name: `children_${area}`,
  where: sql`${people.organisationId} = $1 and ${people.role} = '${sql.raw(childOf[area])}'`,
});
const children: Record<Area, ReturnType<typeof childrenOf>> = {
  user: childrenOf("user"),
  partner: childrenOf("partner"),
  admin: childrenOf("admin"),
};

/** All customers or all partners, one row each: their main person. */
export async function listByRole(
  services: Services,
  _scope: Scope<"any">,
  role: "user" | "partner",
  query: PersonQuery,
) {
  const { rows, ...page } = await listPage(services.database, peopleOfRole, role, query);
  return { users: rows.map(presentPerson(services)), ...page };
}

/** The customers of a partner, one row each; an empty page for null. */
export async function listCustomers(services: Services, scope: Scope<"customers"> | null, query: PersonQuery) {
  const { rows, ...page } = await listPage(services.database, customersOfPartner, partnerOf(scope), query);
  return { users: rows.map(presentPerson(services)), ...page };
}

/** The main person of a customer or partner organisation, as an array; empty for null. */
export async function findFirstPerson(services: Services, scope: Scope<"organisation"> | null) {
  const query = { limit: 1, sort: "created_at" } as const;
  const { rows } = await listPage(services.database, firstOfOrganisation, organisationOf(scope), query);
  return { user: rows.map(presentPerson(services)) };
}

/** Customers whose dashboards nobody has activated, newest first. */
export async function listCustomersWithoutDashboards(services: Services, _scope: Scope<"any">, limit: number) {
  const { rows, total, totalIsCapped } = await listPage(services.database, customersWithoutDashboards, null, { limit });
  return { customers: rows.map(presentPerson(services)), total, totalIsCapped };
}

/** The child accounts of the caller's own organisation, newest first. */
export async function listChildren(services: Services, scope: Scope<"organisation">, query: ChildQuery) {
  const list = children[areaOf(scope.actor.role)];
  const { rows, ...page } = await listPage(services.database, list, organisationOf(scope), query);
  return { children: rows.map(presentChild(services)), ...page };
}

const presentPerson =
  ({ now }: Services) =>
  (row: RowOf<typeof stateful>): ListedPerson => ({
    id: row.id,
    first_name: row.firstName,
    last_name: row.lastName,
    email: row.email,
    phone_no: row.phone,
    organization_name: row.organisationName,
    partner_organization_name: row.partnerName,
    role: row.role,
    status: statusOf(row, now()),
    customer_state: areaOf(row.role) === "user" ? customerStateOf(row, now()) : null,
    created_at: row.createdAt.toISOString(),
  });

const presentChild =
  ({ now }: Services) =>
  (row: PersonRow): Child => ({
    id: row.id,
    first_name: row.firstName,
    last_name: row.lastName,
    email: row.email,
    phone_no: row.phone,
    status: statusOf(row, now()),
  });
