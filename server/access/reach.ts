import { and, desc, eq, inArray, isNotNull, type SQL } from "drizzle-orm";
import { partnerRoles, type Role } from "../../contract/roles.ts";
import type { Actor } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { organisations, people } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/** Stands for an organisation that is not there, so that the same statements run and answer nothing. */
export const nobodysId = "00000000-0000-0000-0000-000000000000";

type Kind = (typeof organisations.$inferSelect)["kind"];

/**
 * The customer organisation that a person with this e-mail belongs to, if the actor may see it: a partner its own
 * customers, an administrator all. Null for anything else, without telling which.
 */
export async function findCustomerId(
  database: Services["database"] | Transaction,
  actor: Actor,
  email: string,
): Promise<string | null> {
  const customers = isPartner(actor.role) ? eq(organisations.partnerId, actor.organisationId) : undefined;
  return findOrganisationId(database, email, ["customer"], customers);
}

/** The partner organisation that a person with this e-mail belongs to; for administrators only. */
export const findPartnerId = ({ database }: Services, email: string) =>
  findOrganisationId(database, email, ["partner"]);

/** Either; for administrators only. */
export const findCustomerOrPartnerId = ({ database }: Services, email: string) =>
  findOrganisationId(database, email, ["customer", "partner"]);

async function findOrganisationId(
  database: Services["database"] | Transaction,
  email: string,
  kinds: Kind[],
  reach?: SQL,
): Promise<string | null> {
  // Several may have invited the e-mail: where it has joined comes first, then where it was invited last.
  const [found] = await database
    .select({ id: organisations.id })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(eq(people.email, email), inArray(organisations.kind, kinds), reach))
    .orderBy(desc(isNotNull(people.joinedAt)), desc(people.id))
    .limit(1);
  return found?.id ?? null;
}

const isPartner = (role: Role) => (partnerRoles as readonly Role[]).includes(role);
