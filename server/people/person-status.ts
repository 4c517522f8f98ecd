import { sql } from "drizzle-orm";
import type { PersonStatus } from "../../contract/people.ts";
import { people } from "../database/schema/index.ts";

/** What a person's status is told from, for a list of people. */
export const statusFields = {
  joinedAt: people.joinedAt,
  invitedUntil: people.invitedUntil,
  erasedAt: people.erasedAt,
  suspended: sql<boolean>`${people.suspendedAt} is not null
    or (select suspended_at is not null from organisations where organisations.id = people.organisation_id)`,
};

interface StatusRow {
  joinedAt: Date | null;
  invitedUntil: Date | null;
  erasedAt: Date | null;
  suspended: boolean;
}

export function statusOf({ suspended, joinedAt, invitedUntil, erasedAt }: StatusRow, now: Date): PersonStatus {
  if (erasedAt) return "erased";
  if (suspended) return "suspended";
  if (joinedAt) return "active";
  return invitedUntil && invitedUntil > now ? "invited" : "expired";
}
