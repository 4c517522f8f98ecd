import { and, eq } from "drizzle-orm";
import { audit } from "../audit/audit.ts";
import { eInvoices } from "../database/schema/index.ts";
import type { InvoiceRegistrar } from "../outside/e-invoices/registrar.ts";
import type { Services } from "../services.ts";
import { noteSilence } from "./next-ask.ts";
import { sentenceOf } from "./register-document.ts";

type EInvoice = typeof eInvoices.$inferSelect;

/** Has the portal cancel what somebody asked for. Asked twice it is cancelled once. Answers false where no answer came. */
export async function settleCancellation(services: Services, row: EInvoice): Promise<boolean> {
  const { registrar, database, now } = services;
  try {
    if (!registrar) throw new Error("No portal is configured");
    const answer = await cancelled(registrar, row);
    await database.transaction(async (transaction) => {
      const isCancelled = "cancelledAt" in answer;
      const [changed] = await transaction
        .update(eInvoices)
        .set(
          isCancelled
            ? { state: "cancelled", cancelledAt: answer.cancelledAt ?? now(), nextAskAt: null, problem: unpaidFor(row) }
            : { cancelAskedAt: null, nextAskAt: null, problem: notCancelled(row, sentenceOf(answer.refused)) },
        )
        .where(and(eq(eInvoices.id, row.id), eq(eInvoices.state, "registered")))
        .returning();
      if (!changed) return;
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

/** Its own word on it where it refuses: an earlier call, or somebody at the portal itself, may have been first. */
async function cancelled(registrar: InvoiceRegistrar, { irn, cancelReason, cancelRemark }: EInvoice) {
  if (!irn || !cancelReason) throw new Error("There is nothing to cancel");
  const answer = await registrar.cancel(irn, cancelReason, cancelRemark ?? "");
  if ("cancelledAt" in answer) return answer;
  const known = await registrar.findByIrn(irn);
  return known?.isCancelled ? { cancelledAt: null } : answer;
}

const unpaidFor = ({ number }: EInvoice) =>
  `${number} is cancelled, and its order is still paid: give the money back, or note here under which document the service is billed now.`;

const notCancelled = ({ number }: EInvoice, why: string) => `The portal did not cancel ${number}: ${why}`;
