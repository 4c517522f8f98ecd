import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { customerTools, orders, organisations, people, quotes } from "../database/schema/index.ts";

type Customer = typeof organisations.$inferSelect;

/** What two customers have, as far as it matters for a merge. */
export type Weighed = Awaited<ReturnType<typeof weigh>>;

export async function weigh(database: Database | Transaction, from: Customer, into: Customer) {
  const ofFrom = eq(people.organisationId, from.id);
  const [joined, invited, quoteCount, orderCount, underWay, mains, tools, partners] = await inTurn([
    () => database.$count(people, and(ofFrom, isNotNull(people.joinedAt))),
    () => database.$count(people, and(ofFrom, isNull(people.joinedAt))),
    () => database.$count(quotes, eq(quotes.organisationId, from.id)),
    () => database.$count(orders, eq(orders.organisationId, from.id)),
    () =>
      database.$count(
        orders,
        and(
          inArray(orders.organisationId, [from.id, into.id]),
          inArray(orders.state, ["initiated", "pending", "review"]),
        ),
      ),
    () =>
      database
        .select({
          organisationId: people.organisationId,
          suspendedAt: people.suspendedAt,
          emailVerifiedAt: people.emailVerifiedAt,
        })
        .from(people)
        .where(
          and(
            inArray(people.organisationId, [from.id, into.id]),
            eq(people.role, "user"),
            isNotNull(people.joinedAt),
            isNull(people.erasedAt),
          ),
        ),
    () =>
      database
        .select()
        .from(customerTools)
        .where(inArray(customerTools.organisationId, [from.id, into.id])),
    () =>
      database
        .select({ id: organisations.id, name: organisations.name })
        .from(organisations)
        .where(
          inArray(
            organisations.id,
            [from.partnerId, into.partnerId].filter((id) => id !== null),
          ),
        ),
  ]);
  const toolsOf = (id: string) => tools.find(({ organisationId }) => organisationId === id) ?? null;
  const mainsOf = (id: string) => mains.filter(({ organisationId }) => organisationId === id);
  const partnerName = (id: string | null) => partners.find((partner) => partner.id === id)?.name ?? null;
  return {
    joined,
    invited,
    quotes: quoteCount,
    orders: orderCount,
    underWay,
    mainsOfFrom: mainsOf(from.id),
    mainsOfInto: mainsOf(into.id),
    toolsOfFrom: toolsOf(from.id),
    toolsOfInto: toolsOf(into.id),
    partnerOfFrom: partnerName(from.partnerId),
    partnerOfInto: partnerName(into.partnerId),
  };
}

/** A transaction has one connection, so its queries run one after the other. */
async function inTurn<const Asked extends readonly (() => PromiseLike<unknown>)[]>(asked: Asked) {
  const answers: unknown[] = [];
  // oxlint-disable-next-line no-await-in-loop -- in turn, as the name says
  for (const ask of asked) answers.push(await ask());
  return answers as { [Index in keyof Asked]: Awaited<ReturnType<Asked[Index]>> };
}

/** Why they can't be merged now; null if they can. */
export function refusalOfMerge(from: Customer, into: Customer, weighed: Weighed): string | null {
  if (from.id === into.id) return "This is one and the same customer.";
  const suspended = [from, into].find(({ suspendedAt }) => suspendedAt !== null);
  if (suspended) return `${suspended.name} is suspended. A merge would give its people access: restore it first.`;
  for (const [{ name }, mains] of [[from, weighed.mainsOfFrom] as const, [into, weighed.mainsOfInto] as const])
    if (mains.length > 0 && mains.every(({ suspendedAt }) => suspendedAt !== null))
      return `Whoever answers for ${name} is suspended, and its child accounts are shut out with them. A merge would change who gets in: restore that person first.`;
  if (weighed.underWay > 0) return "A payment of one of the two is under way. Please merge them when it has ended.";
  if (weighed.mainsOfInto.every(({ emailVerifiedAt }) => emailVerifiedAt === null))
    return `Nobody who answers for ${into.name} has signed in yet. Please merge it into ${from.name} instead.`;
  return null;
}

/** Sentences for the person who decides. */
export function sentencesOfMerge(from: Customer, into: Customer, weighed: Weighed) {
  const moves = [
    `${counted(weighed.joined, "person", "people")} of ${from.name} ${weighed.joined === 1 ? "keeps" : "keep"} signing in as before, as child accounts of ${into.name}.`,
    weighed.invited > 0 &&
      `${counted(weighed.invited, "open invitation", "open invitations")} ${weighed.invited === 1 ? "leads" : "lead"} to ${into.name}; one to an address that is there already goes.`,
    `${counted(weighed.quotes, "quote", "quotes")} and ${counted(weighed.orders, "order", "orders")} with their invoices, which say what they said.`,
    weighed.toolsOfFrom && !weighed.toolsOfInto && "The addresses of the dashboards.",
    takesBilling(from, into) && "The billing details.",
  ];
  const stays = [
    `Whoever answers for ${into.name} goes on doing so; nobody of ${from.name} adds or removes users any more.`,
    weighed.toolsOfFrom &&
      weighed.toolsOfInto &&
      `The dashboards of ${into.name}. Those of ${from.name} are shown to nobody any more; the audit log keeps their addresses.`,
    weighed.partnerOfFrom !== weighed.partnerOfInto &&
      `${into.name} stays with ${weighed.partnerOfInto ?? "no partner"}; ${weighed.partnerOfFrom ?? "no partner"} loses sight of ${from.name}.`,
    !takesBilling(from, into) &&
      from.gstin &&
      from.gstin !== into.gstin &&
      `GSTIN ${into.gstin ?? "none"}, not ${from.gstin}.`,
    `What the audit log says about ${from.name} stays with it: administrators read it, ${into.name} does not.`,
  ];
  return { moves: moves.filter(isSentence), stays: stays.filter(isSentence) };
}

/** Billing details move together, and only to a customer without any. */
export const takesBilling = (from: Customer, into: Customer) => !hasBilling(into) && hasBilling(from);

const hasBilling = ({ billingKind, gstin, billingAddress, billingState }: Customer) =>
  Boolean(billingKind ?? gstin ?? billingAddress ?? billingState);

const isSentence = (text: unknown): text is string => typeof text === "string" && text !== "";
const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
