import { and, asc, eq, gt, lt } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { closeProforma } from "../billing/proformas.ts";
import type { Transaction } from "../database/database.ts";
import { orders, proformas } from "../database/schema/index.ts";
import { doEach, pageOfJob } from "../jobs/do-each.ts";
import { showAttempts } from "../orders/show-attempts.ts";
import type { Services } from "../services.ts";

/** An unpaid proforma is voided this long after its due day, well after the last reminder. */
const openDays = 45;

/** Voids proformas that nobody will pay any more. A transfer that still comes for one is found by its reference. */
export const expireProformas = (services: Services): Promise<void> =>
  doEach(
    services,
    "a proforma could not be made void",
    (after: Old | undefined) => findOld(services, after),
    ({ orderId }) => services.database.transaction((transaction) => expire(services, transaction, orderId)),
  );

interface Old {
  id: string;
  orderId: string;
}

const findOld = ({ database, now }: Services, after: Old | undefined): Promise<Old[]> =>
  database
    .select({ id: proformas.id, orderId: proformas.orderId })
    .from(proformas)
    .where(
      and(
        eq(proformas.state, "open"),
        lt(proformas.dueOn, writtenDay(earlier(now(), { days: openDays }))),
        after && gt(proformas.id, after.id),
      ),
    )
    .orderBy(asc(proformas.id))
    .limit(pageOfJob);

async function expire(services: Services, transaction: Transaction, orderId: string): Promise<void> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId)).for("update");
  // Part of it has come, which a person has to settle.
  if (!order || order.owedPaise !== 0) return;
  const voidBecause = "Nothing was transferred in time.";
  if (!(await closeProforma(services, transaction, orderId, { voidBecause, actorId: null }))) return;
  await transaction
    .update(orders)
    .set({ state: "expired", updatedAt: services.now() })
    .where(and(eq(orders.id, orderId), eq(orders.state, "awaiting_transfer")));
  await showAttempts(transaction, orderId, services.now());
}
