import { and, asc, eq, lte } from "drizzle-orm";
import { isDue } from "../database/is-due.ts";
import { eInvoices } from "../database/schema/index.ts";
import { endOfRun } from "../jobs/do-each.ts";
import type { Services } from "../services.ts";
import { askedWithin, nextAskAt } from "./next-ask.ts";
import { registerDocument } from "./register-document.ts";
import { settleCancellation } from "./settle-cancellation.ts";

type EInvoice = typeof eInvoices.$inferSelect;

/** A run ends before the queue takes it for dead. */
const runMs = 30_000;
/** After this many failures in a row the portal counts as down: further calls would only run into their time limits. */
const failuresMax = 2;

/**
 * Registers due documents, looks up those already sent and performs cancellations. Like `reconcilePayments`, it works
 * from the rows, so it also finds work whose request or process died.
 */
export async function settleEInvoices(services: Services): Promise<void> {
  const isOver = endOfRun(services, runMs);
  let failures = 0;
  while (failures < failuresMax && !isOver()) {
    const due = await takeDue(services);
    if (!due) return;
    const isAnswered = due.cancelAskedAt
      ? await settleCancellation(services, due)
      : await registerDocument(services, due);
    failures = isAnswered ? 0 : failures + 1;
  }
}

/**
 * Takes the row that has been due for longest and postpones it at once, so that a concurrent run, or one after a crash,
 * takes others.
 */
async function takeDue({ database, now }: Services): Promise<EInvoice | undefined> {
  return database.transaction(async (transaction) => {
    const [due] = await transaction
      .select()
      .from(eInvoices)
      // The portal refuses a document with a future date.
      .where(and(isDue(eInvoices.nextAskAt, now(), askedWithin), lte(eInvoices.dueAt, now())))
      .orderBy(asc(eInvoices.nextAskAt))
      .limit(1)
      .for("update", { skipLocked: true });
    if (!due) return undefined;
    await transaction
      .update(eInvoices)
      .set({ nextAskAt: nextAskAt(due.failures, now()) })
      .where(eq(eInvoices.id, due.id));
    return due;
  });
}
