import { and, asc, type Column, eq, inArray, min, notInArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import {
  attempts,
  invoices,
  ledgerEntries,
  mails,
  orders,
  paymentEvents,
  people,
  proformas,
  refunds,
  transfers,
  writeOffRequests,
} from "../database/schema/index.ts";
import { findEInvoices } from "../e-invoices/present.ts";
import { byHandPaise } from "../ledger/free-credit.ts";
import { onTopOfTransfersPaise, sumsOfTransfers } from "../refunds/payment.ts";
import type { Services } from "../services.ts";

/** Everything known about what happened to an order. */
export type OrderFacts = NonNullable<Awaited<ReturnType<typeof readFacts>>>;
export type TryFacts = OrderFacts["tries"][number];
export type RefundFacts = OrderFacts["refunds"][number];

/** The caller has checked that the order is within the reader's scope. */
export async function readFacts(services: Services, orderId: string) {
  const { database } = services;
  const [order] = await database.select().from(orders).where(eq(orders.id, orderId));
  if (!order) return undefined;
  const [invoice] = await database.select().from(invoices).where(eq(invoices.orderId, orderId));
  // The mail with the invoice, and the receipt that followed an invoice issued before payment.
  const [mailed, receipt] = await database
    .select({ sentAt: mails.sentAt, waits: sql<boolean>`${mails.sentAt} is null and ${mails.content} is not null` })
    .from(mails)
    .where(inArray(mails.eventKey, [`receipt:${orderId}`, `invoice-due:${orderId}`]))
    .orderBy(asc(mails.id));
  const asked = await database
    .select()
    .from(proformas)
    .where(eq(proformas.orderId, orderId))
    .orderBy(asc(proformas.serial));
  const came = await database
    .select()
    .from(transfers)
    .where(eq(transfers.orderId, orderId))
    .orderBy(asc(transfers.createdAt), asc(transfers.id));
  const byTransfer = await sumsOfTransfers(database, orderId);
  return {
    order,
    invoice,
    mailed,
    receipt,
    proformas: asked,
    transfers: came,
    tries: await readTries(services, orderId),
    refunds: await readRefunds(services, orderId),
    entries: await readEntries(services, orderId),
    byTransfer,
    onTopPaise: await onTopOfTransfersPaise(database, order, byTransfer),
    byHandPaise: await byHandPaise(database, orderId),
    eInvoices: await findEInvoices(services, orderId),
  };
}

const fullName = (person: Record<"firstName" | "lastName", Column>) =>
  sql<string | null>`${person.firstName} || ' ' || ${person.lastName}`;

async function readTries({ database }: Services, orderId: string) {
  const successor = alias(people, "successor");
  const tries = await database
    .select({ try: attempts, startedBy: fullName(people), supersededBy: fullName(successor) })
    .from(attempts)
    .leftJoin(people, eq(people.id, attempts.startedBy))
    .leftJoin(successor, eq(successor.id, attempts.supersededBy))
    .where(eq(attempts.orderId, orderId))
    .orderBy(asc(attempts.id));
  const heard = await database
    .select({
      attemptId: paymentEvents.attemptId,
      firstAt: min(paymentEvents.receivedAt),
      returnedAt: sql<
        string | null
      >`min(${paymentEvents.receivedAt}) filter (where ${paymentEvents.source} = 'return')`,
    })
    .from(paymentEvents)
    .where(
      and(
        inArray(
          paymentEvents.attemptId,
          tries.map((each) => each.try.id),
        ),
        // These do not show whether anybody has visited the gateway's page.
        notInArray(paymentEvents.outcome, ["not begun", "given back", "not given back", "said refund", "said dispute"]),
      ),
    )
    .groupBy(paymentEvents.attemptId);
  return tries.map(({ try: attempt, ...names }) => {
    const known = heard.find(({ attemptId }) => attemptId === attempt.id);
    const returnedAt = known?.returnedAt ? new Date(known.returnedAt) : null;
    return { ...attempt, names, atGatewayAt: known?.firstAt ?? null, returnedAt };
  });
}

function readEntries({ database }: Services, orderId: string) {
  const second = alias(people, "second");
  return database
    .select({ entry: ledgerEntries, writtenBy: fullName(people), agreedBy: fullName(second) })
    .from(ledgerEntries)
    .leftJoin(people, eq(people.id, ledgerEntries.writtenBy))
    .leftJoin(
      writeOffRequests,
      and(eq(ledgerEntries.kind, "write-off"), eq(writeOffRequests.id, ledgerEntries.eventId)),
    )
    .leftJoin(second, eq(second.id, writeOffRequests.decidedBy))
    .where(eq(ledgerEntries.orderId, orderId))
    .orderBy(asc(ledgerEntries.at), asc(ledgerEntries.id));
}

/** The write-off that waits for a second person, for our staff; null if none does. */
export async function readWriteOff({ database }: Services, orderId: string) {
  const [waiting] = await database
    .select({ request: writeOffRequests, askedBy: fullName(people) })
    .from(writeOffRequests)
    .leftJoin(people, eq(people.id, writeOffRequests.askedBy))
    .where(and(eq(writeOffRequests.orderId, orderId), eq(writeOffRequests.state, "asked")));
  return waiting ?? null;
}

function readRefunds({ database }: Services, orderId: string) {
  const second = alias(people, "second");
  const payer = alias(people, "payer");
  return database
    .select({
      refund: refunds,
      paymentId: attempts.gatewayPaymentId,
      askedBy: fullName(people),
      approvedBy: fullName(second),
      paidOutBy: fullName(payer),
    })
    .from(refunds)
    .leftJoin(attempts, eq(attempts.id, refunds.attemptId))
    .leftJoin(people, eq(people.id, refunds.askedBy))
    .leftJoin(second, eq(second.id, refunds.approvedBy))
    .leftJoin(payer, eq(payer.id, refunds.paidOutBy))
    .where(eq(refunds.orderId, orderId))
    .orderBy(asc(refunds.askedAt), asc(refunds.id));
}
