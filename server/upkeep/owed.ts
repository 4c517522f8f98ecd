import { and, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { invoices, mails, quotes } from "../database/schema/index.ts";
import type { JobData, JobName } from "../jobs/jobs.ts";
import type { Services } from "../services.ts";

/** Rows that are written with their job and show by themselves whether its result has come. */
interface Owed<Key> {
  table: PgTable & { id: PgColumn };
  since: PgColumn;
  missing: SQL | undefined;
  /** Under which name a job carries the row's id. */
  key: Key;
}

/** For each queue: what is owed to somebody when a job is lost, or why nothing is. */
const owed: { [Name in JobName]: Owed<keyof JobData[Name] & string> | { nothingBecause: string } } = {
  "render-proposal": {
    table: quotes,
    since: quotes.createdAt,
    missing: isNull(quotes.proposalFile),
    key: "quoteId",
  },
  "render-invoice": { table: invoices, since: invoices.issuedAt, missing: isNull(invoices.file), key: "invoiceId" },
  "send-mail": {
    table: mails,
    since: mails.createdAt,
    missing: and(isNull(mails.sentAt), isNotNull(mails.content)),
    key: "mailId",
  },
  "mail-reset-link": { nothingBecause: "who asked can ask again; a link that comes a day later would only alarm" },
  "reconcile-payments": { nothingBecause: "the clock adds the next one" },
  "apply-retention": { nothingBecause: "the sweep asks for it once a day" },
  sweep: { nothingBecause: "the clock adds the next one" },
};

/** Older than the first tries of a job that was not lost. */
const graceMinutes = 10;
const atOnce = 500;
/** What failed a hundred times may never succeed: it is tried a few times more, then after a tenth of its age, and so on. */
const moreRetries = 2;
const restHoursMax = 4;

/** Gives everything that is owed and has no job any more a new one. */
export async function resumeOwed(services: Services): Promise<void> {
  for (const [name, kind] of Object.entries(owed)) {
    if ("key" in kind) await resume(services, name as JobName, kind);
  }
}

async function resume(services: Services, name: JobName, { table, since, missing, key }: Owed<string>): Promise<void> {
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
          lt(since, new Date(now.getTime() - graceMinutes * 60_000)),
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
      await services.jobs.add(transaction, name, { [key]: id } as never, { retries: moreRetries });
    }
  });
}
