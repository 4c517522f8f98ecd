import { Gauge, type Metric } from "prom-client";
import type { QueueDepth } from "../jobs/depths.ts";
import { readUnsent, type Unsent } from "../mail/unsent.ts";
import type { Services } from "../services.ts";
import { readOnceIn } from "./read-once-in.ts";

/** Work still to be done, in the whole database. */
interface Owed {
  queues: QueueDepth[];
  mails: Unsent;
}

/** Several monitors, and all metrics of one scrape, share one read of the database. */
const readAgainAfterMs = 2000;

/** Each process reports the same value; with several WORKERS the greatest counts. */
const shared = { registers: [], aggregator: "max" as const };

/** Metrics of waiting and failed jobs, and of waiting mails. */
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

function mailMetrics(waiting: () => Promise<Unsent | undefined>): Metric[] {
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
    new Gauge({
      name: "prahari_mail_standstill_seconds",
      help: "Age of the oldest mail that waits, or expired unsent, and was written after the newest one that went out; 0 when none was.",
      ...shared,
      async collect() {
        setOrRemove(this, (await waiting())?.standstillSeconds);
      },
    }),
  ];
}

async function readOwed({ database, jobs }: Services): Promise<Owed> {
  const [queues, mails] = await Promise.all([jobs.depths(), readUnsent(database)]);
  return { queues, mails };
}

/** A value that could not be read is left out: its last value would look current. */
function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}
