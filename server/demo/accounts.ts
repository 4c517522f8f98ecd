import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { demoPassword } from "../accounts/demo-password.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { audit } from "../audit/audit.ts";
import type { Services } from "../services.ts";
import { people, seedings, sessions, signInCodes, singleUseLinks } from "../database/schema/index.ts";
import { demoPeople, domain } from "./customers.ts";

/** Who can sign in to a demo; these accounts can be used in demo mode only. */
export const demoSignIns = demoPeople.map(({ role, firstName }) => ({
  role,
  email: `${firstName.toLowerCase()}@${domain}`,
  password: demoPassword,
}));

/**
 * Stands in `seedings` while the accounts of a demo are disabled; those suspended at the same instant were suspended
 * with it, and by nobody else.
 */
const closing = "demo closed";

/**
 * The demo's own people, whoever shares an organisation with them, and whom they added. As the password of its
 * administrator is published, anybody could add themselves: of the provider's people only those made by command stay.
 */
const peopleOfDemo = sql`
  with recursive found(id, organisation_id) as (
    select id, organisation_id from people where email like ${`%@${domain}`}
    union
    select added.id, added.organisation_id
    from found
    join people as added on
      added.organisation_id = found.organisation_id
      or added.partner_id = found.organisation_id
      or exists (
        select from audit_entries
        where actor_id = found.id
          and action ~ '^(add|invite) '
          and subject in ('person:' || added.id, 'organisation:' || added.organisation_id)
      )
    where not exists (
      select from audit_entries where action = 'create administrator' and subject = 'person:' || added.id
    )
  )
  select id from found`;

/** Disables every account of an earlier demo: their passwords are published. Answers how many it were, 0 if done before. */
export async function closeDemo(services: Services): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const [seeded] = await transaction.select().from(seedings).where(eq(seedings.name, "demo"));
    if (!seeded) return 0;
    const [closed] = await transaction.insert(seedings).values({ name: closing }).onConflictDoNothing().returning();
    if (!closed) return 0;
    const { rows } = await transaction.execute<{ id: string }>(sql`
      update people
      set suspended_at = coalesce(suspended_at, (select at from seedings where name = ${closing})),
        password_hash = case when email like ${`%@${domain}`} then null else password_hash end
      where id in (${peopleOfDemo})
      returning id`);
    const ids = rows.map(({ id }) => id);
    await transaction
      .update(sessions)
      .set({ revokedAt: services.now() })
      .where(and(inArray(sessions.personId, ids), isNull(sessions.revokedAt)));
    await transaction.delete(signInCodes).where(inArray(signInCodes.personId, ids));
    await transaction
      .delete(singleUseLinks)
      .where(and(inArray(singleUseLinks.personId, ids), isNull(singleUseLinks.usedAt)));
    await audit(transaction, null, "disable demo accounts", "demo", { people: ids.length });
    services.log.warn({ event: "disable demo accounts", people: ids.length });
    return ids.length;
  });
}

/** Makes the accounts usable again that `closeDemo` disabled. */
export async function reopenDemo(services: Services): Promise<void> {
  const [closed] = await services.database.select().from(seedings).where(eq(seedings.name, closing));
  if (!closed) return;
  const passwordHash = await hashPassword(demoPassword);
  await services.database.transaction(async (transaction) => {
    await transaction.execute(sql`
      update people set suspended_at = null
      where suspended_at = (select at from seedings where name = ${closing} for update)`);
    const emails = demoSignIns.map(({ email }) => email);
    await transaction
      .update(people)
      .set({ passwordHash })
      .where(and(inArray(people.email, emails), isNull(people.passwordHash)));
    await transaction.delete(seedings).where(eq(seedings.name, closing));
    await audit(transaction, null, "enable demo accounts", "demo");
  });
}
