import { earlier } from "../../contract/durations.ts";
import { and, lt, sql } from "drizzle-orm";
import type { OwedRows } from "../job.ts";
import type { JobName } from "../jobs/jobs.ts";
import type { Services } from "../services.ts";

/** Older than the first tries of a job that was not lost. */
const graceMinutes = 10;
const atOnce = 500;
/** What failed a hundred times may never succeed: it is tried a few times more, then after a tenth of its age, and so on. */
const moreRetries = 2;
const restHoursMax = 4;

/** Gives everything of one kind that is owed and has no job any more a new one. */
export async function resumeOwed(
  services: Services,
  name: JobName,
  { table, since, missing, key }: OwedRows<string>,
): Promise<void> {
  const now = services.now();
  // The queue keeps its jobs in a schema of its own.
  const jobsOf = sql`from jobs.job where name = ${name} and data->>${key} = ${table.id}::text`;
  const restsUntil = sql`completed_on + least((completed_on - ${since}) / 10, make_interval(hours => ${restHoursMax}))`;
  await services.database.transaction(async (transaction) => {
    const lost = await transaction
      .select({
        id: table.id,
        failures: sql<number>`(select count(*)::int ${jobsOf} and state = 'failed')`,
        reason: sql<
          string | null
        >`(select output->>'message' ${jobsOf} and state = 'failed' order by completed_on desc limit 1)`,
      })
      .from(table)
      .where(
        and(
          missing,
          lt(since, earlier(now, { minutes: graceMinutes })),
          sql`not exists (select ${jobsOf} and state in ('created', 'retry', 'active'))`,
          sql`not exists (select ${jobsOf} and state = 'failed' and ${restsUntil} > ${now.toISOString()}::timestamptz)`,
        ),
      )
      .orderBy(since)
      .limit(atOnce);
    for (const { id, failures, reason } of lost) {
      // Once for each, not at every round: what can never succeed would fill the log.
      if (failures === 1)
        services.log.error({ queue: name, id, reason }, "all tries used up: tried again, less and less often");
      await services.jobs.add(transaction, name, { [key]: id }, { retries: moreRetries });
    }
  });
}
