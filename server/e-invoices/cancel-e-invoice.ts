import { and, eq, inArray } from "drizzle-orm";
import { cancelHours, tellsHours } from "../../contract/cancel-reasons.ts";
import { later } from "../../contract/durations.ts";
import type { Input } from "../../contract/operations.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { creditNotes, eInvoices, invoices, orders, refunds } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

type EInvoice = typeof eInvoices.$inferSelect;

/**
 * Until when an e-invoice can be cancelled (`asked`), and until when the portal still shows that it was cancelled there
 * (`told`). Null where neither is possible, such as for a credit note, whose money has already gone back.
 */
export const cancelUntil = ({ state, ackAt, invoiceId, cancelAskedAt }: EInvoice): { asked: Date; told: Date } | null =>
  state === "registered" && ackAt && invoiceId && !cancelAskedAt
    ? { asked: later(ackAt, { hours: cancelHours }), told: later(ackAt, { hours: tellsHours }) }
    : null;

/**
 * Has a job cancel an invoice's registration at the portal, or record that it is cancelled there; the invoice then has
 * no effect. A repeated request changes nothing.
 * @throws Failure not_found; conflict where it is too late, or money of the order has gone back
 */
export async function cancelEInvoice(
  services: Services,
  { actor }: Scope<"any">,
  { id, reason, remark }: Input<"admin/e-invoices/cancel">,
): Promise<string> {
  await services.database.transaction(async (transaction) => {
    const row = await lockEInvoice(transaction, id);
    if (row.cancelAskedAt || row.state === "cancelled") return;
    refuseTooLate(row, services.now());
    await refuseCredited(transaction, row);
    await transaction
      .update(eInvoices)
      .set({
        cancelAskedAt: services.now(),
        cancelAskedBy: actor.personId,
        cancelReason: reason,
        cancelRemark: remark,
        nextAskAt: services.now(),
        failures: 0,
      })
      .where(eq(eInvoices.id, id));
    await services.jobs.add(transaction, "settle-e-invoices", {});
    await audit(transaction, actor.personId, "ask to cancel e-invoice", `e-invoice:${row.number}`, { reason, remark });
  });
  return "The portal is asked to cancel it. The order shows what it answers.";
}

/** Locks the order first, so that it takes turns with refunds of the order. */
async function lockEInvoice(transaction: Transaction, id: string): Promise<EInvoice> {
  const [known] = await transaction
    .select({ orderId: invoices.orderId })
    .from(eInvoices)
    .innerJoin(invoices, eq(invoices.id, eInvoices.invoiceId))
    .where(eq(eInvoices.id, id));
  if (!known) throw notFound("This e-invoice");
  await transaction.select({ id: orders.id }).from(orders).where(eq(orders.id, known.orderId)).for("update");
  const [row] = await transaction.select().from(eInvoices).where(eq(eInvoices.id, id)).for("update");
  if (!row) throw notFound("This e-invoice");
  return row;
}

function refuseTooLate(row: EInvoice, now: Date): void {
  const until = cancelUntil(row);
  if (until && now < until.told) return;
  throw new Failure(
    "conflict",
    until
      ? `The portal cancels within ${cancelHours} hours only, and after ${tellsHours} it does not tell what was cancelled there. Give the money back: its credit note does the rest.`
      : "It has no number of the portal that could be cancelled.",
  );
}

async function refuseCredited(transaction: Transaction, { invoiceId }: EInvoice): Promise<void> {
  const ofInvoice = eq(invoices.id, invoiceId ?? "");
  const credited = await transaction
    .select({ id: creditNotes.id })
    .from(creditNotes)
    .innerJoin(invoices, and(eq(invoices.id, creditNotes.invoiceId), ofInvoice))
    .limit(1);
  const goingBack = await transaction
    .select({ id: refunds.id })
    .from(refunds)
    .innerJoin(invoices, and(eq(invoices.orderId, refunds.orderId), ofInvoice))
    .where(inArray(refunds.state, ["asked", "approved", "sent", "done"]))
    .limit(1);
  if (credited.length + goingBack.length > 0)
    throw new Failure(
      "conflict",
      "Money of this order has gone back, or is on its way: its credit note corrects the invoice. It can't be cancelled besides.",
    );
}
