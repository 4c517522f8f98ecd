import { and, eq, inArray } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { eInvoices } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/**
 * Has the portal asked again by a job at once, with the document as it is now. Not to be called while its entry in the
 * queue is locked: whoever has an answer of the portal has the document before the entry.
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

/** Why to ask again can't help; null where it can. */
export async function whyNotAgain(database: Database | Transaction, id: string): Promise<string | null> {
  const [row] = await database.select().from(eInvoices).where(eq(eInvoices.id, id));
  if (row?.state === "cancelled")
    return "It is cancelled at the portal for good. Give the money of its order back, or note here what was done instead.";
  return row?.state === "registered"
    ? "It is registered. Where it has to be cancelled, do that in the order below."
    : null;
}
