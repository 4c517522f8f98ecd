import { and, asc, eq, exists, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { Person } from "../accounts/queries.ts";
import type { Transaction } from "../database/database.ts";
import { leads, orders, people, quoteDecisions, quoteRevisions, quotes } from "../database/schema/index.ts";
import { cameToNothing, removeOrders } from "../orders/remove-orders.ts";
import { proposalFile } from "../quotes/deliver-proposal.ts";
import type { Services } from "../services.ts";
import { forgetActions, forgetLeads } from "./forget-leads.ts";

export interface Erased {
  /** How many records of each kind. */
  erased: Record<string, number>;
  /** Names in the store, to be removed once the transaction has committed. */
  files: string[];
}

/**
 * Erases what a person asked for and never bought. What was bought stays, without its contact; an estimate of an
 * organisation with other people passes to the person responsible for it.
 */
export async function eraseBusiness(
  services: Services,
  transaction: Transaction,
  { email, person, askedBy }: { email: string; person: Person | undefined; askedBy: string },
): Promise<Erased> {
  await lockQuotes(transaction, email, person);
  const unpaid = person ? await findUnpaid(transaction, person) : [];
  const removedOrders = await removeOrders(transaction, unpaid);
  const asked = await transaction
    .select({
      id: quotes.id,
      organisationId: quotes.organisationId,
      revision: quotes.revision,
      file: quotes.proposalFile,
      // An accepted quote is a contract, just like a paid one.
      isBought: sql`${quotes.decision} is not distinct from 'accepted' or ${exists(
        transaction
          .select({ one: sql`1` })
          .from(orders)
          .where(eq(orders.quoteId, quotes.id)),
      )}`.mapWith(Boolean),
    })
    .from(quotes)
    .where(eq(quotes.userEmail, email))
    .orderBy(asc(quotes.id))
    .for("update");
  const whose = { email, quotes: asked.map(({ id }) => id) };
  await forgetActions(transaction, askedBy, whose);
  const notes = await forgetLeads(transaction, askedBy, whose);
  const outcome: Erased = { erased: { orders: removedOrders, quotes: 0, notes, contacts: 0 }, files: [] };
  for (const quote of asked) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction, one connection
    const heir = quote.isBought ? null : await findHeir(transaction, quote.organisationId, email);
    // oxlint-disable-next-line no-await-in-loop
    if (quote.isBought) await forgetContact(transaction, quote.id);
    // oxlint-disable-next-line no-await-in-loop
    else if (heir) outcome.files.push(...(await passOn(services, transaction, quote.id, heir)));
    else outcome.files.push(...filesOf(quote));
    if (!quote.isBought && !heir) {
      // oxlint-disable-next-line no-await-in-loop
      await detachOthersLead(transaction, quote.id, email);
      // oxlint-disable-next-line no-await-in-loop
      await transaction.delete(quotes).where(eq(quotes.id, quote.id));
      count(outcome, "quotes", 1);
    }
  }
  if (person) await forgetDeclined(transaction, person);
  await eraseContacts(transaction, email, outcome);
  return outcome;
}

/** Locks all quotes involved before any order or lead, as paying, declining and merging do. */
async function lockQuotes(transaction: Transaction, email: string, person: Person | undefined): Promise<void> {
  const asked = transaction.select({ id: quotes.id }).from(quotes).where(eq(quotes.userEmail, email));
  const ordered = transaction
    .select({ id: orders.quoteId })
    .from(orders)
    .where(person ? eq(orders.buyerId, person.id) : sql`false`);
  const made = transaction.select({ id: leads.quoteId }).from(leads).where(eq(leads.userEmail, email));
  await transaction
    .select({ id: quotes.id })
    .from(quotes)
    .where(inArray(quotes.id, sql`(${asked} union all ${ordered} union all ${made})`))
    .orderBy(asc(quotes.id))
    .for("update");
}

const count = ({ erased }: Erased, what: string, more: number) => (erased[what] = (erased[what] ?? 0) + more);

async function findUnpaid(transaction: Transaction, { id }: Person): Promise<string[]> {
  const found = await transaction
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.buyerId, id), cameToNothing(transaction)))
    .for("update");
  return found.map((order) => order.id);
}

/** All proposals made for a quote, including one that was cut off before its name was saved. */
function filesOf({ id, revision, file }: { id: string; revision: number; file: string | null }): string[] {
  const made = Array.from({ length: revision }, (_, index) => proposalFile(id, index + 1));
  return [...new Set([...made, ...(file ? [file] : [])])];
}

/** The person responsible for the organisation who is not being erased; null if there is none. */
async function findHeir(transaction: Transaction, organisationId: string | null, email: string) {
  if (organisationId === null) return null;
  const [heir] = await transaction
    .select()
    .from(people)
    .where(
      and(
        eq(people.organisationId, organisationId),
        eq(people.role, "user"),
        isNotNull(people.joinedAt),
        isNull(people.erasedAt),
        ne(people.email, email),
      ),
    )
    .limit(1);
  return heir ?? null;
}

/** Has the proposal rendered again in the heir's name, in place of the old one; it is not mailed again. */
async function passOn(
  services: Services,
  transaction: Transaction,
  quoteId: string,
  heir: typeof people.$inferSelect,
): Promise<string[]> {
  const userName = `${heir.firstName} ${heir.lastName}`;
  await transaction
    .update(quotes)
    .set({ userName, userEmail: heir.email, phoneNumber: heir.phone, message: "", proposalFile: null })
    .where(eq(quotes.id, quoteId));
  const superseded = await transaction
    .select({ file: quoteRevisions.proposalFile })
    .from(quoteRevisions)
    .where(eq(quoteRevisions.quoteId, quoteId));
  await transaction.update(quoteRevisions).set({ proposalFile: null }).where(eq(quoteRevisions.quoteId, quoteId));
  await services.jobs.add(transaction, "render-proposal", { quoteId });
  return superseded.flatMap(({ file }) => (file ? [file] : []));
}

/** The order and its invoice name the buyer, so the quote need not. Its proposal is part of the contract. */
async function forgetContact(transaction: Transaction, quoteId: string): Promise<void> {
  const nobody = { userName: "Erased person", userEmail: `erased-${quoteId.slice(-12)}@erased.invalid`, message: "" };
  await transaction
    .update(quotes)
    .set({ ...nobody, phoneNumber: "" })
    .where(eq(quotes.id, quoteId));
}

/** Found by the account: an address is the decision's, and may have been another's then. */
async function forgetDeclined(transaction: Transaction, { id }: Person): Promise<void> {
  const nobody = { name: "Erased person", email: "erased@erased.invalid", designation: "", address: "", userAgent: "" };
  await transaction
    .update(quoteDecisions)
    .set({ ...nobody, reason: "" })
    .where(and(eq(quoteDecisions.kind, "declined"), eq(quoteDecisions.personId, id)));
}

/** Keeps a lead that came from somebody else when the quote made in it is deleted. */
async function detachOthersLead(transaction: Transaction, quoteId: string, email: string): Promise<void> {
  await transaction
    .update(leads)
    .set({ quoteId: null, quoteNumber: "", totalPaise: 0, ratesToConfirmUntil: null })
    .where(and(eq(leads.quoteId, quoteId), ne(leads.userEmail, email)));
}

/** A lead whose quote stays takes over the quote's current contact; any other is deleted. */
async function eraseContacts(transaction: Transaction, email: string, outcome: Erased): Promise<void> {
  const areTheirs = eq(leads.userEmail, email);
  await transaction
    .update(leads)
    .set({
      userName: sql`${quotes.userName}`,
      userEmail: sql`${quotes.userEmail}`,
      phone: sql`${quotes.phoneNumber}`,
      organization: sql`${quotes.organizationName}`,
      organizationSize: sql`${quotes.numberOfUsers}`,
      message: sql`${quotes.message}`,
      requestKey: null,
    })
    .from(quotes)
    .where(and(areTheirs, eq(quotes.id, leads.quoteId)));
  const { rowCount } = await transaction.delete(leads).where(areTheirs);
  count(outcome, "contacts", rowCount ?? 0);
}
