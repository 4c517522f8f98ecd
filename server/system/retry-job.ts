import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { Failure } from "../failures/failure.ts";
import type { JobName } from "../jobs/jobs.ts";
import type { Services } from "../services.ts";
import { jobNames } from "./job-names.ts";
import { forgetSystem } from "./read-system.ts";

const isJobName = (name: string): name is JobName => Object.hasOwn(jobNames, name);

/**
 * Retries a job that used up its tries, as soon as a worker is free.
 * @throws Failure conflict when the job is no longer failed, as for the second of two concurrent requests
 */
export async function retryJob(
  services: Services,
  { actor }: Scope<"any">,
  { queue, id }: { queue: string; id: string },
): Promise<void> {
  const gone = new Failure(
    "conflict",
    "This job does not wait for another try any more: somebody had it tried again, or its week is over.",
  );
  if (!isJobName(queue)) throw gone;
  await services.database.transaction(async (transaction) => {
    if (!(await services.jobs.retry(transaction, queue, id))) throw gone;
    await audit(transaction, actor.personId, "retry job", jobNames[queue], { queue, job: id });
  });
  forgetSystem(services);
}
