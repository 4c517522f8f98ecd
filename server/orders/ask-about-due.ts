import { and, asc, eq, type SQL } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { isDue } from "../database/is-due.ts";
import { attempts } from "../database/schema/index.ts";
import { endOfRun } from "../jobs/do-each.ts";
import type { Services } from "../services.ts";
import { checkedWithin } from "./next-check.ts";

type Attempt = typeof attempts.$inferSelect;

/** What a run asks the gateway. */
interface Question {
  /** Which attempts it is about. */
  about: SQL;
  /** When to ask again about an attempt if the gateway gives no answer. */
  retryAt(transaction: Transaction, due: Attempt): Date | Promise<Date>;
  /** @throws when the gateway gives no answer */
  ask(due: Attempt): Promise<void>;
  /** What the log says when it gives none. */
  failure: string;
}

/** After this many failures in a row the gateway is taken to be down; each further question would only time out. */
const failuresMax = 3;

/** Asks the gateway about one due attempt after the other, within the time of one run. */
export async function askAboutDue(services: Services, question: Question): Promise<void> {
  const isOver = endOfRun(services);
  let failures = 0;
  while (failures < failuresMax && !isOver()) {
    const due = await takeDue(services, question);
    if (!due) return;
    try {
      await question.ask(due);
      failures = 0;
    } catch (error) {
      services.log.warn({ err: error, reference: due.reference }, question.failure);
      failures++;
    }
  }
}

/**
 * Takes the attempt that has been due longest, and postpones it before asking: several processes can share the work,
 * and an attempt that gets no answer waits behind the others.
 */
async function takeDue({ database, now }: Services, { about, retryAt }: Question): Promise<Attempt | undefined> {
  return database.transaction(async (transaction) => {
    const [due] = await transaction
      .select()
      .from(attempts)
      .where(and(isDue(attempts.nextCheckAt, now(), checkedWithin), about))
      .orderBy(asc(attempts.nextCheckAt))
      .limit(1)
      .for("update", { skipLocked: true });
    if (!due) return undefined;
    const nextCheckAt = await retryAt(transaction, due);
    await transaction.update(attempts).set({ askedAt: now(), nextCheckAt }).where(eq(attempts.id, due.id));
    return due;
  });
}
