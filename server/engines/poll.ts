import { and, eq, isNull, lt, or } from "drizzle-orm";
import { earlier, later } from "../../contract/durations.ts";
import type { EngineStream } from "../../contract/engine-kinds.ts";
import { engineBindings, engineStreams } from "../database/schema/index.ts";
import { type Batch, type Engine, lastEventsMinutesMax, type Since } from "../outside/engines/engine.ts";
import { EngineFailure, EnginesStopped } from "../outside/engines/engine-failure.ts";
import { isOutage } from "../failures/outage.ts";
import type { Services } from "../services.ts";
import { forgetStreams, noteAnswer, noteFailure, noteTrouble, type StreamRow } from "./note-answers.ts";
import { type BindingRow, isClaimedAs, openBinding } from "./open-binding.ts";
import { staleAfter } from "./pace.ts";
import { readOpenFindings } from "./open-findings.ts";
import {
  type Clock,
  holdBinding,
  Overtaken,
  storeDevices,
  storeFindings,
  storeGone,
  storeIncidents,
  storeLastEvents,
  storeStillActive,
} from "./store.ts";

/**
 * Longer than a poll may take, so that only one runs per binding; if a process dies, the binding is free again after
 * this.
 */
const claim = { seconds: 90 };
/** After this a poll starts nothing new; the rest is left to the next. */
const pollMs = 40_000;
/** After this a poll's calls are aborted, before the queue takes the job for lost and another poll starts beside it. */
const giveUpMs = 55_000;

/**
 * Polls all streams of an engine and stores the answers. Does nothing if another poll is running or the binding was
 * removed. After `beginsMs` it starts no further stream.
 */
export async function pollEngine(services: Services, bindingId: string, beginsMs = pollMs): Promise<void> {
  const binding = await claimBinding(services, bindingId);
  if (!binding) return;
  try {
    await pollStreams(services, binding, performance.now() + beginsMs);
  } catch (error) {
    if (!(error instanceof Overtaken || error instanceof EnginesStopped)) throw error;
  } finally {
    await services.database.update(engineBindings).set({ polledUntil: null }).where(isClaimedAs(binding));
  }
}

async function claimBinding(services: Services, bindingId: string): Promise<BindingRow | null> {
  const now = services.now();
  const [claimed] = await services.database
    .update(engineBindings)
    .set({ polledUntil: later(now, claim) })
    .where(
      and(
        eq(engineBindings.id, bindingId),
        isNull(engineBindings.removedAt),
        or(isNull(engineBindings.polledUntil), lt(engineBindings.polledUntil, now)),
      ),
    )
    .returning();
  return claimed ?? null;
}

interface Poll {
  services: Services;
  binding: BindingRow;
  engine: Engine;
  isLate(): boolean;
}

async function pollStreams(services: Services, binding: BindingRow, until: number): Promise<void> {
  const known = await services.database.select().from(engineStreams).where(eq(engineStreams.bindingId, binding.id));
  let engine: Engine;
  try {
    engine = openBinding(services, binding, AbortSignal.timeout(giveUpMs));
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    // No call was possible, so every stream is out of date.
    const streams = known.length > 0 ? known.map(({ stream }) => stream) : (["findings"] as const);
    for (const stream of streams) await noteFailure(services, binding, stream, error);
    return noteTrouble(services, binding, null);
  }
  const poll: Poll = { services, binding, engine, isLate: () => performance.now() > until };
  try {
    const unasked = known.filter(({ stream }) => !isOffered(engine, stream));
    await forgetStreams(services, binding, unasked);
    const outages = await askInTurn(poll, known);
    await noteTrouble(services, binding, engine.known());
    if (outages.length > 0) throw outages[0];
  } finally {
    engine.close();
  }
}

/**
 * Polls the stream first that answered longest ago, so that streams of a slow engine take turns. Returns our own
 * outages, which stop no other stream either.
 */
async function askInTurn(poll: Poll, known: readonly StreamRow[]): Promise<unknown[]> {
  const { services, binding, engine } = poll;
  const turns = (Object.keys(asked) as EngineStream[])
    .filter((stream) => isOffered(engine, stream))
    .map((stream) => ({ stream, row: known.find((each) => each.stream === stream) ?? null }))
    .filter(({ row }) => !isPutOff(row, services.now()))
    .toSorted((one, other) => Number(one.row?.lastAnswerAt ?? 0) - Number(other.row?.lastAnswerAt ?? 0));
  const outages: unknown[] = [];
  for (const [index, { stream, row }] of turns.entries()) {
    const isLate = index > 0 && poll.isLate();
    if (isLate && row?.lastAnswerAt && row.lastAnswerAt >= earlier(services.now(), staleAfter)) continue;
    try {
      if (isLate)
        throw new EngineFailure(
          "too_slow",
          "The engine answers so slowly that there was no time to ask it for this. Look whether it is overloaded.",
        );
      await asked[stream](poll, row);
    } catch (error) {
      if (isOutage(error)) outages.push(error);
      else await noteFailure(services, binding, stream, failureIn(services, error));
    }
  }
  return outages;
}

/** Engines can ask for a pause of at most an hour: a longer one was computed while our clock was ahead. */
const isPutOff = (row: StreamRow | null, now: Date) =>
  Boolean(row?.retryAt && row.retryAt > now && row.retryAt <= later(now, { hours: 1 }));

/**
 * Turns an error in handling one stream's answer into its failure, so that it stops no other stream.
 * @throws errors that have nothing to do with the engine's answer
 */
function failureIn({ log }: Services, error: unknown): EngineFailure {
  if (error instanceof EngineFailure) return error;
  if (error instanceof Overtaken || error instanceof EnginesStopped) throw error;
  log.error({ err: error }, "an answer of an engine could not be taken");
  return new EngineFailure("answer", "The engine's answer could not be stored. The server's log says why.");
}

function isOffered({ inventory, reports }: Engine, stream: EngineStream): boolean {
  if (stream === "devices" || stream === "events") return inventory !== null;
  return reports[stream] !== null;
}

type Ask = (poll: Poll, row: StreamRow | null) => Promise<void>;

const asked: Record<EngineStream, Ask> = {
  devices: askDevices,
  events: askEvents,
  findings: askFindings,
  incidents: askIncidents,
};

const clockOf = ({ services, engine }: Poll): Clock => ({
  now: services.now(),
  skewSeconds: engine.known().skewSeconds,
});

async function askDevices(poll: Poll, row: StreamRow | null): Promise<void> {
  const { services, binding, engine } = poll;
  const pages = engine.inventory?.devices(row?.cursor ?? null);
  const named: string[] = [];
  let unreadable = 0;
  for (let page = await pages?.next(); page; page = await pages?.next()) {
    if (page.done) {
      const { are, seenSince, cursor } = page.value;
      await services.database.transaction(async (transaction) => {
        await holdBinding(transaction, binding);
        // A device that seems missing may be among the unreadable records.
        if (are === "gone" && unreadable === 0) await storeGone(transaction, binding, named, services.now());
        if (seenSince) await storeStillActive(transaction, binding, named, { ...clockOf(poll), seenSince });
        await noteAnswer(services, transaction, binding, "devices", { unreadable, cursor });
      });
      return;
    }
    const { items } = page.value;
    unreadable += page.value.unreadable;
    named.push(...items.map(({ id }) => id));
    await services.database.transaction(async (transaction) => {
      await holdBinding(transaction, binding);
      await storeDevices(transaction, binding, items, clockOf(poll));
    });
    if (poll.isLate())
      throw new EngineFailure(
        "too_slow",
        "The list of devices took too long to read. Look whether the engine is overloaded.",
      );
  }
}

/**
 * Asks for events since the last answer, and once an hour for the whole day, which is too much to search every minute.
 */
async function askEvents(poll: Poll, row: StreamRow | null): Promise<void> {
  const { services, binding, engine } = poll;
  const { minutes, isWhole } = eventsToAskFor(row, services.now());
  const events = await engine.inventory?.lastEvents(minutes);
  if (!events) return;
  await services.database.transaction(async (transaction) => {
    await holdBinding(transaction, binding);
    await storeLastEvents(transaction, binding, { ...events, isWhole }, clockOf(poll));
    const whole = isWhole ? { cursor: services.now().toISOString() } : {};
    await noteAnswer(services, transaction, binding, "events", whole);
  });
}

const wholeEvents = { minutes: 60 };
/** Events arrive late, because agents keep what they can't send. */
const eventsOverlapMinutes = 15;

/** This stream's cursor is the time when the whole day was last read. */
function eventsToAskFor(row: StreamRow | null, now: Date): { minutes: number; isWhole: boolean } {
  const { cursor, lastAnswerAt } = row ?? {};
  if (!cursor || !lastAnswerAt || new Date(cursor) < earlier(now, wholeEvents))
    return { minutes: lastEventsMinutesMax, isWhole: true };
  const passed = (now.getTime() - lastAnswerAt.getTime()) / 60_000;
  return { minutes: Math.ceil(passed) + eventsOverlapMinutes, isWhole: false };
}

async function askFindings(poll: Poll, row: StreamRow | null): Promise<void> {
  const since: Since = {
    cursor: row?.cursor ?? null,
    open: (behind, count) => readOpenFindings(poll.services.database, poll.binding.id, { behind, count }),
  };
  await takeBatches(poll, "findings", poll.engine.reports.findings?.(since), storeFindings);
}

async function askIncidents(poll: Poll, row: StreamRow | null): Promise<void> {
  const since: Since = { cursor: row?.cursor ?? null, open: async () => [] };
  await takeBatches(
    poll,
    "incidents",
    poll.engine.reports.incidents?.(since),
    async (transaction, binding, items, clock) => {
      await storeIncidents(transaction, binding, items, clock);
      if (items.length > 0) await poll.services.jobs.add(transaction, "take-incidents", { bindingId: binding.id });
    },
  );
}

/** Stores each batch with its cursor: the next poll continues where this one stops. */
async function takeBatches<Item>(
  poll: Poll,
  stream: EngineStream,
  batches: AsyncGenerator<Batch<Item>> | undefined,
  store: (
    transaction: Parameters<typeof storeDevices>[0],
    binding: BindingRow,
    items: readonly Item[],
    clock: Clock,
  ) => Promise<void>,
): Promise<void> {
  const { services, binding } = poll;
  let unreadable = 0;
  for await (const batch of batches ?? []) {
    unreadable += batch.unreadable;
    await services.database.transaction(async (transaction) => {
      await holdBinding(transaction, binding);
      await store(transaction, binding, batch.items, clockOf(poll));
      await noteAnswer(services, transaction, binding, stream, { cursor: batch.cursor, unreadable });
    });
    if (poll.isLate()) return;
  }
}
