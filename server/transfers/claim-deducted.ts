import { randomUUID } from "node:crypto";
import type { Transaction } from "../database/database.ts";
import { type orders, taxDeductions } from "../database/schema/index.ts";
import { postEntry } from "../ledger/post-entry.ts";
import type { Services } from "../services.ts";

/** Claims the tax that the buyer deducts, together with the invoice; its certificate is awaited from then on. */
export async function claimDeducted(
  { now }: Services,
  transaction: Transaction,
  { id: orderId, deducts }: typeof orders.$inferSelect,
): Promise<void> {
  if (!deducts || deducts.amountPaise === 0) return;
  const id = randomUUID();
  const [claimed] = await transaction
    .insert(taxDeductions)
    .values({ id, orderId, ...deducts, claimedAt: now() })
    .onConflictDoNothing({ target: taxDeductions.orderId })
    .returning({ id: taxDeductions.id });
  if (!claimed) return;
  await postEntry(transaction, {
    orderId,
    kind: "tax deducted",
    eventId: id,
    amountPaise: -deducts.amountPaise,
    about: `Section ${deducts.section}`,
    at: now(),
  });
}
