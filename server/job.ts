import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { SQL } from "drizzle-orm";
import type { JobData } from "./jobs/job-data.ts";
import type { JobName } from "./jobs/jobs.ts";
import type { Services } from "./services.ts";

/**
 * Rows written together with their job, which show whether its result is still missing: a lost job is then added again.
 */
export interface OwedRows<Key> {
  table: PgTable & { id: PgColumn };
  since: PgColumn;
  missing: SQL | undefined;
  /** The field of the job's data that holds the row's id. */
  key: Key;
}

/** How the jobs of one queue are run. */
export type Job<Name extends JobName> = {
  /** Which rows still wait for a result when a job is lost, or why nobody waits for one. */
  owed: OwedRows<keyof JobData[Name] & string> | { nothingBecause: string };
  /** How often a failed job is retried; 100 times by default. */
  retryLimit?: number;
  /** How long one job may take; a minute by default. */
  expireInSeconds?: number;
  /** Cron expression, in UTC, by which the queue adds a job. */
  clock?: string;
  /** Whether each start of the product also adds a job. */
  atStart?: boolean;
} & (
  | { run(services: Services, data: JobData[Name]): Promise<void>; atOnce?: number }
  | {
      /** Answers for each job the reason to retry it, or null. */
      runBatch(services: Services, batch: JobData[Name][]): Promise<(Error | null)[]>;
      atOnce: number;
      /** Whether a further worker takes urgent jobs alone, so that these do not wait for batches in which one hangs. */
      urgentApart?: boolean;
    }
);

/** The jobs of one capability; server/upkeep/jobs.ts gathers them. */
export type JobTable<Name extends JobName> = { [Each in Name]: Job<Each> };
