import { sql } from "drizzle-orm";
import { mainRolesWritten } from "../database/schema/columns.ts";

/**
 * Whether somebody may sign in and stay signed in, of `people` joined with `organisations`; asked anew at each call.
 * Neither they nor their organisation is suspended, and of those who answer for it at least one is not: a child
 * account ends with its parent's.
 */
export const mayEnter = sql<boolean>`(people.suspended_at is null and organisations.suspended_at is null
  and (people.role in ${mainRolesWritten} or coalesce(
    (select bool_or(parent.suspended_at is null) from people as parent where parent.organisation_id = people.organisation_id
      and parent.role in ${mainRolesWritten} and parent.joined_at is not null), true)))`;
