import { earlier } from "../../contract/durations.ts";
import { and, lt, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import type { OwedRows } from "../job.ts";
import type { JobData } from "../jobs/job-data.ts";
import type { JobName } from "../jobs/jobs.ts";
import type { Services } from "../services.ts";

/** Older than the first tries of a job that was not lost. */
const graceMinutes = 10;
/** In one transaction, and in how many at a time: a restore in the middle of an announcement leaves a hundred thousand. */
const atOnce = 2500;
const roundsMax = 20;
/** What failed a hundred times may never succeed: it is tried a few times more, then after a tenth of its age, and so on. */
const moreRetries = 2;
const restHoursMax = 4;

/** Gives everything of one kind that is owed and has no job any more a new one. */
export async function resumeOwed(services: Services, name: JobName, owed: OwedRows<string>): Promise<void> {
  for (let round = 0; round < roundsMax; round++)
    // oxlint-disable-next-line no-await-in-loop -- the next begins where this one ends
    if ((await resumeSome(services, name, owed)) < atOnce) return;
}

/** Answers how many have a new job now, the longest owed first. */
function resumeSome(
  services: Services,
  name: JobName,
  { table, since, missing, key }: OwedRows<string>,
): Promise<number> {
  const now = services.now();
  // The queue keeps its jobs in a schema of its own.
  const jobsOf = sql`from jobs.job where name = ${name} and data->>${key} = ${table.id}::text`;
  const restsUntil = sql`completed_on + least((completed_on - ${since}) / 10, make_interval(hours => ${restHoursMax}))`;
  return services.database.transaction(async (transaction) => {
    const lost = await transaction
      .select({ id: sql<string>`${table.id}` })
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
    const failures = await findFailures(transaction, name, key, lost);
    for (const { id } of lost) {
      const failed = failures.get(id);
      // Once for each, not at every round: what can never succeed would fill the log.
      if (failed?.times === 1)
        services.log.error(
          { queue: name, id, reason: failed.reason },
          "all tries used up: tried again, less and less often",
        );
    }
    const again = lost.map(({ id }) => ({ [key]: id }) as JobData[JobName]);
    await services.jobs.addAll(transaction, name, again, { retries: moreRetries });
    return lost.length;
  });
}

/** How often the jobs of these have used up their tries, and why the last one did: of all at once, as no index finds those of one. */
async function findFailures(transaction: Transaction, name: JobName, key: string, rows: readonly { id: string }[]) {
  const { rows: failed } = await transaction.execute<{ id: string; times: number; reason: string | null }>(sql`
    select data->>${key} as id, count(*)::int as times,
      (array_agg(output->>'message' order by completed_on desc))[1] as reason
    from jobs.job
    where name = ${name} and state = 'failed' and data->>${key} = any(${sql.param(rows.map(({ id }) => id))}::text[])
    group by 1`);
  return new Map(failed.map((each) => [each.id, each]));
}
