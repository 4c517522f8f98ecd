import { and, eq, isNotNull, ne } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import type { Input } from "../../contract/operations.ts";
import { audit } from "../audit/audit.ts";
import type { Call } from "../call.ts";
import { recordConsent } from "../audit/consent.ts";
import type { Transaction } from "../database/database.ts";
import { consents, emailCorrections, organisations, people } from "../database/schema/index.ts";
import { accountFrom } from "../protection/limiter.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { hashPassword, refuseGuessable } from "./passwords.ts";
import { endAccess, findPersonByEmail, lockEmail, lockPersonByEmail, type Person } from "./queries.ts";

type Registration = Input<"auth/register">;

/**
 * Registers a customer organisation and its first person. The answer does not tell whether the e-mail was known; the
 * mail that follows tells its owner.
 * @throws Failure invalid for a guessable password, too_many_requests, overloaded
 */
export async function register(services: Services, call: Call, form: Registration): Promise<void> {
  await services.limiter.consume("registrationByAddress", call.address);
  await refuseGuessable(form.password, "password", [form.email, form.firstName, form.lastName, form.organizationName]);
  await services.limiter.consume("registrationByAccount", accountFrom(call.address, form.email));
  const passwordHash = await hashPassword(form.password);
  // Strangers can register an address too, so mails to it are limited; its owner's registration works without one.
  const mayMail = await services.limiter.allows("noticeByMailbox", form.email);
  await services.database.transaction(async (transaction) => {
    await lockEmail(transaction, form.email);
    // Tried for a known e-mail too, so that the time does not tell which it was.
    const notice = (await makeCustomer(services, transaction, form, passwordHash))
      ? mailWelcome
      : await meetKnown(services, transaction, form, passwordHash);
    if (mayMail) await notice(services, transaction, form);
  });
}

/** Registers for an e-mail that is known already; returns the mail for its owner. */
async function meetKnown(services: Services, transaction: Transaction, form: Registration, passwordHash: string) {
  const person = await lockPersonByEmail(transaction, form.email);
  if (!person || !mayBeReplaced(person)) return mailAlreadyRegistered;
  await replace(services, transaction, person, form, passwordHash);
  return mailWelcome;
}

/** Registered, but nobody has proved to own the address yet: it may have been mistyped, or a stranger's. */
function mayBeReplaced(person: Person): boolean {
  return person.registered && person.emailVerifiedAt === null;
}

/** Returns false, leaving nothing behind, when the e-mail is taken. */
async function makeCustomer(
  services: Services,
  transaction: Transaction,
  form: Registration,
  passwordHash: string,
): Promise<boolean> {
  const [organisation] = await transaction
    .insert(organisations)
    .values({ kind: "customer", name: form.organizationName })
    .returning({ id: organisations.id });
  if (!organisation) return false;
  const [person] = await transaction
    .insert(people)
    .values({
      organisationId: organisation.id,
      role: "user",
      firstName: form.firstName,
      lastName: form.lastName,
      email: form.email,
      phone: form.phoneNo,
      passwordHash,
      joinedAt: services.now(),
      registered: true,
    })
    .onConflictDoNothing({ target: people.email, where: isNotNull(people.joinedAt) })
    .returning({ id: people.id });
  if (!person) {
    await transaction.delete(organisations).where(eq(organisations.id, organisation.id));
    return false;
  }
  await agree(services, transaction, person.id, form);
  await audit(transaction, person.id, "register", `organisation:${organisation.id}`);
  return true;
}

async function replace(
  services: Services,
  transaction: Transaction,
  person: Person,
  form: Registration,
  passwordHash: string,
): Promise<void> {
  const { firstName, lastName, phoneNo: phone } = form;
  // A code requested with the earlier password must not open an account that now has another.
  await endAccess(transaction, [person.id], services.now());
  // A new registration: its time starts again, and it rests on the consent given now.
  await transaction
    .update(people)
    .set({ firstName, lastName, phone, passwordHash, createdAt: services.now() })
    .where(eq(people.id, person.id));
  await transaction.delete(consents).where(eq(consents.personId, person.id));
  // A pending correction of the address was for the earlier registrant.
  await transaction.delete(emailCorrections).where(eq(emailCorrections.personId, person.id));
  await agree(services, transaction, person.id, form);
  const others = and(eq(people.organisationId, person.organisationId), ne(people.id, person.id));
  // With other people in it, the organisation was merged and is theirs: it keeps its name, as nobody has proved the
  // address yet.
  if ((await transaction.$count(people, others)) === 0)
    await transaction
      .update(organisations)
      .set({ name: form.organizationName })
      .where(eq(organisations.id, person.organisationId));
  await audit(transaction, person.id, "register again", `organisation:${person.organisationId}`);
}

const agree = (services: Services, transaction: Transaction, personId: string, { noticeVersion }: Registration) =>
  recordConsent(services, transaction, { purpose: "registration", personId }, noticeVersion);

async function mailWelcome(services: Services, transaction: Transaction, form: Registration): Promise<void> {
  await queueMail(services, transaction, {
    eventKey: `welcome:${randomUUID()}`,
    to: form.email,
    content: { template: "welcome", link: `${services.publicUrl}/login` },
  });
}

async function mailAlreadyRegistered(services: Services, transaction: Transaction, form: Registration): Promise<void> {
  const person = await findPersonByEmail(transaction, form.email);
  if (!person) return;
  await queueMail(services, transaction, {
    eventKey: `already-registered:${randomUUID()}`,
    to: person.email,
    content: { template: "alreadyRegistered", link: `${services.publicUrl}/login` },
  });
}
