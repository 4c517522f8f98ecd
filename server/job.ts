import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { SQL } from "drizzle-orm";
import type { JobData } from "./jobs/job-data.ts";
import type { JobName } from "./jobs/jobs.ts";
import type { Services } from "./services.ts";

/** Rows that are written with their job and show by themselves whether its result has come. */
export interface OwedRows<Key> {
  table: PgTable & { id: PgColumn };
  since: PgColumn;
  missing: SQL | undefined;
  /** Under which name a job carries the row's id. */
  key: Key;
}

/** How the jobs of one queue are done. */
export type Job<Name extends JobName> = {
  /** What is owed to somebody when a job is lost, or why nothing is. */
  owed: OwedRows<keyof JobData[Name] & string> | { nothingBecause: string };
  /** How often a job that failed is tried again; 100 times where nothing is said. */
  retryLimit?: number;
  /** How long one may take; a minute where nothing is said. */
  expireInSeconds?: number;
  /** When the clock adds one, as cron has it, in UTC. */
  clock?: string;
  /** Whether each start of the product adds one too. */
  atStart?: boolean;
} & (
  | { run(services: Services, data: JobData[Name]): Promise<void>; atOnce?: number }
  /** Answers for each job why to try it again, or null. */
  | { runBatch(services: Services, batch: JobData[Name][]): Promise<(Error | null)[]>; atOnce: number }
);

/** The jobs of one capability; server/upkeep/jobs.ts gathers them. */
export type JobTable<Name extends JobName> = { [Each in Name]: Job<Each> };
