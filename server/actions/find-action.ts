import type { ActionDetails } from "../../contract/actions.ts";
import type { Scope } from "../access/scope.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { findItem, presentItem } from "./queries.ts";
import { queues } from "./queues.ts";

/** For an entry that never existed, or that left its queue by itself. */
export const notInQueue = () =>
  new Failure("not_found", "This is no longer in a queue. Entries that resolve themselves leave it.");

/** An entry with its subject and what can be done. @throws Failure not_found */
export async function findAction(services: Services, scope: Scope<"any">, id: string): Promise<ActionDetails> {
  const row = await findItem(services, scope, id);
  if (!row) throw notInQueue();
  const { about, retry } = queues[row.queue];
  const isOpen = row.closedAt === null;
  return {
    item: presentItem(row, scope.actor.personId),
    ...(await about(services, scope, row.subjectId)),
    no_retry_because: retry && isOpen ? await retry.refused(services.database, row.subjectId) : null,
  };
}
