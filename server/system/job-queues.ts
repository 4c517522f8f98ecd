import type { FailedJob, JobQueue, SystemPart } from "../../contract/system.ts";
import type { Database } from "../database/database.ts";
import { answeredWithin } from "../database/watch.ts";
import { readFailedJobs } from "../jobs/failed-jobs.ts";
import type { QueueDepth } from "../jobs/depths.ts";
import type { Services } from "../services.ts";
import { jobs as declared } from "../upkeep/jobs.ts";
import { jobNames } from "./job-names.ts";
import { fact, tellPart, writeSpan } from "./part.ts";
import { lateSeconds } from "./parts.ts";

const shownMax = 50;
/** Shorter than a part's limit, so that the queues' depths are shown even if the failures can't be read. */
const failuresMs = 2000;
/** The next scheduled job makes up for a failed one, so only a recent failure matters. */
const clockMs = 3_600_000;

export interface QueuesTold {
  part: SystemPart;
  queues: JobQueue[] | null;
  failed_jobs: FailedJob[] | null;
}

/** The queues and their failed jobs; each is shown even if the other can't be read. */
export async function readQueues(services: Services, heavy: Database): Promise<QueuesTold> {
  const names = Object.keys(jobNames);
  const failures = answeredWithin(failuresMs, readFailedJobs(heavy, names, shownMax)).catch(() => null);
  let queues: JobQueue[] | null = null;
  const part = await tellPart("jobs", "Nothing is done in the background: look at the database first.", async () => {
    const depths = await services.jobs.depths();
    const failed = await failures;
    queues = depths
      .map((depth) => presentQueue(depth, hasFailed(depth, failed, services.now())))
      // Queues in trouble first; otherwise by name, as the queue gives them.
      .toSorted((one, other) => Number(other.state === "warning") - Number(one.state === "warning"));
    return summaryOf(queues);
  });
  return { part, queues, failed_jobs: presentFailures(await failures) };
}

function hasFailed(
  { queue, failed }: QueueDepth,
  failures: Awaited<ReturnType<typeof readFailedJobs>> | null,
  now: Date,
) {
  if (!("clock" in declared[queue]) || failures === null) return failed > 0;
  return failures.some((job) => job.queue === queue && now.getTime() - job.failedAt.getTime() < clockMs);
}

function presentQueue({ queue, waiting, active, failed, oldestSeconds }: QueueDepth, isTroubled: boolean): JobQueue {
  return {
    queue,
    does: jobNames[queue],
    waiting,
    active,
    failed,
    oldest_seconds: oldestSeconds,
    state: isTroubled || oldestSeconds > lateSeconds ? "warning" : "good",
  };
}

function summaryOf(queues: JobQueue[]): Omit<SystemPart, "name"> {
  const troubled = queues.filter(({ state }) => state === "warning");
  const sum = (field: "waiting" | "active" | "failed") => queues.reduce((all, queue) => all + queue[field], 0);
  const oldest = Math.max(0, ...queues.map(({ oldest_seconds }) => oldest_seconds));
  return {
    state: troubled.length > 0 ? "warning" : "good",
    says:
      troubled.length > 0
        ? `These wait for long or have failed: ${troubled.map(({ does }) => does.toLowerCase()).join(", ")}.`
        : "All jobs are done in time.",
    remedy:
      troubled.length > 0
        ? "The reasons stand below. Remove the cause first, then have the job tried again; what is owed is tried again by itself too."
        : null,
    facts: [
      fact("Waiting", sum("waiting")),
      fact("At work", sum("active")),
      fact("Failed in the last week", sum("failed")),
      fact("Oldest that waits", oldest > 0 ? writeSpan(oldest) : "–"),
    ],
  };
}

const presentFailures = (failures: Awaited<ReturnType<typeof readFailedJobs>> | null) =>
  failures?.map(({ id, queue, failedAt, tries, reason }) => ({
    id,
    queue,
    does: jobNames[queue],
    failed_at: failedAt.toISOString(),
    tries,
    reason: reason ?? "No reason was kept.",
  })) ?? null;
