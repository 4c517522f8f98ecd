import { earlier } from "../../contract/durations.ts";
import { and, lt, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import type { OwedRows } from "../job.ts";
import type { JobName } from "../jobs/jobs.ts";
import type { Services } from "../services.ts";

/** Longer than the first tries of a job that was not lost take. */
const graceMinutes = 10;
/**
 * How many are added per transaction and how many times: a restore during an announcement leaves a hundred thousand.
 */
const atOnce = 2500;
const roundsMax = 20;
/** What failed a hundred times may never succeed: it gets a few more tries at a time, with growing rests in between. */
const moreRetries = 2;
const restHoursMax = 4;

/** Adds a job for every row of one kind that still lacks its result and has no job left. */
export async function resumeOwed(services: Services, name: JobName, owed: OwedRows<string>): Promise<void> {
  for (let round = 0; round < roundsMax; round++)
    // oxlint-disable-next-line no-await-in-loop -- each round begins where the one before it ended
    if ((await resumeSome(services, name, owed)) < atOnce) return;
}

/** Adds jobs for one batch, the longest owed first. Answers how many. */
function resumeSome(
  services: Services,
  name: JobName,
  { table, since, missing, key }: OwedRows<string>,
): Promise<number> {
  const now = services.now();
  // The queue keeps its jobs in its own schema.
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
      // Logged once per row: one that can never succeed would fill the log.
      if (failed?.times === 1)
        services.log.error(
          { queue: name, id, reason: failed.reason },
          "all tries used up: tried again, less and less often",
        );
    }
    const again = lost.map(({ id }) => ({ [key]: id }));
    await services.jobs.addAll(transaction, name, again, { retries: moreRetries });
    return lost.length;
  });
}

/**
 * How often the jobs of these rows used up their tries, and the last reason; in one query, as no index finds one row's.
 */
async function findFailures(transaction: Transaction, name: JobName, key: string, rows: readonly { id: string }[]) {
  const { rows: failed } = await transaction.execute<{ id: string; times: number; reason: string | null }>(sql`
    select data->>${key} as id, count(*)::int as times,
      (array_agg(output->>'message' order by completed_on desc))[1] as reason
    from jobs.job
    where name = ${name} and state = 'failed' and data->>${key} = any(${sql.param(rows.map(({ id }) => id))}::text[])
    group by 1`);
  return new Map(failed.map((each) => [each.id, each]));
}
