import type { Database } from "../database/database.ts";
import type { JobName } from "./jobs.ts";

export interface FailedJob {
  id: string;
  queue: JobName;
  failedAt: Date;
  tries: number;
  reason: string | null;
}

/**
 * The newest jobs of these queues that used up their tries. The queue keeps them for a week, without an index: this is
 * a heavy read.
 */
export async function readFailedJobs(database: Database, queues: string[], limit: number): Promise<FailedJob[]> {
  const { rows } = await database.$client.query<FailedJob>(
    `select id, name as queue, completed_on as "failedAt", retry_count + 1 as tries, output->>'message' as reason
      from jobs.job where name = any($1) and state = 'failed' order by completed_on desc limit $2`,
    [queues, limit],
  );
  return rows;
}
