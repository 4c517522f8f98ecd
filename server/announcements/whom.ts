import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { NewAnnouncement } from "../../contract/announcements.ts";
import { mainRolesWritten } from "../database/schema/columns.ts";
import { holdOrganisations } from "../accounts/queries.ts";
import { ownersFirst } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import { mayEnter } from "../access/suspended.ts";
import type { Database, Transaction } from "../database/database.ts";
import { organisations, people } from "../database/schema/index.ts";
import { invalidField } from "../failures/failure.ts";
import { type Audience, audienceIn } from "../notices/audience.ts";

/**
 * The audience of an announcement, as organisation ids. Each e-mail names one organisation: its owner's rather than one
 * that only invited it.
 * @throws Failure invalid for an unknown e-mail
 */
export async function audienceOf(
  database: Database | Transaction,
  _scope: Scope<"any">,
  { audience, roles, emails }: Pick<NewAnnouncement, "audience" | "roles" | "emails">,
): Promise<Audience> {
  if (audience === "all") return { audience, roles: [], organisationIds: [] };
  if (audience === "roles") return { audience, roles: [...new Set(roles)].toSorted(), organisationIds: [] };
  const kind = audience === "partner" ? "partner" : "customer";
  const found = await database
    .selectDistinctOn([people.email], { email: people.email, id: people.organisationId })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(inArray(people.email, emails), eq(organisations.kind, kind)))
    .orderBy(people.email, ...ownersFirst);
  const known = new Set(found.map(({ email }) => email.toLowerCase()));
  const unknown = emails.filter((email) => !known.has(email));
  if (unknown.length > 0) {
    throw invalidField("emails", `There is no ${kind} with the e-mail ${unknown.slice(0, 5).join(", ")}.`);
  }
  return { audience, roles: [], organisationIds: [...new Set(found.map(({ id }) => id))].toSorted() };
}

/**
 * The same for an announcement that is kept. Holds its organisations until the transaction ends, so that a merge of one
 * finds it there and names the other one instead. Take it before the announcement's row, which the merge locks last.
 * @throws Failure invalid for an unknown e-mail; conflict if an organisation was merged into another meanwhile
 */
export async function holdAudience(
  transaction: Transaction,
  scope: Scope<"any">,
  asked: Pick<NewAnnouncement, "audience" | "roles" | "emails">,
): Promise<Audience> {
  const audience = await audienceOf(transaction, scope, asked);
  await holdOrganisations(transaction, ...audience.organisationIds);
  return audience;
}

/** Condition on `people` joined with `organisations`: in the audience and may sign in. */
export const getsIt = (audience: Audience): SQL | undefined =>
  and(isNotNull(people.joinedAt), mayEnter, audienceIn(audience));

/** Names of organisations, each with the e-mail of its first main person, by id. */
export async function nameOrganisations(database: Database, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { email: string; name: string }>();
  const found = await database
    .selectDistinctOn([people.organisationId], {
      id: people.organisationId,
      email: people.email,
      name: people.organisationName,
    })
    .from(people)
    .where(and(inArray(people.organisationId, [...ids]), sql`${people.role} in ${mainRolesWritten}`))
    .orderBy(people.organisationId, people.createdAt, people.id);
  return new Map(found.map(({ id, ...named }) => [id, named]));
}
