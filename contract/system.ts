import { z } from "zod";
import { Instant, Message } from "./fields.ts";
import { operation } from "./operation.ts";

const Count = z.number().int();

/** One component of the running product, described in plain words. */
const SystemPart = z.object({
  name: z.enum(["product", "database", "jobs", "files", "mail", "backup"]),
  /** bad: it does not work. warning: somebody should look. */
  state: z.enum(["good", "warning", "bad"]),
  /** Its condition, and in `remedy` what to do if something is wrong. */
  says: z.string(),
  remedy: z.string().nullable(),
  facts: z.array(z.object({ name: z.string(), value: z.string(), isInstant: z.boolean() })),
});
export type SystemPart = z.infer<typeof SystemPart>;

const JobQueue = z.object({
  queue: z.string(),
  /** What its jobs do. */
  does: z.string(),
  waiting: Count,
  active: Count,
  failed: Count,
  /** How long the oldest waiting job has waited; 0 when none does. */
  oldest_seconds: z.number(),
  state: z.enum(["good", "warning"]),
});
export type JobQueue = z.infer<typeof JobQueue>;

/** A job that used up its attempts; kept for a week. */
const FailedJob = z.object({
  id: z.uuid(),
  queue: z.string(),
  does: z.string(),
  failed_at: Instant,
  tries: Count,
  reason: z.string(),
});
export type FailedJob = z.infer<typeof FailedJob>;

export const System = z.object({
  read_at: Instant,
  parts: z.array(SystemPart),
  /** Null when the queues could not be read in time. */
  queues: z.array(JobQueue).nullable(),
  /** The newest fifty. */
  failed_jobs: z.array(FailedJob).nullable(),
});
export type System = z.infer<typeof System>;

export const systemOperations = {
  "admin/system": operation({
    method: "get",
    summary:
      "How the product runs: version, database, queues of jobs, files, mail, last backup. A part that does not answer within seconds says so, and the others are told",
    input: z.object({}),
    answer: System,
  }),
  "admin/system/retry-job": operation({
    method: "post",
    summary: "Have a job tried once more that used up its tries. 409 when somebody has just done so",
    input: z.object({ queue: z.string().max(60), id: z.uuid() }),
    answer: Message,
  }),
};
