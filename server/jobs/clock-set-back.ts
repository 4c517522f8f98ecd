import type { CheckedPool } from "../database/pool.ts";
import { isOutage } from "../failures/outage.ts";
import type { Logger } from "pino";

const lookEveryMs = 15_000;

/**
 * Notices that the database's clock was set back, and moves what the queue noted before into the past. The queue does
 * nothing by the clock, and takes up no job of a killed process, until the time that it last noted has come again: that
 * may be months ahead. Answers a function that stops it.
 */
export function watchClock(pool: CheckedPool, log: Logger): () => void {
  const look = () =>
    moveIntoPast(pool).then(
      (isSetBack) => isSetBack && log.warn("the database's clock was set back: the schedule goes on from now"),
      (error: unknown) => {
        if (!isOutage(error)) log.error({ err: error }, "the queue's times could not be looked at");
      },
    );
  void look();
  const timer = setInterval(() => void look(), lookEveryMs).unref();
  return () => clearInterval(timer);
}

/**
 * Returns whether the queue had noted a time that is still to come. It notes one every half a minute: a step back of
 * less than a minute is over soon, and what it notes while this statement waits for it is no step back.
 */
export async function moveIntoPast(pool: CheckedPool): Promise<boolean> {
  const { rows } = await pool.query<{ is: boolean }>(statement);
  return rows[0]?.is ?? false;
}

const past = (column: string) => `${column} = case when ${column} > now() then now() else ${column} end`;
const columns = (...names: string[]) => names.map(past).join(", ");

// A job that waits keeps the time it had left to wait.
const statement = `with ahead as (
    update jobs.version set ${columns("cron_on", "bam_on", "flow_on", "reindex_on")} where cron_on > now() + interval '1 minute' returning 1),
  queues as (
    update jobs.queue set ${columns("monitor_on", "monitor_claim_on", "maintain_on")} where exists (select from ahead)),
  moved as (
    update jobs.job set ${columns("created_on", "started_on", "heartbeat_on")}, start_after = case
        when state < 'active' and greatest(created_on, started_on) > now()
        then now() + greatest(start_after - greatest(created_on, started_on), interval '0') else start_after end
    where exists (select from ahead) and state < 'completed' and greatest(created_on, started_on, heartbeat_on) > now())
  select exists (select from ahead) as is`;
