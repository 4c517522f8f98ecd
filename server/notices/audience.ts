import { type SQL, sql } from "drizzle-orm";
import type { AnnouncementAudience } from "../../contract/announcements.ts";
import type { Role } from "../../contract/roles.ts";
import { announcements, people } from "../database/schema/index.ts";

/** Who an announcement is for: roles, or the ids of a partner or of customers. */
export interface Audience {
  audience: AnnouncementAudience;
  roles: Role[];
  organisationIds: string[];
}

/** SQL condition on `announcements` joined with `people`: the announcement is for the person. */
export const isFor = sql`case ${announcements.audience}
  when 'all' then true
  when 'roles' then ${people.role} = any (${announcements.roles})
  when 'partner' then ${people.organisationId} = any (${announcements.organisationIds})
    or ${people.partnerId} = any (${announcements.organisationIds})
  else ${people.organisationId} = any (${announcements.organisationIds}) end`;

/** The same for one audience, as a condition on `people` that an index can serve. */
export function audienceIn({ audience, roles, organisationIds }: Audience): SQL | undefined {
  const ids = sql`${`{${organisationIds.join(",")}}`}::uuid[]`;
  const conditions: Record<AnnouncementAudience, SQL | undefined> = {
    all: undefined,
    roles: sql`${people.role} = any (${`{${roles.join(",")}}`}::text[])`,
    partner: sql`(${people.organisationId} = any (${ids}) or ${people.partnerId} = any (${ids}))`,
    customers: sql`${people.organisationId} = any (${ids})`,
  };
  return conditions[audience];
}
