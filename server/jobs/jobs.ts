import { sql } from "drizzle-orm";
import packageOfBoss from "pg-boss/package.json" with { type: "json" };
import { fromDrizzle, type JobResult, PgBoss, type QueueOptions } from "pg-boss";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { sweptData } from "../../contract/retention.ts";
import type { Transaction } from "../database/database.ts";
import { watchClock } from "./clock-set-back.ts";
import { type QueueDepth, readDepths } from "./depths.ts";
import type { JobData } from "./job-data.ts";
import { StartRefused } from "../settings/env.ts";
import { CheckedPool } from "../database/pool.ts";
import type { DatabaseWatch } from "../database/watch.ts";
import { summariseError } from "../failures/describe-error.ts";
import { isOutage, type TellOutage } from "../failures/outage.ts";
import { type Carrier, currentTrace, inSpan, type Span } from "../tracing/span.ts";
import { steadyClock } from "./steady-clock.ts";
import { priorities, type Turn } from "./turns.ts";

export type JobName = keyof JobData;

interface Options {
  startAfterSeconds?: number;
  retries?: number;
}
interface OptionsOfOne extends Options {
  onceInSeconds?: number;
}
interface OptionsOfAll extends Options {
  turn?: Turn | undefined;
}

/**
 * Work that survives a crash: added in the transaction of its cause, done at least once, retried with growing pauses.
 */
export interface Jobs {
  /**
   * Adds a job in the transaction of its cause. With `onceInSeconds`, adds none if one was already added in the same
   * span of time.
   */
  add<Name extends JobName>(
    transaction: Transaction,
    name: Name,
    data: JobData[Name],
    options?: OptionsOfOne,
  ): Promise<void>;
  /** Adds many jobs to one queue in the transaction of their cause. */
  addAll<Name extends JobName>(
    transaction: Transaction,
    name: Name,
    data: readonly JobData[Name][],
    options?: OptionsOfAll,
  ): Promise<void>;
  /** Handles a queue's jobs, up to `atOnce` concurrently. */
  work<Name extends JobName>(
    name: Name,
    handler: (data: JobData[Name]) => Promise<void>,
    atOnce?: number,
  ): Promise<void>;
  /**
   * The same in batches, at most two concurrently; with `urgentApart`, a third one of urgent jobs alone. The handler
   * returns for each job the error for which to retry it, or null.
   */
  workBatches<Name extends JobName>(
    name: Name,
    handler: (batch: JobData[Name][]) => Promise<(Error | null)[]>,
    atOnce: number,
    urgentApart?: boolean,
  ): Promise<void>;
  /** Adds a job by the clock; `cron` is in UTC. */
  schedule(name: JobName, cron: string): Promise<void>;
  /**
   * Gives a job that used up its tries another one. Returns false if the job has not failed for good: also for the
   * second of two concurrent requests.
   */
  retry(transaction: Transaction, name: JobName, id: string): Promise<boolean>;
  /** The queues' depths; the counts may be five seconds old. */
  depths(): Promise<QueueDepth[]>;
  /** Whether a stop can't wait much longer: work that goes row by row then ends after the row at hand. */
  mustEnd(): boolean;
  /** The queue's own database connections. */
  pool: CheckedPool;
  /**
   * Lets running jobs finish for a few seconds; the rest count as failed and are retried. @throws Error naming those
   * queues
   */
  stop(): Promise<void>;
}

/** Each queue's settings: how often a failed job is retried, and how long one may take. */
export type Queues = Record<JobName, Pick<QueueOptions, "retryLimit" | "expireInSeconds">>;

const queueOptions: QueueOptions = {
  retryLimit: 100,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  expireInSeconds: 60,
  // The job of a killed process is retried after this, not only when it would expire.
  heartbeatSeconds: 10,
  deleteAfterSeconds: sweptData.tasks.days * 24 * 3600,
};

// A worker's pause after a batch that was not full: under load, jobs gather meanwhile and one query fetches them.
const restMilliseconds = 250;

/** How long a stop waits for running jobs. */
const finishSeconds = 6;
/** When it asks those that go row by row to end by themselves: short ones are done by then, and a slow row still has time. */
const askToEndSeconds = 2;

/** Longer than for requests: creating the queue's tables and clearing out old jobs takes time. */
const statementSeconds = 60;

/** Without a watch, jobs are only found by polling once a second. */
export async function startJobs(
  databaseUrl: string,
  queues: Queues,
  watch: DatabaseWatch | null,
  log: Logger,
  tellOutage: TellOutage,
  pooled = false,
): Promise<Jobs> {
  const settings = { connectionString: databaseUrl, max: 6, statement_timeout: 1000 * statementSeconds, pooled };
  // Nobody waits for a job as for a page, so a busy machine gets more time to connect.
  const pool = new CheckedPool({ ...settings, application_name: "prahari-jobs", connectionTimeoutMillis: 5000 }, watch);
  const boss = await startBoss(pool, queues, watch, log, tellOutage);
  const stopClock = watchClock(pool, log);
  let mustEnd = false;
  const running = new Map<JobName, number>();
  const count = (name: JobName, change: number) => running.set(name, (running.get(name) ?? 0) + change);
  const workBatches: Jobs["workBatches"] = async (name, handler, atOnce, urgentApart = false) => {
    // Two workers, so that a job that hangs holds up only half; a batch costs as many queries as a single job.
    const batchSize = Math.ceil(atOnce / 2);
    for (const taken of takenBy(atOnce, urgentApart)) {
      const id = await boss.work(
        name,
        { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 5, batchSize, perJobResults: true, ...taken },
        async (jobs: { id: string; data: JobData[typeof name] & Carrier }[]) => {
          const isFull = jobs.length === batchSize;
          count(name, 1);
          const work = () => handler(jobs.map(({ data }) => data));
          const [failures] = await Promise.all([
            answersOf(
              inSpan(spanOf(name, jobs), work).finally(() => count(name, -1)),
              jobs.length,
            ),
            isFull ? null : sleep(restMilliseconds),
          ]);
          // More jobs may be waiting than were announced: fetch again at once, not at the next poll.
          if (isFull) boss.notifyWorker(id);
          return jobs.map(({ id }, index) => resultOf(id, failures[index] ?? null));
        },
      );
    }
  };
  return {
    add: (transaction, name, data, options) => send(boss, transaction, name, data, options),
    addAll: (transaction, name, all, options) => insertAll(boss, transaction, name, all, options),
    work(name, handler, atOnce = 1) {
      return workBatches(name, (batch) => Promise.all(batch.map((data) => failureOf(handler(data)))), atOnce);
    },
    workBatches,
    retry: (transaction, name, id) => retryJob(boss, transaction, name, id),
    mustEnd: () => mustEnd,
    pool,
    depths: () => readDepths(pool, Object.keys(queues)),
    async schedule(name, cron) {
      await boss.schedule(name, cron, {});
    },
    async stop() {
      stopClock();
      await stopBoss(boss, Object.keys(queues), () => (mustEnd = true));
      await pool.close(500);
      const unfinished = [...running].filter(([, count]) => count > 0).map(([name]) => name);
      if (unfinished.length > 0) throw new Error(`${unfinished.join(", ")} still at work`);
    },
  };
}

/**
 * Waits for running jobs itself: the queue's own stop checks only twice a second, and takes that long even when there
 * is nothing to wait for.
 */
async function stopBoss(boss: PgBoss, queues: string[], askToEnd: () => void): Promise<void> {
  const asking = setTimeout(askToEnd, askToEndSeconds * 1000);
  const ended = Promise.all(queues.map((name) => boss.offWork(name)));
  await Promise.race([ended, sleep(finishSeconds * 1000, undefined, { ref: false })]);
  clearTimeout(asking);
  await boss.stop({ graceful: false });
}

async function send(
  boss: PgBoss,
  transaction: Transaction,
  name: JobName,
  data: object,
  { startAfterSeconds = 0, retries: retryLimit, onceInSeconds }: OptionsOfOne = {},
): Promise<void> {
  await boss.send(
    name,
    { ...data, ...currentTrace() },
    {
      db: fromDrizzle(transaction, sql),
      startAfter: startAfterSeconds,
      ...(retryLimit !== undefined && { retryLimit }),
      ...(onceInSeconds && { singletonSeconds: onceInSeconds }),
    },
  );
}

async function insertAll(
  boss: PgBoss,
  transaction: Transaction,
  name: JobName,
  all: readonly object[],
  { turn = "in order", retries, startAfterSeconds: startAfter }: OptionsOfAll = {},
): Promise<void> {
  if (all.length === 0) return;
  const trace = currentTrace();
  const same = {
    priority: priorities[turn],
    ...(retries !== undefined && { retryLimit: retries }),
    ...(startAfter !== undefined && { startAfter }),
  };
  const jobs = all.map((data) => ({ data: { ...data, ...trace }, ...same }));
  await boss.insert(name, jobs, { db: fromDrizzle(transaction, sql) });
}

/** Returns whether the job had failed and now waits again. */
async function retryJob(boss: PgBoss, transaction: Transaction, name: JobName, id: string): Promise<boolean> {
  const answer = await boss.retry(name, id, { db: fromDrizzle(transaction, sql) });
  // The queue returns the number of changed jobs; its types omit that.
  return "affected" in answer && Number(answer.affected) > 0;
}

/** Which jobs each of a queue's workers takes. */
function takenBy(atOnce: number, urgentApart: boolean): { minPriority?: number }[] {
  const all = Array.from({ length: Math.min(2, atOnce) }, () => ({}));
  return urgentApart ? [...all, { minPriority: priorities.urgent }] : all;
}

/** A job continues the trace of the code that added it; a batch, that of its first job. */
function spanOf(name: JobName, jobs: { data: Carrier }[]): Span {
  const { traceparent } = jobs[0]?.data ?? {};
  const attributes = { "messaging.destination.name": name, "messaging.batch.message_count": jobs.length };
  return { name: `job ${name}`, kind: "consumer", attributes, ...(traceparent && { within: { traceparent } }) };
}

async function startBoss(
  pool: CheckedPool,
  queues: Queues,
  watch: DatabaseWatch | null,
  log: Logger,
  tellOutage: TellOutage,
) {
  const executeSql = (text: string, values?: unknown[]) =>
    pool.query(text, values).catch((error: unknown) => {
      if (isOutage(error)) tellOutage(error, "job queue");
      throw error;
    });
  const db: ReturnType<typeof fromDrizzle> = { executeSql };
  if (watch) db.listen = (...channel) => watch.listen(...channel);
  const boss = new PgBoss({
    db,
    schema: "jobs",
    useListenNotify: watch !== null,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    clock: steadyClock,
    // The schedule is read by the database's clock, whose distance from that one is asked for so often.
    clockMonitorIntervalSeconds: 60,
  });
  boss.on("error", (error) => {
    if (!isOutage(error)) log.error({ err: error }, "job queue");
  });
  await boss.start();
  if (((await boss.schemaVersion()) ?? 0) > packageOfBoss.pgboss.schema)
    throw new StartRefused("The job queue was changed by a newer version of Prahari. Start that version.");
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const [name, { retryLimit, expireInSeconds }] of Object.entries(queues)) {
    const options: QueueOptions = {
      ...queueOptions,
      ...(retryLimit !== undefined && { retryLimit }),
      ...(expireInSeconds !== undefined && { expireInSeconds }),
    };
    const queue = known.get(name);
    if (!queue) await boss.createQueue(name, { ...options, notify: true });
    // A queue of an earlier version; updating every queue would cost several statements each at every start.
    else if (!hasOptions(queue, options)) await boss.updateQueue(name, options);
  }
  return boss;
}

const hasOptions = (queue: QueueOptions, options: QueueOptions) =>
  (Object.keys(options) as (keyof QueueOptions)[]).every((name) => queue[name] === options[name]);

/**
 * If the handler itself fails, all of its jobs fail. Left to the queue, the error would be stored with everything that
 * it contains.
 */
async function answersOf(handled: Promise<(Error | null)[]>, jobs: number): Promise<(Error | null)[]> {
  const failure = await failureOf(handled);
  return failure ? Array.from({ length: jobs }, () => failure) : handled;
}

function failureOf(work: Promise<unknown>): Promise<Error | null> {
  return work.then(
    () => null,
    (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
  );
}

function resultOf(id: string, failure: Error | null): JobResult {
  return failure ? { id, status: "failed", output: { message: summariseError(failure) } } : { id, status: "completed" };
}
