import type { CheckedPool } from "../database/pool.ts";
import type { JobData } from "./job-data.ts";
import { priorities } from "./turns.ts";

export interface QueueDepth {
  queue: keyof JobData;
  /** Those that wait for their first or their next try. */
  waiting: number;
  active: number;
  /** Those that used up their tries, as long as they are kept. */
  failed: number;
  /** For how long the oldest of those that wait has been there; 0 when none does. */
  oldestSeconds: number;
}

/**
 * The counts are kept by the queue itself; the oldest of each turn is the first in an index: cheap with a million jobs, too.
 * "created_on" alone would be the column that is selected, which has none. One that is meant for later waits from then on; one that
 * is tried again, from when it was added.
 */
export async function readDepths(pool: CheckedPool, queues: string[]): Promise<QueueDepth[]> {
  const { rows } = await pool.query<QueueDepth>(
    `select name as queue, queued_count as waiting, active_count as active, failed_count as failed,
       coalesce(extract(epoch from now() - (
         select min(oldest.since) from unnest($2::int[]) as turn (priority) cross join lateral (
           select case state when 'created' then greatest(created_on, start_after) else created_on end as since from jobs.job
           where job.name = queue.name and job.priority = turn.priority
             and state < 'active' and not blocked and (state = 'retry' or start_after <= now())
           order by job.created_on limit 1
         ) as oldest
       )), 0)::float8 as "oldestSeconds"
     from jobs.queue where name = any($1) order by name`,
    [queues, Object.values(priorities)],
  );
  return rows;
}
