import { and, eq, inArray, sql } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import type { EngineProblem, EngineStream } from "../../contract/engine-kinds.ts";
import type { Transaction } from "../database/database.ts";
import { engineBindings, engineStreams } from "../database/schema/index.ts";
import type { Probe } from "../outside/engines/engine.ts";
import type { EngineFailure } from "../outside/engines/engine-failure.ts";
import type { Services } from "../services.ts";
import type { BindingRow } from "./open-binding.ts";
import { holdBinding, Overtaken } from "./store.ts";

export type StreamRow = typeof engineStreams.$inferSelect;

/** Records that a stream answered, and its cursor. */
export async function noteAnswer(
  services: Services,
  transaction: Transaction,
  { id: bindingId }: BindingRow,
  stream: EngineStream,
  { cursor, unreadable = 0 }: { cursor?: string | null; unreadable?: number },
): Promise<void> {
  const answered = {
    lastAnswerAt: services.now(),
    failingSince: null,
    failures: 0,
    problem: null,
    sentence: null,
    retryAt: null,
    unreadable,
    ...(cursor !== undefined && { cursor }),
  };
  await transaction
    .insert(engineStreams)
    .values({ bindingId, stream, ...answered })
    .onConflictDoUpdate({ target: [engineStreams.bindingId, engineStreams.stream], set: answered });
}

/**
 * After a change to the binding, earlier problems may be solved, so nothing stays postponed. Another indexer may keep
 * fewer or more events: all of them are read again.
 */
export async function askAnew(
  transaction: Transaction,
  bindingId: string,
  { isAnotherIndexer }: { isAnotherIndexer: boolean },
): Promise<void> {
  const { stream } = engineStreams;
  await transaction
    .update(engineStreams)
    .set({
      retryAt: null,
      ...(isAnotherIndexer && { cursor: sql`case when ${stream} <> 'events' then ${engineStreams.cursor} end` }),
    })
    .where(eq(engineStreams.bindingId, bindingId));
}

/**
 * Deletes the streams that the engine, after a change to its binding, no longer offers: they neither answer nor fail.
 */
export async function forgetStreams(
  services: Services,
  binding: BindingRow,
  rows: readonly StreamRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const streams = rows.map(({ stream }) => stream);
  await services.database.transaction(async (transaction) => {
    await holdBinding(transaction, binding);
    await transaction
      .delete(engineStreams)
      .where(and(eq(engineStreams.bindingId, binding.id), inArray(engineStreams.stream, streams)));
  });
}

const pauseSeconds = { first: 30, most: 900 };
/** These need somebody to change something: asking often is pointless, and some engines lock out callers that do. */
const waitingForSomebody: ReadonlySet<EngineProblem> = new Set([
  "login",
  "credential",
  "certificate",
  "permission",
  "tenant",
  "version",
  "address",
]);

/**
 * Records that a stream failed and when it is asked again: after ever longer pauses, up to 15 minutes or what the
 * engine asks for.
 */
export async function noteFailure(
  services: Services,
  binding: BindingRow,
  stream: EngineStream,
  { problem, message, retryAfterSeconds }: EngineFailure,
): Promise<void> {
  const now = services.now();
  await services.database.transaction(async (transaction) => {
    await holdBinding(transaction, binding);
    const [known] = await transaction
      .select()
      .from(engineStreams)
      .where(and(eq(engineStreams.bindingId, binding.id), eq(engineStreams.stream, stream)));
    const failures = (known?.failures ?? 0) + 1;
    const backOff = Math.min(pauseSeconds.first * 2 ** Math.min(failures - 1, 10), pauseSeconds.most);
    const least = waitingForSomebody.has(problem) && failures > 2 ? pauseSeconds.most : backOff;
    const failed = {
      failingSince: known?.failingSince ?? now,
      failures,
      problem,
      sentence: message,
      retryAt: later(now, { seconds: Math.max(least, retryAfterSeconds ?? 0) }),
    };
    await transaction
      .insert(engineStreams)
      .values({ bindingId: binding.id, stream, ...failed })
      .onConflictDoUpdate({ target: [engineStreams.bindingId, engineStreams.stream], set: failed });
  });
}

/** How many failures in a row before somebody is asked to look. */
const failuresBeforeALook = 3;

/**
 * Sums up the state of all streams in the binding's row; the table's trigger opens and settles the entry in the action
 * queue.
 */
export async function noteTrouble(services: Services, binding: BindingRow, seen: Probe | null): Promise<void> {
  await services.database
    .transaction(async (transaction) => {
      await holdBinding(transaction, binding);
      const streams = await transaction.select().from(engineStreams).where(eq(engineStreams.bindingId, binding.id));
      const worst = streams
        .filter(({ failures }) => failures >= failuresBeforeALook)
        .toSorted((one, other) => Number(one.failingSince) - Number(other.failingSince))[0];
      await transaction
        .update(engineBindings)
        .set({
          troubledSince: worst?.failingSince ?? null,
          trouble: worst?.sentence ?? null,
          engineVersion: sql`coalesce(${seen?.version ?? null}::text, engine_version)`,
          skewSeconds: sql`coalesce(${seen?.skewSeconds ?? null}::integer, skew_seconds)`,
        })
        .where(eq(engineBindings.id, binding.id));
    })
    .catch((error: unknown) => {
      if (!(error instanceof Overtaken)) throw error;
    });
}
