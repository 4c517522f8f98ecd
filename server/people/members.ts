import { eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import {
  invitationList,
  type InvitationQuery,
  type Member,
  memberList,
  type MemberQuery,
  type OpenInvitation,
  type Organization,
} from "../../contract/staff-people.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { organisations, people } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { personFields, personSorts, statusOf } from "./person-status.ts";

const fields = {
  ...personFields,
  version: people.version,
  selfSuspended: sql<boolean>`${people.suspendedAt} is not null`,
  newEmail: sql<string | null>`(select email::text from email_corrections
    where email_corrections.person_id = people.id and email_corrections.expires_at > now())`,
};

const members = listFrom(memberList, {
  name: "people_of_organisation",
  table: people,
  fields,
  where: sql`${people.organisationId} = $1`,
  id: people.id,
  searched: people.searched,
  sorts: personSorts,
});

const invitations = listFrom(invitationList, {
  table: people,
  fields: {
    ...fields,
    organisationName: people.organisationName,
    inviter: sql<string | null>`(select first_name || ' ' || last_name from people as inviter
      where inviter.id = people.invited_by)`,
  },
  where: sql`${people.joinedAt} is null`,
  id: people.id,
  newest: "created_at",
  searched: people.searched,
  sorts: { created_at: people.createdAt },
});

/** Everybody in one organisation, including those invited. */
export async function listMembers(services: Services, scope: Scope<"organisation">, query: MemberQuery) {
  const { rows, ...page } = await listPage(services.database, members, organisationOf(scope), query);
  return { people: rows.map(presentMember(services)), ...page };
}

/** All pending invitations, newest first. */
export async function listInvitations(services: Services, _scope: Scope<"any">, query: InvitationQuery) {
  const { rows, ...page } = await listPage(services.database, invitations, null, query);
  return { invitations: rows.map(presentInvitation(services)), ...page };
}

/** @throws Failure not_found */
export async function findOrganisation({ database }: Services, scope: Scope<"organisation">): Promise<Organization> {
  const partner = alias(organisations, "partner");
  const [row] = await database
    .select({
      organisation: organisations,
      partnerName: partner.name,
      partnerEmail: sql<string | null>`(select email::text from people where people.organisation_id = ${partner.id}
        and people.role = 'partner' order by joined_at is null, people.id limit 1)`,
    })
    .from(organisations)
    .leftJoin(partner, eq(partner.id, organisations.partnerId))
    .where(eq(organisations.id, organisationOf(scope)));
  if (!row) throw notFound("This organization");
  const { id, kind, name, version, ...organisation } = row.organisation;
  return {
    id,
    kind,
    name,
    partner: row.partnerName === null ? null : { name: row.partnerName, email: row.partnerEmail },
    suspended: organisation.suspendedAt !== null,
    version,
  };
}

const presentMember =
  ({ now }: Services) =>
  (row: RowOf<typeof fields>): Member => ({
    id: row.id,
    first_name: row.firstName,
    last_name: row.lastName,
    email: row.email,
    phone_no: row.phone,
    role: row.role,
    status: statusOf(row, now()),
    self_suspended: row.selfSuspended,
    version: row.version,
    new_email: row.newEmail,
    created_at: row.createdAt.toISOString(),
  });

const presentInvitation =
  ({ now }: Services) =>
  (row: RowOf<(typeof invitations)["fields"]>): OpenInvitation => ({
    id: row.id,
    first_name: row.firstName,
    last_name: row.lastName,
    email: row.email,
    role: row.role,
    organization_name: row.organisationName,
    status: statusOf(row, now()),
    invited_by: row.inviter,
    invited_until: row.invitedUntil?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  });
