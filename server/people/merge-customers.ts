import { and, asc, eq, inArray, isNull, not, notExists, sql } from "drizzle-orm";
import { messages } from "../../contract/messages.ts";
import type { MergePreview } from "../../contract/staff-people.ts";
import { noteWithdrawn } from "../accounts/links.ts";
import { lockRecords, moveRecords } from "../accounts/move-records.ts";
import { endAccess, lockEmail } from "../accounts/queries.ts";
import { noteReached, reachCustomer } from "../access/reach.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { forgetValues } from "../audit/forget-values.ts";
import { billingColumns } from "../billing/details.ts";
import { againAfterDeadlock } from "../database/again-after-deadlock.ts";
import type { Transaction } from "../database/database.ts";
import { actionItems, customerTools, orders, organisations, people, quotes } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { dropUnsentReports } from "./drop-unsent-reports.ts";
import { refusalOfMerge, sentencesOfMerge, takesBilling, weigh, type Weighed } from "./weigh-merge.ts";

type Customer = typeof organisations.$inferSelect;
interface Seen {
  id: string;
  version: number;
}

/** What a merge of two customers would do. @throws Failure not_found */
export async function previewMerge(
  { database }: Services,
  scope: Scope<"any">,
  emails: { from: string; into: string },
): Promise<MergePreview> {
  const find = async (email: string): Promise<Customer> => {
    const reached = await reachCustomer(database, scope, email);
    const [customer] = await database
      .select()
      .from(organisations)
      .where(eq(organisations.id, organisationOf(reached)));
    if (!customer) throw notFound("This customer");
    return customer;
  };
  const [from, into] = [await find(emails.from), await find(emails.into)];
  const weighed = await weigh(database, from, into);
  const named = ({ id, name, version }: Customer) => ({ id, name, version });
  return {
    from: named(from),
    into: named(into),
    ...sentencesOfMerge(from, into, weighed),
    refusal: refusalOfMerge(from, into, weighed),
  };
}

/**
 * Merges two customers in one transaction: people, quotes, orders and records of `from` become those of `into`, and
 * `from` is deleted. Invoices stay as they are.
 * @throws Failure not_found; conflict when one has changed since it was seen, or with the sentence of `refusalOfMerge`
 */
export async function mergeCustomers(
  services: Services,
  scope: Scope<"any">,
  seen: { from: Seen; into: Seen },
): Promise<{ from: string; into: string }> {
  const merge = async (transaction: Transaction) => {
    await lockInvited(transaction, seen);
    const [from, into] = await lockBoth(transaction, seen);
    await lockOwned(transaction, from);
    noteReached(scope, into.id);
    const weighed = await weigh(transaction, from, into);
    const refusal = refusalOfMerge(from, into, weighed);
    if (refusal) throw new Failure("conflict", refusal);
    await moveInvitations(services, transaction, scope, from, into);
    await movePeople(services, transaction, scope, from, into);
    if (from.partnerId !== into.partnerId)
      await dropUnsentReports(transaction, { customerId: from.id, partnerId: from.partnerId });
    const move = { organisationId: into.id };
    await transaction.update(quotes).set(move).where(eq(quotes.organisationId, from.id));
    await transaction.update(orders).set(move).where(eq(orders.organisationId, from.id));
    await moveRecords(transaction, from.id, into.id);
    await moveTools(transaction, from, into, weighed);
    await moveWait(transaction, from, into);
    await transaction.delete(organisations).where(eq(organisations.id, from.id));
    const billing = Object.fromEntries(billingColumns.map((column) => [column, from[column]]));
    await transaction
      .update(organisations)
      .set({ version: into.version + 1, ...(takesBilling(from, into) && billing) })
      .where(eq(organisations.id, into.id));
    await audit(
      transaction,
      scope.actor.personId,
      "merge organisation",
      `organisation:${into.id}`,
      toldOf(from, weighed),
    );
    return { from: from.name, into: into.name };
  };
  return againAfterDeadlock(() => services.database.transaction(merge));
}

/**
 * Invitations to either are accepted before or after the merge, not during it; their e-mails are locked before any row.
 */
async function lockInvited(transaction: Transaction, { from, into }: { from: Seen; into: Seen }): Promise<void> {
  const invited = await transaction
    .selectDistinct({ email: people.email })
    .from(people)
    .where(isInvitedTo([from.id, into.id]));
  const emails = invited.map(({ email }) => email).toSorted();
  // oxlint-disable-next-line no-await-in-loop -- one order for all lockers of e-mails; the database may sort otherwise
  for (const email of emails) await lockEmail(transaction, email);
}

const isInvitedTo = (organisationIds: string[]) =>
  and(inArray(people.organisationId, organisationIds), isNull(people.joinedAt));

/**
 * Locked in one order, so that opposite merges don't deadlock. Their keys don't change: a transaction that holds one of
 * their orders can still insert references to them.
 * @throws Failure not_found, conflict
 */
async function lockBoth(transaction: Transaction, seen: { from: Seen; into: Seen }): Promise<[Customer, Customer]> {
  const found = await transaction
    .select()
    .from(organisations)
    .where(and(inArray(organisations.id, [seen.from.id, seen.into.id]), eq(organisations.kind, "customer")))
    .orderBy(asc(organisations.id))
    .for("no key update");
  const [from, into] = [seen.from, seen.into].map(({ id }) => found.find((each) => each.id === id));
  if (!from || !into) throw notFound("This customer");
  if (from.version !== seen.from.version || into.version !== seen.into.version)
    throw new Failure("conflict", messages.organizationChanged);
  return [from, into];
}

/**
 * Locks quotes, orders and records before anything moves: entering money locks an order first, so both wait in the same
 * order.
 */
async function lockOwned(transaction: Transaction, { id }: Customer): Promise<void> {
  const ofFrom = eq(quotes.organisationId, id);
  await transaction.select({ id: quotes.id }).from(quotes).where(ofFrom).orderBy(asc(quotes.id)).for("no key update");
  const bought = eq(orders.organisationId, id);
  await transaction.select({ id: orders.id }).from(orders).where(bought).orderBy(asc(orders.id)).for("update");
  await lockRecords(transaction, id);
  // From here on no new row can refer to it: earlier ones are moved, later writers are told of the merge.
  await transaction.select({ id: organisations.id }).from(organisations).where(eq(organisations.id, id)).for("update");
}

/** An e-mail may occur only once in an organisation: of two rows the joined one stays, or else the one of `into`. */
async function moveInvitations(
  services: Services,
  transaction: Transaction,
  { actor }: Scope<"any">,
  from: Customer,
  into: Customer,
) {
  const invited = isInvitedTo([from.id, into.id]);
  // Locked before they are read, so that an invitation accepted meanwhile counts as joined.
  await transaction.select({ id: people.id }).from(people).where(invited).orderBy(asc(people.id)).for("update");
  const twice = sql`exists (select from people as other where other.email = people.email and other.id <> people.id
    and other.organisation_id in (${from.id}, ${into.id})
    and (other.joined_at is not null or other.organisation_id = ${into.id}))`;
  const removed = await transaction.select({ id: people.id }).from(people).where(and(invited, twice));
  for (const { id } of removed) {
    // oxlint-disable-next-line no-await-in-loop -- there is hardly ever one
    await noteWithdrawn(transaction, id, services.now());
    // oxlint-disable-next-line no-await-in-loop
    await transaction.delete(people).where(eq(people.id, id));
  }
  await forgetValues(
    transaction,
    actor.personId,
    "person",
    removed.map(({ id }) => id),
  );
}

/** A customer has one main person, so that of `from` becomes a child account and has to sign in for a new token. */
async function movePeople(
  services: Services,
  transaction: Transaction,
  { actor }: Scope<"any">,
  from: Customer,
  into: Customer,
) {
  const demoted = await transaction
    .update(people)
    .set({ role: "userChild", version: sql`${people.version} + 1` })
    .where(and(eq(people.organisationId, from.id), eq(people.role, "user")))
    .returning({ id: people.id, joinedAt: people.joinedAt });
  const ids = demoted.filter(({ joinedAt }) => joinedAt).map(({ id }) => id);
  if (ids.length > 0) await endAccess(transaction, ids, services.now());
  await transaction.update(people).set({ organisationId: into.id }).where(eq(people.organisationId, from.id));
  for (const id of ids)
    // oxlint-disable-next-line no-await-in-loop -- there is one
    await audit(transaction, actor.personId, "change role", `person:${id}`, {
      before: { role: "user" },
      after: { role: "userChild" },
    });
}

async function moveTools(transaction: Transaction, from: Customer, into: Customer, weighed: Weighed): Promise<void> {
  const { toolsOfFrom, toolsOfInto } = weighed;
  if (!toolsOfFrom) return;
  await transaction.delete(customerTools).where(eq(customerTools.organisationId, from.id));
  if (!toolsOfInto) await transaction.insert(customerTools).values({ ...toolsOfFrom, organisationId: into.id });
}

/** A customer that has paid and has no dashboards goes on waiting for them. */
async function moveWait(transaction: Transaction, from: Customer, into: Customer): Promise<void> {
  const isWait = and(eq(actionItems.queue, "dashboards"), isNull(actionItems.closedAt));
  const isServed = sql`exists (select from customer_tools where organisation_id = ${into.id})`;
  const waits = transaction.select({ id: actionItems.subjectId }).from(actionItems);
  await transaction
    .update(actionItems)
    .set({ subjectId: into.id, who: into.name })
    .where(
      and(
        isWait,
        eq(actionItems.subjectId, from.id),
        not(isServed),
        notExists(waits.where(and(isWait, eq(actionItems.subjectId, into.id)))),
      ),
    );
}

/** For the audit log: what the merge deletes, and how much it moved. */
function toldOf(from: Customer, weighed: Weighed): Record<string, unknown> {
  const { toolsOfFrom, toolsOfInto } = weighed;
  return {
    merged: from.name,
    mergedId: from.id,
    gstin: from.gstin,
    partner: weighed.partnerOfFrom,
    people: weighed.joined,
    quotes: weighed.quotes,
    orders: weighed.orders,
    ...(toolsOfFrom && toolsOfInto && { siem: toolsOfFrom.siemUrl, soar: toolsOfFrom.soarUrl }),
  };
}
