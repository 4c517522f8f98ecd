import { sql } from "drizzle-orm";
import { mainRolesWritten } from "../database/schema/columns.ts";

/**
 * Whether a person may sign in and stay signed in, for `people` joined with `organisations`; checked at each request.
 * Neither the person nor the organisation is suspended and, for a child account, not all main accounts beside it.
 */
export const mayEnter = sql<boolean>`(people.suspended_at is null and organisations.suspended_at is null
  and (people.role in ${mainRolesWritten} or coalesce(
    (select bool_or(parent.suspended_at is null) from people as parent where parent.organisation_id = people.organisation_id
      and parent.role in ${mainRolesWritten} and parent.joined_at is not null), true)))`;
