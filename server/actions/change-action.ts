import { and, eq, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { AuditAction } from "../../contract/audit.ts";
import { actionQueues } from "../../contract/action-queues.ts";
import { earlier } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";
import type { Scope } from "../access/scope.ts";
import { audit, auditBeside } from "../audit/audit.ts";
import { whoIs } from "../audit/who-is.ts";
import type { Transaction } from "../database/database.ts";
import { actionItems } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { notInQueue } from "./find-action.ts";
import { queues } from "./queues.ts";

type Item = typeof actionItems.$inferSelect;

/**
 * A change by one conditional statement: of several concurrent callers the first makes it, and the others are told who
 * did.
 */
interface Change {
  id: string;
  /** A condition besides being open. */
  only: SQL | undefined;
  set: Partial<Item>;
  action: AuditAction;
  detail?: Record<string, unknown>;
  /** Text that somebody typed, which may name people. */
  typed?: Record<string, unknown>;
}

/**
 * Takes an entry for the caller. `from` is who had it when the caller read it, null for nobody.
 * @throws Failure conflict when somebody else has taken or closed it meanwhile, not_found
 */
export async function takeAction(
  services: Services,
  scope: Scope<"any">,
  { id, from }: { id: string; from: string | null },
): Promise<void> {
  const me = scope.actor.personId;
  const set = { takenBy: me, takenAt: services.now() };
  const only = sql`${actionItems.takenBy} is not distinct from ${from}::uuid and ${actionItems.takenBy} is distinct from ${me}::uuid`;
  const isMine = (item: Item | undefined) => item?.closedAt === null && item.takenBy === me;
  await services.database.transaction((transaction) =>
    change(
      transaction,
      scope,
      { id, only, set, action: "take action", ...(from && { detail: { takenOver: true } }) },
      isMine,
    ),
  );
}

/** Gives back an entry that the caller has taken. @throws Failure conflict when it is not theirs, not_found */
export async function releaseAction(services: Services, scope: Scope<"any">, id: string): Promise<void> {
  const only = eq(actionItems.takenBy, scope.actor.personId);
  const isNobodys = (item: Item | undefined) => item?.closedAt === null && item.takenBy === null;
  await services.database.transaction((transaction) =>
    change(
      transaction,
      scope,
      { id, only, set: { takenBy: null, takenAt: null }, action: "release action" },
      isNobodys,
    ),
  );
}

/** Closes an entry with a reason. @throws Failure conflict when somebody else has taken or closed it, not_found */
export async function resolveAction(
  services: Services,
  scope: Scope<"any">,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const set = { closedAt: services.now(), closedBy: scope.actor.personId, resolution: reason };
  await services.database.transaction((transaction) =>
    change(transaction, scope, { id, only: notAnothers(scope), set, action: "resolve action", typed: { reason } }),
  );
}

/**
 * Retries what an entry is about and returns a sentence on it.
 * @throws Failure conflict where a retry can't help, was asked for a moment ago, or somebody else has the entry;
 * not_found
 */
export async function retryAction(services: Services, scope: Scope<"any">, id: string): Promise<string> {
  const now = services.now();
  const rested = or(
    isNull(actionItems.triedAt),
    lt(actionItems.triedAt, earlier(now, { seconds: limits.actionRetrySeconds })),
  );
  const set = { triedBy: scope.actor.personId, triedAt: now };
  const only = and(notAnothers(scope), rested);
  const item = await services.database.transaction(async (transaction) => {
    const claimed = await change(transaction, scope, { id, only, set, action: "retry action" });
    if (!claimed) throw notInQueue();
    const { retry } = queues[claimed.queue];
    const refused = retry
      ? await retry.refused(transaction, claimed.subjectId)
      : "Only a person can do something here.";
    if (refused) throw new Failure("conflict", refused);
    await retry?.ask?.(services, transaction, claimed.subjectId);
    return claimed;
  });
  const { retry } = queues[item.queue];
  await retry?.after?.(services, item.subjectId);
  return retry?.done ?? "";
}

const notAnothers = ({ actor }: Scope<"any">) =>
  or(isNull(actionItems.takenBy), eq(actionItems.takenBy, actor.personId));

/** Returns the changed entry; null if `done` holds, as nothing had to be done. */
async function change(
  transaction: Transaction,
  { actor }: Scope<"any">,
  { id, only, set, action, detail = {}, typed }: Change,
  done: (item: Item | undefined) => boolean = () => false,
): Promise<Item | null> {
  const [changed] = await transaction
    .update(actionItems)
    .set(set)
    .where(and(eq(actionItems.id, id), isNull(actionItems.closedAt), only))
    .returning();
  if (!changed) {
    const [item] = await transaction.select().from(actionItems).where(eq(actionItems.id, id));
    if (done(item)) return null;
    throw await refusalOf(transaction, actor.personId, action, item);
  }
  const { queue, about } = changed;
  const told = { queue: actionQueues[queue].label, about, ...detail };
  if (typed)
    await auditBeside(transaction, actor.personId, action, { kind: "action", id }, { values: typed, detail: told });
  else await audit(transaction, actor.personId, action, `action:${id}`, told);
  return changed;
}

/** Why an entry could not be changed, naming who was faster. */
async function refusalOf(
  transaction: Transaction,
  me: string,
  action: AuditAction,
  item: Item | undefined,
): Promise<Failure> {
  if (!item) return notInQueue();
  const nameOf = async (id: string | null) => (id === me ? "You" : whoIs(transaction, id));
  const told = (sentence: string) => new Failure("conflict", sentence);
  if (item.closedAt && !item.closedBy) return told("This has resolved itself meanwhile.");
  if (item.closedAt) return told(`${await nameOf(item.closedBy)} resolved this already: ${item.resolution}`);
  if (item.takenBy && item.takenBy !== me)
    return told(`${await nameOf(item.takenBy)} has taken this. Ask them, or take it over first.`);
  if (action === "retry action")
    return told(`${await nameOf(item.triedBy)} asked for this a moment ago. Please wait and see what comes of it.`);
  return told("This is no longer assigned to anybody. Please look at it again.");
}
