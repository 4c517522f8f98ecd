import { sql } from "drizzle-orm";
import { fromDrizzle, type JobResult, PgBoss, type QueueOptions } from "pg-boss";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Transaction } from "./database/database.ts";

/** Every queue and what its jobs carry. */
export interface JobData {
  "send-mail": { mailId: string };
  "mail-reset-link": { email: string };
  "render-proposal": { quoteId: string };
  "render-invoice": { invoiceId: string };
  "reconcile-payments": Record<string, never>;
  sweep: Record<string, never>;
}
export type JobName = keyof JobData;

/** Work that survives a crash: written with its cause, done at least once, tried again with growing pauses. */
export interface Jobs {
  /** Adds a job in the transaction of its cause. */
  add<Name extends JobName>(
    transaction: Transaction,
    name: Name,
    data: JobData[Name],
    options?: { startAfterSeconds?: number },
  ): Promise<void>;
  /** Handles jobs of one queue, `atOnce` side by side. */
  work<Name extends JobName>(
    name: Name,
    handler: (data: JobData[Name]) => Promise<void>,
    atOnce?: number,
  ): Promise<void>;
  /** The same in batches, at most two side by side. The handler answers for each job why to try it again, or null. */
  workBatches<Name extends JobName>(
    name: Name,
    handler: (batch: JobData[Name][]) => Promise<(Error | null)[]>,
    atOnce: number,
  ): Promise<void>;
  /** Adds a job by the clock; `cron` in UTC. */
  schedule(name: "reconcile-payments" | "sweep", cron: string): Promise<void>;
  /** Lets running jobs finish. */
  stop(): Promise<void>;
}

const retries: QueueOptions = {
  retryLimit: 100,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  expireInSeconds: 60,
  // A job of a process that was killed is taken up again after this, not only when it would expire.
  heartbeatSeconds: 10,
};
const queues: Record<JobName, QueueOptions> = {
  "send-mail": retries,
  "mail-reset-link": retries,
  "render-proposal": retries,
  "render-invoice": retries,
  "reconcile-payments": { ...retries, retryLimit: 0 },
  sweep: { ...retries, retryLimit: 0 },
};

// A worker rests so long after a batch that was not full: under load jobs gather meanwhile, and one query fetches them.
const restMilliseconds = 100;

export async function startJobs(databaseUrl: string, log: Logger): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: "jobs",
    application_name: "prahari-jobs",
    max: 6,
    useListenNotify: true,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on("error", (error) => log.error({ err: error }, "job queue"));
  await boss.start();
  for (const [name, options] of Object.entries(queues)) {
    await boss.createQueue(name, { ...options, notify: true });
    // A queue that is there already keeps its old settings otherwise.
    await boss.updateQueue(name, options);
  }
  const workBatches: Jobs["workBatches"] = async (name, handler, atOnce) => {
    // Two that take turns, so that what hangs in one's batch holds up only half; a batch costs the queries of one job.
    const batchSize = Math.ceil(atOnce / 2);
    for (let worker = 0; worker < Math.min(2, atOnce); worker++) {
      const id = await boss.work(
        name,
        { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 5, batchSize, perJobResults: true },
        async (jobs: { id: string; data: JobData[typeof name] }[]) => {
          const isFull = jobs.length === batchSize;
          const [failures] = await Promise.all([
            handler(jobs.map(({ data }) => data)),
            isFull ? null : sleep(restMilliseconds),
          ]);
          // More may be waiting than were announced: look at once, not at the next poll.
          if (isFull) boss.notifyWorker(id);
          return jobs.map(({ id }, index) => resultOf(id, failures[index] ?? null));
        },
      );
    }
  };
  return {
    async add(transaction, name, data, options) {
      await boss.send(name, data, { db: fromDrizzle(transaction, sql), startAfter: options?.startAfterSeconds ?? 0 });
    },
    work(name, handler, atOnce = 1) {
      return workBatches(name, (batch) => Promise.all(batch.map((data) => failureOf(handler(data)))), atOnce);
    },
    workBatches,
    async schedule(name, cron) {
      await boss.schedule(name, cron, {});
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
}

function failureOf(work: Promise<unknown>): Promise<Error | null> {
  return work.then(
    () => null,
    (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
  );
}

function resultOf(id: string, failure: Error | null): JobResult {
  return failure ? { id, status: "failed", output: { message: String(failure) } } : { id, status: "completed" };
}
