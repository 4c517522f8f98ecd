import { and, eq, sql } from "drizzle-orm";
import { formatRupees, paiseFrom } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Input } from "../../contract/operations.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { whoIs } from "../audit/who-is.ts";
import type { Transaction } from "../database/database.ts";
import { ledgerEntries, orders, writeOffRequests } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { postEntry } from "../ledger/post-entry.ts";
import { refuseOtherTry } from "../ledger/refuse-other-try.ts";
import { notify } from "../notices/notify.ts";
import { settleOtherSum } from "../orders/other-sum.ts";
import { waitsForSecond } from "../refunds/ask-refund.ts";
import type { Services } from "../services.ts";
import { settleOrder } from "./match-transfer.ts";
import { asPartPaid, type PartPaid } from "./part-paid.ts";
import { whyNotWrittenOff, writtenOffAlonePaise } from "./why-not-written-off.ts";

type Order = typeof orders.$inferSelect;
type Request = typeof writeOffRequests.$inferSelect;
type Wanted = Pick<Request, "id" | "amountPaise" | "reason">;

/**
 * Writes off what an order owes, never more, or the small rest of a proforma by which money has come. What single
 * persons wrote off of an order may total the operator's limit; beyond it another main administrator has to agree.
 * Repeating the same id changes nothing. Returns a sentence for the page.
 * @throws Failure not_found, conflict
 */
export async function writeOff(
  services: Services,
  scope: Scope<"any">,
  { id, order_id: orderId, amount, reason }: Input<"admin/receivables/settle">,
): Promise<string> {
  const wanted = { id, amountPaise: paiseFrom(amount), reason };
  return services.database.transaction(async (transaction) => {
    const order = await lockOrder(transaction, orderId);
    const known = await findKnown(transaction, order, wanted);
    if (known) return known;
    const partPaid = await asPartPaid(transaction, order);
    const refused = whyNotWrittenOff(order, partPaid, wanted.amountPaise);
    if (refused) throw new Failure("conflict", refused, { fields: { amount: refused } });
    const alonePaise = (await writtenOffAlonePaise(transaction, orderId)) + wanted.amountPaise;
    if (alonePaise > services.env.refundApprovalPaise)
      return askForConsent(services, transaction, scope, order, wanted);
    const { personId } = scope.actor;
    return enter(services, transaction, personId, { order, partPaid, ...wanted, writtenBy: personId });
  });
}

/**
 * Agrees to a write-off as the second person. The order's lock makes people take turns; the table, too, takes no consent
 * of whoever asked.
 * @throws Failure conflict, not_found
 */
export async function agreeToWriteOff(services: Services, { actor }: Scope<"any">, id: string): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const { order, request } = await lockRequest(transaction, id);
    if (request.askedBy === actor.personId)
      throw new Failure("conflict", "You asked for this write-off yourself: somebody else has to agree to it.");
    const partPaid = await asPartPaid(transaction, order);
    const refused = whyNotWrittenOff(order, partPaid, request.amountPaise);
    if (refused) throw new Failure("conflict", `${refused} Please refuse this request.`);
    await decide(services, transaction, request, { state: "agreed", decidedBy: actor.personId });
    return enter(services, transaction, actor.personId, { order, partPaid, ...request, writtenBy: request.askedBy });
  });
}

/**
 * Refuses a waiting write-off, or withdraws one's own.
 * @throws Failure conflict, not_found
 */
export async function declineWriteOff(services: Services, { actor }: Scope<"any">, id: string): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const { order, request } = await lockRequest(transaction, id);
    await decide(services, transaction, request, { state: "declined", decidedBy: actor.personId });
    const { amountPaise } = request;
    await audit(transaction, actor.personId, "decline write-off", `order:${order.id}`, { amountPaise });
    return `${request.askedBy === actor.personId ? "Withdrawn" : "Refused"}. Nothing was written off.`;
  });
}

async function lockOrder(transaction: Transaction, orderId: string): Promise<Order> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId)).for("update");
  if (!order) throw notFound("This order");
  return order;
}

/** Locks a waiting write-off's order. @throws Failure not_found; conflict if it waits no more */
async function lockRequest(transaction: Transaction, id: string): Promise<{ order: Order; request: Request }> {
  const [asked] = await transaction.select().from(writeOffRequests).where(eq(writeOffRequests.id, id));
  if (!asked) throw notFound("This write-off");
  const order = await lockOrder(transaction, asked.orderId);
  const [request = asked] = await transaction.select().from(writeOffRequests).where(eq(writeOffRequests.id, id));
  if (request.state !== "asked") throw await decidedAlready(transaction, request);
  return { order, request };
}

async function decidedAlready(transaction: Transaction, { state, decidedBy }: Request): Promise<Failure> {
  const who = await whoIs(transaction, decidedBy);
  return new Failure("conflict", `${who} has ${state === "agreed" ? "agreed to" : "declined"} this write-off already.`);
}

const decide = (
  { now }: Services,
  transaction: Transaction,
  { id }: Request,
  decided: Pick<Request, "state" | "decidedBy">,
) =>
  transaction
    .update(writeOffRequests)
    .set({ ...decided, decidedAt: now(), problem: null })
    .where(eq(writeOffRequests.id, id));

/** What an earlier call with the same id has done. @throws Failure conflict if it asked for something else, or in vain */
async function findKnown(transaction: Transaction, order: Order, wanted: Wanted): Promise<string | null> {
  const [request] = await transaction.select().from(writeOffRequests).where(eq(writeOffRequests.id, wanted.id));
  const [entry] = await transaction
    .select()
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.kind, "write-off"), eq(ledgerEntries.eventId, wanted.id)));
  const known = entry ?? request;
  if (!known) return null;
  refuseOtherTry({ ...known, amountPaise: Math.abs(known.amountPaise) }, { ...wanted, orderId: order.id });
  if (entry || !request) return doneSentence(order, wanted);
  if (request.state !== "asked") throw await decidedAlready(transaction, request);
  return waitsSentence(transaction, wanted, request.askedBy);
}

const doneSentence = ({ serial }: Order, { amountPaise }: Wanted) =>
  `${formatRupees(amountPaise)} of ${orderNumber(serial)} are written off.`;

const waitsSentence = async (transaction: Transaction, { amountPaise }: Wanted, askedBy: string | null) =>
  `${await waitsForSecond(transaction, amountPaise, askedBy)} Nothing is written off before.`;

/** @throws Failure conflict if another write-off of the order waits already */
async function askForConsent(
  services: Services,
  transaction: Transaction,
  { actor }: Scope<"any">,
  order: Order,
  wanted: Wanted,
): Promise<string> {
  const amount = formatRupees(wanted.amountPaise);
  const [asked] = await transaction
    .insert(writeOffRequests)
    .values({
      ...wanted,
      orderId: order.id,
      state: "asked",
      askedBy: actor.personId,
      askedAt: services.now(),
      problem: `${amount} wait for another main administrator: ${wanted.reason}`,
    })
    .onConflictDoNothing({ target: writeOffRequests.orderId, where: sql`state = 'asked'` })
    .returning();
  const number = orderNumber(order.serial);
  if (!asked)
    throw new Failure(
      "conflict",
      `A write-off of ${number} waits for another main administrator already. Its History says what was asked for.`,
    );
  const { id, amountPaise, reason } = asked;
  await audit(transaction, actor.personId, "ask write-off", `order:${order.id}`, { amountPaise, reason });
  const facts = { organizationName: order.organisationName, orderNumber: number, amount };
  await notify(transaction, "write-off to approve", id, facts, { except: actor.personId });
  return waitsSentence(transaction, wanted, actor.personId);
}

/**
 * Enters a write-off into the ledger. Of a proforma, what came pays the order and its invoice is made. Returns a
 * sentence for the page.
 * @param doneBy who wrote it off, or agreed to it
 */
async function enter(
  services: Services,
  transaction: Transaction,
  doneBy: string,
  written: Wanted & { order: Order; partPaid: PartPaid | null; writtenBy: string },
): Promise<string> {
  const { order, partPaid, id, amountPaise, reason, writtenBy } = written;
  if (partPaid)
    await settleOrder(services, transaction, { ...partPaid.order, givenUpPaise: amountPaise }, partPaid.last);
  await postEntry(transaction, {
    orderId: order.id,
    kind: "write-off",
    eventId: id,
    amountPaise: -amountPaise,
    about: "Written off",
    reason,
    writtenBy,
    at: services.now(),
  });
  await settleOtherSum(services, transaction, order.id, "debt", "The rest was written off.");
  await audit(transaction, doneBy, "write off", `order:${order.id}`, { amountPaise, reason });
  return partPaid
    ? `${formatRupees(amountPaise)} of ${orderNumber(order.serial)} are given up. What came pays it, and its invoice goes out.`
    : doneSentence(order, written);
}
