import { and, inArray, isNull, sql } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { isDue } from "../database/is-due.ts";
import { engineBindings } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { paceSeconds, staleAfter } from "./pace.ts";

const claimedMax = 2000;

/** Adds a job for each binding that is due. Processes that run this at the same moment share the bindings. */
export async function pollDue(services: Services): Promise<void> {
  const now = services.now();
  await services.database.transaction(async (transaction) => {
    const due = await transaction
      .select({ id: engineBindings.id })
      .from(engineBindings)
      .where(
        and(
          isNull(engineBindings.removedAt),
          isDue(engineBindings.nextPollAt, later(now, { seconds: 30 }), staleAfter),
        ),
      )
      .orderBy(engineBindings.nextPollAt)
      .limit(claimedMax)
      .for("update", { skipLocked: true });
    if (due.length === 0) return;
    const ids = due.map(({ id }) => id);
    await transaction
      .update(engineBindings)
      .set({
        nextPollAt: sql`${now.toISOString()}::timestamptz + make_interval(secs => ${paceSeconds} * (0.8 + 0.4 * random()))`,
      })
      .where(inArray(engineBindings.id, ids));
    await services.jobs.addAll(
      transaction,
      "poll-engine",
      ids.map((bindingId) => ({ bindingId })),
    );
  });
}
