import type { CheckedPool } from "../database/pool.ts";
import type { JobData } from "./job-data.ts";
import { priorities } from "./turns.ts";

export interface QueueDepth {
  queue: keyof JobData;
  /** Jobs that wait for their first or next try. */
  waiting: number;
  active: number;
  /** Jobs that used up their tries, while they are kept. */
  failed: number;
  /** How long the oldest waiting job has waited; 0 when none waits. */
  oldestSeconds: number;
}

/**
 * The queue keeps the counts itself, and the oldest job of each priority is the first in an index: cheap even with a
 * million jobs. A plain "created_on" in the order would mean the selected column, which has no index. A job scheduled
 * for later counts as waiting from then on; one being retried, from when it was added.
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
