import { and, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { demoPassword } from "../accounts/demo-password.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import type { Services } from "../services.ts";
import {
  demoMailbox,
  emailCorrections,
  people,
  seedings,
  sessions,
  signInCodes,
  singleUseLinks,
} from "../database/schema/index.ts";
import { demoPeople, domain } from "./customers.ts";

/** The sign-ins of a demo; these accounts work in demo mode only. */
export const demoSignIns = demoPeople.map(({ role, firstName }) => ({
  role,
  email: `${firstName.toLowerCase()}@${domain}`,
  password: demoPassword,
}));

/**
 * The name in `seedings` that marks a demo's accounts as disabled. Accounts suspended at that same instant were
 * suspended by closing the demo, and by nothing else.
 */
const closing = "demo closed";

/**
 * The demo's own people, everybody who shares an organisation with them, and everybody they added. The demo
 * administrator's password is published, so anybody could have added themselves: of the provider's people only those
 * made by command stay, unless their e-mail was corrected, which that administrator can do as well.
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
    ) or exists (
      select from audit_entries where action = 'correct email' and subject = 'person:' || added.id
    )
  )
  select id from found`;

const isOfCommand = sql`exists (
  select from audit_entries where action = 'create administrator' and subject = 'person:' || people.id
)`;
/** Set by a link from a mailbox that everybody could read, or by somebody who got in with one. */
const hasChosenAnew = sql`exists (
  select from audit_entries
  where action in ('reset password', 'change password') and subject = 'person:' || people.id
)`;

/**
 * Disables every account of an earlier demo, because their passwords are published. If its mail was readable by
 * everybody, also ends everybody's open sessions and links, and unsets passwords that remaining administrators set by a
 * link. Returns how many accounts it disabled; 0 if it was done before.
 */
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
    const mailWasOpen = (await transaction.$count(demoMailbox)) > 0;
    await endOpen(services, transaction, mailWasOpen ? null : ids);
    const unset = mailWasOpen ? await unsetPasswords(transaction) : 0;
    await audit(transaction, null, "disable demo accounts", "demo", { people: ids.length });
    services.log.warn({ event: "disable demo accounts", people: ids.length, mailWasOpen, passwordsUnset: unset });
    const disabled = await transaction.$count(people, and(inArray(people.id, ids), isOfCommand));
    if (unset + disabled > 0) services.log.warn(howToGetBackIn);
    return ids.length;
  });
}

const howToGetBackIn =
  "Administrators made by command whose password or e-mail was set in the demo can't sign in as before: a new password comes by “Forgot Password” at the sign-in; one whose e-mail was corrected is suspended until another administrator restores it, whom npm run admin:create makes";

/** Ends sessions, codes, links and unconfirmed corrections of e-mails, of these people or, for null, of everybody. */
async function endOpen(services: Services, transaction: Transaction, ids: string[] | null): Promise<void> {
  const isOf = (personId: PgColumn) => (ids === null ? undefined : inArray(personId, ids));
  await transaction
    .update(sessions)
    .set({ revokedAt: services.now() })
    .where(and(isOf(sessions.personId), isNull(sessions.revokedAt)));
  await transaction.delete(signInCodes).where(isOf(signInCodes.personId));
  await transaction.delete(emailCorrections).where(isOf(emailCorrections.personId));
  await transaction.delete(singleUseLinks).where(and(isOf(singleUseLinks.personId), isNull(singleUseLinks.usedAt)));
  // Their links are void, so the inviter sees that the invitations have to be sent again.
  await transaction
    .update(people)
    .set({ invitedUntil: services.now() })
    .where(and(isOf(people.id), isNull(people.joinedAt), gt(people.invitedUntil, services.now())));
}

/** For how many administrators it unset the password. */
async function unsetPasswords(transaction: Transaction): Promise<number> {
  const unset = await transaction
    .update(people)
    .set({ passwordHash: null })
    .where(and(isNotNull(people.passwordHash), isOfCommand, hasChosenAnew));
  return unset.rowCount ?? 0;
}

/** Enables the accounts that `closeDemo` disabled. */
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
