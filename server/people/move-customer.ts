import { isDeepStrictEqual } from "node:util";
import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import { messages } from "../../contract/messages.ts";
import { lockEmail, lockOrganisation } from "../accounts/queries.ts";
import { noteReached, reachCustomersOfPartner } from "../access/reach.ts";
import { partnerOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { organisations, people } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import { dropUnsentReports } from "./drop-unsent-reports.ts";

/**
 * Moves a customer with all its orders to another partner, or to none. Estimates that a partner made keep naming it.
 * Returns whether anything changed.
 * @throws Failure not_found; invalid if the e-mail is no partner's, or nobody of the partner has joined yet; conflict
 * if the partner is suspended or lists the same e-mail already, or the customer has changed
 */
export async function moveCustomer(
  services: Services,
  scope: Scope<"any">,
  move: { id: string; version: number; partner_email: string | null },
): Promise<boolean> {
  return services.database.transaction(async (transaction) => {
    const emails = await lockEmailsOf(transaction, move.id);
    const partner = move.partner_email === null ? null : await findPartner(transaction, scope, move.partner_email);
    const customer = await lockOrganisation(transaction, move.id);
    if (customer?.kind !== "customer") throw notFound("This customer");
    noteReached(scope, customer.id);
    if (customer.partnerId === (partner?.id ?? null)) return false;
    if (customer.version !== move.version) throw new Failure("conflict", messages.organizationChanged);
    // Somebody may have got another address, which is not locked, while this waited.
    if (!isDeepStrictEqual(await findEmailsOf(transaction, customer.id), emails))
      throw new Failure("conflict", messages.organizationChanged);
    if (partner) await refuseListed(transaction, partner.id, emails);
    const [former] = await transaction
      .select({ name: organisations.name })
      .from(organisations)
      .where(eq(organisations.id, customer.partnerId ?? customer.id));
    const before = { partner: customer.partnerId ? (former?.name ?? "") : null };
    const told = { organizationName: customer.name, partner: partner?.name ?? null, former: before.partner };
    const eventKey = `${customer.id} ${customer.version}`;
    // Notified while the former partner still is the partner.
    await notify(transaction, "customer leaves", eventKey, told, { organisationId: customer.id });
    await transaction
      .update(organisations)
      .set({ partnerId: partner?.id ?? null, version: customer.version + 1 })
      .where(eq(organisations.id, customer.id));
    await dropUnsentReports(transaction, { customerId: customer.id, partnerId: customer.partnerId });
    await notify(transaction, "customer moved", eventKey, told, { organisationId: customer.id });
    await audit(transaction, scope.actor.personId, "move customer", `organisation:${customer.id}`, {
      before,
      after: { partner: partner?.name ?? null },
    });
    return true;
  });
}

/** Locks the e-mails of `findEmailsOf`, so that nobody is invited with them meanwhile. */
async function lockEmailsOf(transaction: Transaction, id: string): Promise<string[]> {
  const emails = await findEmailsOf(transaction, id);
  for (const email of emails) await lockEmail(transaction, email);
  return emails;
}

/** The e-mails under which a partner's list has the customer, in the order for all who lock several. */
async function findEmailsOf(transaction: Transaction, id: string): Promise<string[]> {
  const found = await transaction
    .select({ email: people.email })
    .from(people)
    .where(and(eq(people.organisationId, id), eq(people.role, "user")));
  // The database may sort differently.
  return found.map(({ email }) => email).toSorted();
}

/** A partner's list may hold an e-mail only once, as customers are looked up by it. @throws Failure conflict */
async function refuseListed(transaction: Transaction, partnerId: string, emails: string[]): Promise<void> {
  const [listed] = await transaction
    .select({ email: people.email })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(eq(organisations.partnerId, partnerId), eq(people.role, "user"), inArray(people.email, emails)))
    .limit(1);
  if (!listed) return;
  throw new Failure(
    "conflict",
    `This partner has ${listed.email} among its customers already. Please withdraw the invitation that is not needed any more, and move the customer then.`,
  );
}

const nobodyJoined =
  "Nobody of this partner has accepted the invitation yet. Please send it again, and move the customer once somebody has joined.";

async function findPartner(transaction: Transaction, scope: Scope<"any">, email: string) {
  const refuse = (sentence: string) => invalidField("partner_email", sentence);
  const reached = await reachCustomersOfPartner(transaction, scope, email);
  if (!reached) throw refuse("No partner has this e-mail address.");
  const [partner] = await transaction
    .select({ id: organisations.id, name: organisations.name, suspendedAt: organisations.suspendedAt })
    .from(organisations)
    .where(eq(organisations.id, partnerOf(reached)))
    // Until the customer is there: an erasure of whoever answers for the partner, or its suspension, waits.
    .for("share");
  if (!partner) throw refuse("No partner has this e-mail address.");
  if (partner.suspendedAt) throw new Failure("conflict", "This partner is suspended: it takes no customers now.");
  const joined = and(eq(people.organisationId, partner.id), isNotNull(people.joinedAt), isNull(people.erasedAt));
  if ((await transaction.$count(people, joined)) === 0) throw refuse(nobodyJoined);
  return partner;
}
