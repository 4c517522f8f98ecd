import { and, eq, inArray } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { eInvoices } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/**
 * Has a job ask the portal again at once, with the document's current data. Must not be called while the document's
 * entry in the action queue is locked: code that handles the portal's answer locks the document before the entry.
 */
export async function askAgainAbout({ database, jobs, now }: Services, id: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction
      .update(eInvoices)
      .set({ nextAskAt: now(), failures: 0 })
      .where(and(eq(eInvoices.id, id), inArray(eInvoices.state, ["due", "sent", "refused"])));
    await jobs.add(transaction, "settle-e-invoices", {});
  });
}

/** Why asking again can't help; null where it can. */
export async function whyNotAgain(database: Database | Transaction, id: string): Promise<string | null> {
  const [row] = await database.select().from(eInvoices).where(eq(eInvoices.id, id));
  if (row?.state === "cancelled")
    return "It is cancelled at the portal for good. Give the money of its order back, or note here what was done instead.";
  return row?.state === "registered"
    ? "It is registered. Where it has to be cancelled, do that in the order below."
    : null;
}
