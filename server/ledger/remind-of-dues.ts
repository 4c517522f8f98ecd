import { and, asc, eq, gt, sql } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Transaction } from "../database/database.ts";
import { orders, proformas } from "../database/schema/index.ts";
import { doEach, pageOfJob } from "../jobs/do-each.ts";
import { owedBesideNothing } from "./free-credit.ts";
import { findAnswering } from "../accounts/queries.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";

type Order = typeof orders.$inferSelect;

/** When each reminder is due, in days after the due day. If several are due, only the latest is ever sent. */
const steps = [
  { key: "before", days: -3, when: "before" },
  { key: "on", days: 0, when: "on" },
  { key: "after 7", days: 7, when: "after" },
  { key: "after 30", days: 30, when: "after" },
] as const;
type Step = (typeof steps)[number];

/** A reminder is useless this many days after its day. */
const usefulDays = 3;

/**
 * Reminds buyers before a payment is due, on that day, and twice after it. Each reminder is sent once; the order
 * remembers this for longer than its mails are kept.
 */
export async function remindOfDues(services: Services): Promise<void> {
  await doEach(
    services,
    "a buyer could not be reminded of what is due",
    (after: Owing | undefined) => findOwing(services, after),
    ({ id }) => services.database.transaction((transaction) => remind(services, transaction, id)),
  );
}

interface Owing {
  id: string;
  dueOn: string;
}

/** Orders that are overdue or due within three days, and have not had the last reminder. */
const findOwing = ({ database, now }: Services, after: Owing | undefined): Promise<Owing[]> =>
  database
    .select({ id: orders.id, dueOn: orders.sortedDueOn })
    .from(orders)
    .where(
      and(
        eq(orders.isUnsettled, true),
        gt(orders.openPaise, 0),
        sql`${orders.sortedDueOn} <= ${writtenDay(later(now(), { days: -steps[0].days }))}::date`,
        sql`(reminded_due_on, reminded_days) is distinct from (due_on, ${steps[3].days}::int)`,
        after && sql`(${orders.sortedDueOn}, ${orders.id}) > (${after.dueOn}::date, ${after.id}::uuid)`,
      ),
    )
    .orderBy(asc(orders.sortedDueOn), asc(orders.id))
    .limit(pageOfJob);

async function remind(services: Services, transaction: Transaction, orderId: string): Promise<void> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId)).for("update");
  if (!order?.dueOn) return;
  const openPaise = order.expectedPaise + owedBesideNothing(order);
  const step = openPaise > 0 ? stepFor(order, services.now()) : undefined;
  if (!step) return;
  const person = await findAnswering(transaction, order.organisationId, ({ id }) => id === order.buyerId);
  const [proforma] = await transaction
    .select({ number: proformas.number })
    .from(proformas)
    .where(and(eq(proformas.orderId, order.id), eq(proformas.state, "open")));
  const document = proforma?.number ?? order.invoiceNumber;
  if (!person || !document) return;
  const { dueOn } = order;
  await queueMail(services, transaction, {
    // Includes the day: another proforma of the same order starts its reminders again.
    eventKey: `due:${order.id}:${dueOn}:${step.key}`,
    to: person.email,
    content: {
      template: "due",
      // If this reminder goes out a day late, the due day is past.
      when: step.when === "on" && dueOn < writtenDay(services.now()) ? "after" : step.when,
      name: person.id === order.buyerId ? order.billTo.name : `${person.firstName} ${person.lastName}`,
      document,
      isInvoice: proforma === undefined,
      orderNumber: orderNumber(order.serial),
      openPaise,
      dueOn,
      link: `${services.publicUrl}/user/payments-due`,
    },
    uselessAfter: later(services.now(), { days: usefulDays }),
  });
  await transaction
    .update(orders)
    .set({ remindedDueOn: dueOn, remindedDays: step.days })
    .where(eq(orders.id, order.id));
}

/** The reminder that is due for an order, unless it or a later one was sent. A new due day starts again. */
function stepFor(order: Order, now: Date): Step | undefined {
  const { dueOn, remindedDueOn, remindedDays } = order;
  if (dueOn === null) return undefined;
  const step = stepOn(dueOn, now);
  const isDone = remindedDueOn === dueOn && remindedDays !== null && step !== undefined && remindedDays >= step.days;
  return isDone ? undefined : step;
}

function stepOn(dueOn: string, now: Date): Step | undefined {
  const today = startOfWrittenDay(writtenDay(now)).getTime();
  const days = Math.round((today - startOfWrittenDay(dueOn).getTime()) / 86_400_000);
  return steps.findLast((step) => days >= step.days);
}
