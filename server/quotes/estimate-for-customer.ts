import { and, asc, eq, inArray } from "drizzle-orm";
import type { CustomerEstimate } from "../../contract/quotes.ts";
import { mainRoles } from "../../contract/roles.ts";
import { reachCustomer } from "../access/reach.ts";
import { type Actor, organisationOf, partnerOf, type Scope } from "../access/scope.ts";
import { lockOrganisation, lockPerson } from "../accounts/queries.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { people } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { refuseUnlessSame } from "../failures/sent-before.ts";
import { currentRateCard } from "../rates/rate-card.ts";
import type { Services } from "../services.ts";
import { tellQuoteMade } from "./tell-quote.ts";
import { devicesOf, findEarlier, keepQuote, madeBefore, type KeptQuote } from "./quotes.ts";

/**
 * Makes a quote for a partner's customer, who gets the proposal by mail, finds it in My Quotes and can buy it. It
 * belongs to the customer from the start; its maker is recorded. A repeated call with the same key returns the existing
 * quote.
 * @throws Failure not_found for a customer that is not the partner's; conflict if the customer is suspended or its
 * invitation has expired; too_many_requests
 */
export async function estimateForCustomer(
  services: Services,
  scope: Scope<"customers">,
  estimate: CustomerEstimate,
): Promise<KeptQuote> {
  const { actor } = scope;
  const { email, requestKey, selectedDevices, ...form } = estimate;
  await services.limiter.consume("estimateByPartner", actor.personId);
  const customer = await reachCustomer(services.database, scope, email);
  if (!customer) throw notFound("This customer");
  const organisationId = organisationOf(customer);
  // Answered first: the customer may be suspended by now, or at today's limit.
  const before = await answeredBefore(services.database, actor, organisationId, estimate);
  if (before) return before;
  await services.limiter.consume("estimateForCustomer", organisationId);
  const card = await currentRateCard(services);
  return services.database.transaction(async (transaction) => {
    const facts = await lockCustomer(services, transaction, organisationId, partnerOf(scope));
    const origin = { organisationId, partnerId: partnerOf(scope), madeBy: actor.personId, requestKey };
    const about = { ...form, ...facts, ...origin };
    const made = await keepQuote(services, transaction, card, selectedDevices, about);
    if (!made) return madeBefore(await answeredBefore(transaction, actor, organisationId, estimate));
    await audit(transaction, actor.personId, "send estimate for customer", `quote:${made.id}`, {
      customer: about.organizationName,
    });
    await tellQuoteMade(services, transaction, made.id, actor.personId);
    return made;
  });
}

/**
 * The quote that an earlier call of this estimate made.
 * @throws Failure conflict if its key was sent with other contents
 */
async function answeredBefore(
  database: Database | Transaction,
  { personId }: Actor,
  organisationId: string,
  { requestKey, message, numberOfUsers, selectedDevices }: CustomerEstimate,
): Promise<KeptQuote | undefined> {
  const earlier = await findEarlier(database, personId, requestKey);
  if (!earlier) return undefined;
  const known = { ...earlier, devices: devicesOf(earlier.lines) };
  refuseUnlessSame(known, { organisationId, message, numberOfUsers, devices: selectedDevices });
  return earlier;
}

/**
 * The customer's details for its proposal, from its organisation and first main person. Locks both until the
 * transaction ends, so that nobody withdraws the invitation or moves the customer to another partner meanwhile.
 */
async function lockCustomer(services: Services, transaction: Transaction, organisationId: string, partnerId: string) {
  const organisation = await lockOrganisation(transaction, organisationId);
  // The customer was moved to another partner meanwhile.
  if (organisation?.partnerId !== partnerId) throw notFound("This customer");
  const [first] = await transaction
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.organisationId, organisationId), inArray(people.role, mainRoles)))
    .orderBy(asc(people.createdAt), asc(people.id))
    .limit(1);
  const person = first && (await lockPerson(transaction, first.id));
  if (!person) throw notFound("This customer");
  if (!person.mayEnter)
    throw new Failure(
      "conflict",
      "This customer is suspended: no estimate can be made for it now. Please write to us.",
    );
  const isInvited = person.invitedUntil !== null && person.invitedUntil > services.now();
  if (!person.joinedAt && !isInvited)
    throw new Failure("conflict", "The invitation of this customer has expired. Please send it again first.");
  return {
    userName: `${person.firstName} ${person.lastName}`,
    userEmail: person.email,
    organizationName: organisation.name,
    phoneNumber: person.phone,
  };
}
