import type { System } from "../../contract/system.ts";
import type { Scope } from "../access/scope.ts";
import { readOnceIn } from "../metrics/read-once-in.ts";
import type { Services } from "../services.ts";
import { readQueues } from "./job-queues.ts";
import { partMs } from "./part.ts";
import { backupPart, databasePart, filesPart, mailPart, productPart } from "./parts.ts";

/** Several who look at the same time make it read once, as scrapes of the metrics do. */
const readAgainAfterMs = 2000;
const readers = new WeakMap<Services["jobs"], () => Promise<System | null>>();

/** How the product runs. Each part has a few seconds, and is told as down where it does not answer: the others are told then too. */
export async function readSystem(services: Services, _scope: Scope<"any">): Promise<System> {
  const read = readers.get(services.jobs) ?? readOnceIn(readAgainAfterMs, () => readParts(services));
  readers.set(services.jobs, read);
  return (await read()) ?? readParts(services);
}

/** Has the next who looks read anew: something was just changed. */
export const forgetSystem = (services: Services) => readers.delete(services.jobs);

async function readParts(services: Services): Promise<System> {
  // What is not answered by then is cancelled, so that looking again and again does not pile up.
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
