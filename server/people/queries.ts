import type { ListQuery } from "../../contract/fields.ts";
import type { Child, ListedPerson, PersonStatus } from "../../contract/people.ts";
import { type Area, areaOf, childOf, type Role } from "../../contract/roles.ts";
import { organisationOf, partnerOf, type Scope } from "../access/scope.ts";
import { type List, listPage } from "../database/list-page.ts";
import type { Services } from "../services.ts";

const sorts = {
  name: { column: "lower(first_name || ' ' || last_name)", type: "text" },
  email: { column: "(email::text)", type: "text" },
  phone_no: { column: "phone", type: "text" },
  organization_name: { column: "lower(organisation_name)", type: "text" },
  partner_organization_name: { column: "lower(partner_name)", type: "text" },
  created_at: { column: "created_at", type: "timestamptz" },
};

const everyone = {
  columns: `id, role, first_name, last_name, email, phone, organisation_name, nullif(partner_name, '') as partner_name,
    created_at, joined_at, invited_until, suspended_at is not null
      or (select suspended_at is not null from organisations where organisations.id = people.organisation_id) as suspended`,
  table: "people",
  id: "id",
  searched: "searched",
  sorts,
};

const peopleOfRole: List = { ...everyone, name: "people_of_role", where: "role = $1" };
const customersOfPartner: List = {
  ...everyone,
  name: "customers_of_partner",
  where: "partner_id = $1 and role = 'user'",
};
const firstOfOrganisation: List = {
  ...everyone,
  name: "first_of_organisation",
  where: "organisation_id = $1 and role in ('user', 'partner')",
};
const customersWithoutDashboards: List = {
  ...everyone,
  name: "customers_without_dashboards",
  where: `role = 'user'
    and not exists (select from customer_tools where customer_tools.organisation_id = people.organisation_id)`,
};
const childrenOf = (area: Area): List => ({
  ...everyone,
  name: `children_${area}`,
  where: `organisation_id = $1 and role = '${childOf[area]}'`,
});
const children: Record<Area, List> = {
  user: childrenOf("user"),
  partner: childrenOf("partner"),
  admin: childrenOf("admin"),
};

interface PersonRow {
  id: string;
  role: Role;
  first_name: string;
  last_name: string;
  email: string;
  phone: string;
  organisation_name: string;
  partner_name: string | null;
  created_at: Date;
  joined_at: Date | null;
  invited_until: Date | null;
  suspended: boolean;
}

/** All customers or all partners, one row each: their first person. */
export async function listByRole(services: Services, _scope: Scope<"any">, role: "user" | "partner", query: ListQuery) {
  const { rows, ...page } = await listPage<PersonRow>(services.database, peopleOfRole, role, query);
  return { users: rows.map(presentPerson(services)), ...page };
}

/** The customers of a partner organisation, one row each; an empty page for null. */
export async function listCustomers(services: Services, scope: Scope<"customers"> | null, query: ListQuery) {
  const { rows, ...page } = await listPage<PersonRow>(services.database, customersOfPartner, partnerOf(scope), query);
  return { users: rows.map(presentPerson(services)), ...page };
}

/** The first person of a customer or partner organisation, as an array; empty for null. */
export async function findFirstPerson(services: Services, scope: Scope<"organisation"> | null) {
  const query = { limit: 1, sort: "created_at" };
  const { rows } = await listPage<PersonRow>(services.database, firstOfOrganisation, organisationOf(scope), query);
  return { user: rows.map(presentPerson(services)) };
}

/** Customers whose dashboards nobody has activated, newest first. */
export async function listCustomersWithoutDashboards(services: Services, _scope: Scope<"any">, limit: number) {
  const { rows, total } = await listPage<PersonRow>(services.database, customersWithoutDashboards, null, { limit });
  return { customers: rows.map(presentPerson(services)), total };
}

/** The child users of one's own organisation, newest first. */
export async function listChildren(services: Services, scope: Scope<"organisation">, query: ListQuery) {
  const list = children[areaOf(scope.actor.role)];
  const { rows, ...page } = await listPage<PersonRow>(services.database, list, organisationOf(scope), query);
  return { children: rows.map(presentChild(services)), ...page };
}

const presentPerson =
  ({ now }: Services) =>
  (row: PersonRow): ListedPerson => ({
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    phone_no: row.phone,
    organization_name: row.organisation_name,
    partner_organization_name: row.partner_name,
    role: row.role,
    status: statusOf(row, now()),
    created_at: row.created_at.toISOString(),
  });

const presentChild =
  ({ now }: Services) =>
  (row: PersonRow): Child => ({
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    phone_no: row.phone,
    status: statusOf(row, now()),
  });

function statusOf({ suspended, joined_at, invited_until }: PersonRow, now: Date): PersonStatus {
  if (suspended) return "suspended";
  if (joined_at) return "active";
  return invited_until && invited_until > now ? "invited" : "expired";
}
