import { and, eq, isNotNull, sql } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { orderNumber } from "../../contract/numbers.ts";
import { orders, people, proformas } from "../database/schema/index.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";

/** So many days after the due day each reminder is due; the last one that is comes, those before it never any more. */
const steps = [
  { key: "before", days: -3, when: "before" },
  { key: "on", days: 0, when: "on" },
  { key: "after 7", days: 7, when: "after" },
  { key: "after 30", days: 30, when: "after" },
] as const;

/** Reminders are of no use so long after their day. */
const usefulDays = 3;

/** Reminds buyers of what is to be paid: before it is due, on that day, and twice after it; each once. */
export async function remindOfDues(services: Services): Promise<void> {
  const now = services.now();
  const owing = await services.database
    .select({ order: orders, email: people.email, proforma: proformas })
    .from(orders)
    .innerJoin(people, eq(people.id, orders.buyerId))
    .leftJoin(proformas, and(eq(proformas.orderId, orders.id), eq(proformas.state, "open")))
    .where(and(eq(orders.isUnsettled, true), isNotNull(orders.dueOn), sql`owed_paise + expected_paise > 0`));
  for (const { order, email, proforma } of owing) {
    const dueOn = order.dueOn ?? "";
    const step = stepOn(dueOn, now);
    const document = proforma?.number ?? order.invoiceNumber;
    if (!step || !document) continue;
    // oxlint-disable-next-line no-await-in-loop -- a transaction for each: what is written stays when a later one fails
    await services.database.transaction((transaction) =>
      queueMail(services, transaction, {
        // The day, too: another proforma of the same order begins anew.
        eventKey: `due:${order.id}:${dueOn}:${step.key}`,
        to: email,
        content: {
          template: "due",
          // On the second day after it is not due today any more.
          when: step.when === "on" && dueOn < writtenDay(now) ? "after" : step.when,
          name: order.billTo.name,
          document,
          isInvoice: proforma === null,
          orderNumber: orderNumber(order.serial),
          openPaise: order.owedPaise + order.expectedPaise,
          dueOn,
          link: `${services.publicUrl}/user/payments-due`,
        },
        uselessAfter: later(now, { days: usefulDays }),
      }),
    );
  }
}

function stepOn(dueOn: string, now: Date): (typeof steps)[number] | undefined {
  const today = startOfWrittenDay(writtenDay(now)).getTime();
  const days = Math.round((today - startOfWrittenDay(dueOn).getTime()) / 86_400_000);
  return steps.findLast((step) => days >= step.days);
}
