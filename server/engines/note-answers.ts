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

/** Notes that a stream answered, with where it goes on from. */
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
 * Where a binding was changed, what was wrong may be right now. Another indexer may keep fewer events, or more: what is known of
 * them is read as a whole.
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

/** What an engine is not asked for any more, as its binding was changed, neither answers nor fails. */
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
/** Until somebody changes something there is no sense in asking often, and some engines lock out who does. */
const waitingForSomebody: ReadonlySet<EngineProblem> = new Set([
  "login",
  "credential",
  "certificate",
  "permission",
  "tenant",
  "version",
  "address",
]);

/** Notes that a stream gave no answer, and when it is asked again: ever later, at most after a quarter of an hour. */
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

/** So often in a row a stream fails before somebody is asked to look. */
const failuresBeforeALook = 3;

/** Sums up over all streams what the binding's own row says; its trigger opens and settles the entry of the action queue. */
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
