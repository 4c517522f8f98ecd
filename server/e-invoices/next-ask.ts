import { and, eq, inArray, isNotNull, or } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { eInvoices } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

type EInvoice = typeof eInvoices.$inferSelect;

const minutesMax = 30;
/** No next try is planned further ahead than this. */
export const askedWithin = { hours: 1 };
/** After this long without an answer a person is told. */
const silentHours = 1;

/** After one minute, two, four and so on: portals block callers that fail too often. */
export const nextAskAt = (failures: number, now: Date) =>
  later(now, { minutes: Math.min(2 ** Math.min(failures, 10), minutesMax) });

/**
 * Records that the portal gave no answer: it is asked again after ever longer pauses, and a person is told once it has
 * lasted. A row that was settled meanwhile stays as it is.
 */
export async function noteSilence(services: Services, { id, number, ...row }: EInvoice, error: unknown): Promise<void> {
  const { database, log, now } = services;
  log.warn({ err: error, number }, "the invoice registration portal could not be asked");
  const since = row.cancelAskedAt ?? row.dueAt;
  const isLong = now() >= later(since, { hours: silentHours });
  await database
    .update(eInvoices)
    .set({
      failures: row.failures + 1,
      nextAskAt: nextAskAt(row.failures + 1, now()),
      ...(isLong && {
        problem: `The portal gives no answer about ${number}. It is asked again by itself; look whether the portal or your provider is down.`,
      }),
    })
    .where(and(eq(eInvoices.id, id), isUnsettled));
}

const isUnsettled = or(
  inArray(eInvoices.state, ["due", "sent", "refused"]),
  and(eq(eInvoices.state, "registered"), isNotNull(eInvoices.cancelAskedAt)),
);
