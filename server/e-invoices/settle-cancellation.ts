import { and, eq, inArray } from "drizzle-orm";
import { orderNumber } from "../../contract/numbers.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { creditNotes, eInvoices, invoices, ledgerEntries, orders } from "../database/schema/index.ts";
import { lowerClaim } from "../ledger/lower-claim.ts";
import { postEntry } from "../ledger/post-entry.ts";
import { takeBackWriteOff } from "../ledger/take-back-write-off.ts";
import { notify } from "../notices/notify.ts";
import type { InvoiceRegistrar, Registration } from "../outside/e-invoices/registrar.ts";
import type { Services } from "../services.ts";
import { mailCancelled } from "./mail-cancelled.ts";
import { noteSilence } from "./next-ask.ts";
import { sentenceOf } from "./reasons.ts";

type EInvoice = typeof eInvoices.$inferSelect;

/** Cancels a registration at the portal, as somebody asked. Safe to repeat. Returns false if no answer came. */
export async function settleCancellation(services: Services, row: EInvoice): Promise<boolean> {
  const { registrar, database, now } = services;
  try {
    if (!registrar) throw new Error("No portal is configured");
    const answer = await cancelled(registrar, row);
    await database.transaction(async (transaction) => {
      const isCancelled = "cancelledAt" in answer;
      // The order is locked first, as everywhere, to take turns with refunds of the order.
      const invoice = await lockInvoice(transaction, row);
      const [changed] = await transaction
        .update(eInvoices)
        .set(
          isCancelled
            ? {
                state: "cancelled",
                cancelledAt: answer.cancelledAt ?? now(),
                nextAskAt: null,
                problem: stillToDo(row, invoice),
              }
            : { cancelAskedAt: null, nextAskAt: null, problem: notCancelled(row, sentenceOf(answer.refused)) },
        )
        .where(and(eq(eInvoices.id, row.id), eq(eInvoices.state, "registered")))
        .returning();
      if (!changed) return;
      if (isCancelled && invoice) await cancelDebt(services, transaction, invoice);
      const action = isCancelled ? "cancel e-invoice" : "e-invoice not cancelled";
      await audit(transaction, row.cancelAskedBy, action, `e-invoice:${row.number}`, {
        reason: row.cancelReason,
        remark: row.cancelRemark,
        ...("refused" in answer && { refused: answer.refused }),
      });
    });
    return true;
  } catch (error) {
    await noteSilence(services, row, error);
    return false;
  }
}

/**
 * Records a registration that somebody cancelled at the portal itself before we knew it: with the same consequences,
 * but no person's name. Returns false where a person has to look instead: for a credit note, or an invoice that was
 * credited meanwhile.
 */
export async function takeCancelled(services: Services, row: EInvoice, registration: Registration): Promise<boolean> {
  const { irn, ackNumber, ackAt, signedQr, signedInvoice } = registration;
  return services.database.transaction(async (transaction) => {
    const invoice = await lockInvoice(transaction, row);
    if (!invoice) return false;
    const { id } = invoice.invoice;
    if ((await transaction.$count(creditNotes, eq(creditNotes.invoiceId, id))) > 0) return false;
    const [changed] = await transaction
      .update(eInvoices)
      .set({
        irn,
        ackNumber,
        ackAt,
        signedQr,
        signedInvoice,
        state: "cancelled",
        cancelledAt: services.now(),
        nextAskAt: null,
        reasons: [],
        failures: 0,
        problem: stillToDo(row, invoice),
      })
      .where(and(eq(eInvoices.id, row.id), inArray(eInvoices.state, ["due", "sent", "refused"])))
      .returning();
    if (!changed) return true;
    await cancelDebt(services, transaction, invoice);
    await audit(transaction, null, "cancel e-invoice", `e-invoice:${row.number}`, { irn, ackNumber });
    return true;
  });
}

/**
 * If the portal refuses, asks it for the state: an earlier call, or somebody at the portal, may have cancelled it
 * already.
 */
async function cancelled(registrar: InvoiceRegistrar, { irn, cancelReason, cancelRemark }: EInvoice) {
  if (!irn || !cancelReason) throw new Error("There is nothing to cancel");
  const answer = await registrar.cancel(irn, cancelReason, cancelRemark ?? "");
  if ("cancelledAt" in answer) return answer;
  const known = await registrar.findByIrn(irn);
  return known?.isCancelled ? { cancelledAt: null } : answer;
}

async function lockInvoice(transaction: Transaction, { invoiceId }: EInvoice): Promise<LockedInvoice | null> {
  if (invoiceId === null) return null;
  const ofInvoice = transaction.select({ id: invoices.orderId }).from(invoices).where(eq(invoices.id, invoiceId));
  const [order] = await transaction.select().from(orders).where(inArray(orders.id, ofInvoice)).for("update");
  // Read after the order's lock, which also guards the invoice's sending.
  const [invoice] = await transaction.select().from(invoices).where(eq(invoices.id, invoiceId));
  if (!order || !invoice) return null;
  const came = and(eq(ledgerEntries.orderId, order.id), eq(ledgerEntries.kind, "payment"));
  return { invoice, order, hasMoney: order.paymentId !== null || (await transaction.$count(ledgerEntries, came)) > 0 };
}

interface LockedInvoice {
  invoice: typeof invoices.$inferSelect;
  order: typeof orders.$inferSelect;
  /** Whether any payment was received. */
  hasMoney: boolean;
}

/**
 * Ends all that is owed for the cancelled invoice: its total, the tax to be deducted from it, and what was written off.
 * The buyer, who may have booked it, is told.
 */
async function cancelDebt(
  services: Services,
  transaction: Transaction,
  { invoice, order }: LockedInvoice,
): Promise<void> {
  const { id: eventId, orderId, number: about, content } = invoice;
  const at = services.now();
  const reason = `${about} was cancelled: nothing of it is owed.`;
  await takeBackWriteOff(services, transaction, { orderId, eventId, camePaise: content.totalPaise, reason });
  await postEntry(transaction, {
    orderId,
    kind: "invoice cancelled",
    eventId,
    amountPaise: -content.totalPaise,
    about,
    at,
  });
  await lowerClaim(services, transaction, { orderId, eventId, reason });
  const facts = { invoiceNumber: about, orderNumber: orderNumber(order.serial) };
  await notify(transaction, "invoice cancelled", eventId, facts, { organisationId: order.organisationId });
  // For an invoice that has not gone out yet, the job that renders it tells the buyer.
  if (invoice.file) await mailCancelled(services, transaction, invoice, order);
}

const stillToDo = ({ number }: EInvoice, locked: LockedInvoice | null) =>
  locked?.hasMoney === false
    ? `${number} is cancelled, and nothing is owed by it any more: note here under which document the service is billed now, or take its devices away.`
    : `${number} is cancelled, and its order was paid, all or a part: give the money back, or note here under which document the service is billed now.`;

const notCancelled = ({ number }: EInvoice, why: string) => `The portal did not cancel ${number}: ${why}`;
