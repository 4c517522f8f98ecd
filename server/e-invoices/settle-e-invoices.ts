import { and, asc, eq, lte } from "drizzle-orm";
import { isDue } from "../database/is-due.ts";
import { eInvoices } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { askedWithin, nextAskAt } from "./next-ask.ts";
import { registerDocument } from "./register-document.ts";
import { settleCancellation } from "./settle-cancellation.ts";

type EInvoice = typeof eInvoices.$inferSelect;

/** One run ends before the queue takes it for dead. */
const runMs = 30_000;
/** After so many failures in a row the portal is down: asking on would only wait for each time limit. */
const failuresMax = 2;

/**
 * Registers what is due, asks what became of what was sent, and has cancelled what is to be. Like `reconcilePayments`,
 * whatever lost its request or its process on the way is found here, by its row.
 */
export async function settleEInvoices(services: Services): Promise<void> {
  const stopAt = performance.now() + runMs;
  let failures = 0;
  while (failures < failuresMax && performance.now() < stopAt) {
    const due = await takeDue(services);
    if (!due) return;
    const isAnswered = due.cancelAskedAt
      ? await settleCancellation(services, due)
      : await registerDocument(services, due);
    failures = isAnswered ? 0 : failures + 1;
  }
}

/** The one that has been due for longest, put off at once: a second run, or the next one after a crash, takes others. */
async function takeDue({ database, now }: Services): Promise<EInvoice | undefined> {
  return database.transaction(async (transaction) => {
    const [due] = await transaction
      .select()
      .from(eInvoices)
      // The portal refuses a document of a day that is yet to come.
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
