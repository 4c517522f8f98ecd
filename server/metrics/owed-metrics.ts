import { sql } from "drizzle-orm";
import { Gauge, type Metric } from "prom-client";
import { mails } from "../database/schema/index.ts";
import type { QueueDepth } from "../jobs/jobs.ts";
import type { Services } from "../services.ts";

/** What the business still has to do, as the whole database has it. */
interface Owed {
  queues: QueueDepth[];
  mails: { unsent: number; oldestSeconds: number };
}

/** Several monitors, and the metrics of one scrape, read the database once. */
const readAgainAfterMs = 2000;

/** Each process tells the same; of several WORKERS the greatest counts. */
const shared = { registers: [], aggregator: "max" as const };

/** Jobs that wait or have failed, and mails that wait. */
export function owedMetrics(services: Services): Metric[] {
  const owed = readOnceIn(readAgainAfterMs, () => readOwed(services));
  return [...jobMetrics(async () => (await owed())?.queues ?? []), ...mailMetrics(async () => (await owed())?.mails)];
}

function jobMetrics(queues: () => Promise<QueueDepth[]>): Metric[] {
  return [
    new Gauge({
      name: "prahari_jobs",
      help: "Jobs by queue: waiting for a try, active, or failed with all their tries used up.",
      labelNames: ["queue", "state"],
      ...shared,
      async collect() {
        const depths = await queues();
        this.reset();
        for (const { queue, waiting, active, failed } of depths) {
          this.set({ queue, state: "waiting" }, waiting);
          this.set({ queue, state: "active" }, active);
          this.set({ queue, state: "failed" }, failed);
        }
      },
    }),
    new Gauge({
      name: "prahari_oldest_job_age_seconds",
      help: "Age of the oldest job that waits, by queue; 0 when none does.",
      labelNames: ["queue"],
      ...shared,
      async collect() {
        const depths = await queues();
        this.reset();
        for (const { queue, oldestSeconds } of depths) this.set({ queue }, oldestSeconds);
      },
    }),
  ];
}

function mailMetrics(waiting: () => Promise<Owed["mails"] | undefined>): Metric[] {
  return [
    new Gauge({
      name: "prahari_mails_unsent",
      help: "Mails that wait to be sent.",
      ...shared,
      async collect() {
        setOrRemove(this, (await waiting())?.unsent);
      },
    }),
    new Gauge({
      name: "prahari_oldest_unsent_mail_age_seconds",
      help: "Age of the oldest mail that waits to be sent; 0 when none does.",
      ...shared,
      async collect() {
        setOrRemove(this, (await waiting())?.oldestSeconds);
      },
    }),
  ];
}

async function readOwed({ database, jobs }: Services): Promise<Owed> {
  const [queues, [unsent]] = await Promise.all([
    jobs.depths(),
    database
      .select({
        unsent: sql<number>`count(*)::int`,
        oldestSeconds: sql<number>`coalesce(extract(epoch from now() - min(${mails.createdAt})), 0)::float8`,
      })
      .from(mails)
      // Those without content have expired or were refused for good: nobody waits for them.
      .where(sql`${mails.sentAt} is null and ${mails.content} is not null`),
  ]);
  return { queues, mails: unsent ?? { unsent: 0, oldestSeconds: 0 } };
}

/** What could not be read has no line: the last value would be taken for today's. */
function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

/** The same answer for so long; null where reading failed: a scrape tells what it can, most of all then. */
function readOnceIn<Result>(milliseconds: number, read: () => Promise<Result>): () => Promise<Result | null> {
  let kept: { result: Promise<Result | null>; at: number } | null = null;
  return () => {
    if (!kept || performance.now() - kept.at > milliseconds)
      kept = { result: read().catch(() => null), at: performance.now() };
    return kept.result;
  };
}
