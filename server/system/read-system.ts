import type { System } from "../../contract/system.ts";
import type { Scope } from "../access/scope.ts";
import { readOnceIn } from "../metrics/read-once-in.ts";
import type { Services } from "../services.ts";
import { readQueues } from "./job-queues.ts";
import { partMs } from "./part.ts";
import { backupPart, databasePart, filesPart, mailPart, productPart } from "./parts.ts";

/** Readers within this time share one reading, like scrapes of the metrics. */
const readAgainAfterMs = 2000;
const readers = new WeakMap<Services["jobs"], () => Promise<System | null>>();

/** The state of the product. A part that does not answer within a few seconds is shown as down, the others as usual. */
export async function readSystem(services: Services, _scope: Scope<"any">): Promise<System> {
  const read = readers.get(services.jobs) ?? readOnceIn(readAgainAfterMs, () => readParts(services));
  readers.set(services.jobs, read);
  return (await read()) ?? readParts(services);
}

/** Makes the next reader read again, after a change. */
export const forgetSystem = (services: Services) => readers.delete(services.jobs);

async function readParts(services: Services): Promise<System> {
  // Cancels unanswered statements after that time, so that repeated readings don't pile up.
  const heavy = services.heavyReads.until(AbortSignal.timeout(partMs));
  const [product, database, { part: jobs, queues, failed_jobs }, files, mail, backup] = await Promise.all([
    productPart(services),
    databasePart(services, heavy),
    readQueues(services, heavy),
    filesPart(services),
    mailPart(services, heavy),
    backupPart(services, heavy),
  ]);
  return {
    read_at: services.now().toISOString(),
    parts: [product, database, jobs, files, mail, backup],
    queues,
    failed_jobs,
  };
}
