import type { Handlers } from "../call.ts";
import { readSystem } from "./read-system.ts";
import { retryJob } from "./retry-job.ts";

export const systemHandlers = {
  "admin/system": (services, { scope }) => readSystem(services, scope),
  "admin/system/retry-job": async (services, { scope }, job) => {
    await retryJob(services, scope, job);
    return { message: "The job is tried again now." };
  },
} satisfies Partial<Handlers>;
