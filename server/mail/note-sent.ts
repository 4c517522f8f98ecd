import { setTimeout as sleep } from "node:timers/promises";
import { and, inArray, isNull, sql } from "drizzle-orm";
import { mails } from "../database/schema/index.ts";
import { isOutage } from "../failures/outage.ts";
import type { Services } from "../services.ts";

/** The content of a sent mail is deleted: it may give access to an account. */
export const whenSent = ({ now }: Services) => ({
  sentAt: now(),
  tries: sql`${mails.tries} + 1`,
  lastError: null,
  content: null,
});

/** Mails that are out and could not be noted yet: this process does not send them again. */
const unnoted = new Set<string>();

export const isOut = (mailId: string): boolean => unnoted.has(mailId);

/** How long to wait; with the waiting and the last try still shorter than a stop waits for jobs. */
const noteSentMs = 2000;

/**
 * Records sent mails when the sending transaction lost the database: without this, they would be sent again. Goes on
 * while their job waits for its next try, which comes a second after the database is back at the earliest.
 */
export async function noteSent(services: Services, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const id of ids) unnoted.add(id);
  const noting = keepNoting(services, ids).finally(() => {
    for (const id of ids) unnoted.delete(id);
  });
  await Promise.race([noting, sleep(noteSentMs, undefined, { ref: false })]);
}

async function keepNoting(services: Services, ids: readonly string[]): Promise<void> {
  const { database, log } = services;
  for (;;)
    try {
      // oxlint-disable-next-line no-await-in-loop -- the tries follow one another
      await database
        .update(mails)
        .set(whenSent(services))
        .where(and(inArray(mails.id, [...ids]), isNull(mails.sentAt)));
      return;
    } catch (error) {
      if (database.$client.ending || !isOutage(error)) {
        log.warn({ err: error, mailIds: ids }, "mails that are out could not be noted: they go out again");
        return;
      }
      // oxlint-disable-next-line no-await-in-loop
      await sleep(250, undefined, { ref: false });
    }
}
