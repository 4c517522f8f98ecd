import { and, eq, lt } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { closeProforma } from "../billing/proformas.ts";
import { orders, proformas } from "../database/schema/index.ts";
import { showAttempts } from "../orders/show-attempts.ts";
import type { Services } from "../services.ts";

/** So long after its due day a proforma by which nothing came is void: the last reminder is well over by then. */
const openDays = 45;

/** Makes proformas void that nobody will pay any more; what is transferred for one all the same is found by its reference. */
export async function expireProformas(services: Services): Promise<void> {
  const last = writtenDay(earlier(services.now(), { days: openDays }));
  const due = await services.database
    .select({ orderId: proformas.orderId })
    .from(proformas)
    .where(and(eq(proformas.state, "open"), lt(proformas.dueOn, last)));
  for (const { orderId } of due)
    // oxlint-disable-next-line no-await-in-loop -- a transaction for each, so that one that fails stops no other
    await services.database.transaction(async (transaction) => {
      const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId)).for("update");
      // A part of it has come: that is for a person to settle.
      if (!order || order.owedPaise !== 0) return;
      const voidBecause = "Nothing was transferred in time.";
      if (!(await closeProforma(services, transaction, orderId, { voidBecause, actorId: null }))) return;
      await transaction
        .update(orders)
        .set({ state: "expired", updatedAt: services.now() })
        .where(and(eq(orders.id, orderId), eq(orders.state, "awaiting_transfer")));
      await showAttempts(transaction, orderId, services.now());
    });
}
