import { sql } from "drizzle-orm";
import type { PersonStatus } from "../../contract/people.ts";
import { people } from "../database/schema/index.ts";

const statusFields = {
  joinedAt: people.joinedAt,
  invitedUntil: people.invitedUntil,
  erasedAt: people.erasedAt,
  suspended: sql<boolean>`${people.suspendedAt} is not null
    or (select suspended_at is not null from organisations where organisations.id = people.organisation_id)`,
};

/** The columns that every list of people shows, including those that its status is derived from. */
export const personFields = {
  id: people.id,
  role: people.role,
  firstName: people.firstName,
  lastName: people.lastName,
  email: people.email,
  phone: people.phone,
  createdAt: people.createdAt,
  ...statusFields,
};

/** The sort orders of lists of people, by their names in the contract. */
export const personSorts = {
  name: sql<string>`lower(${people.firstName} || ' ' || ${people.lastName})`,
  email: sql<string>`${people.email}::text`,
  phone_no: people.phone,
  created_at: people.createdAt,
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
