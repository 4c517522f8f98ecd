import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";

/**
 * What would hold up the event loop: how many threads each kind of work may have, and how many tasks each of them has at hand.
 * With the next one there a thread does not idle until the event loop comes round.
 */
const kinds = {
  // A hash fills a core. On Linux its thread steps back behind everybody else, so that it may use every core; elsewhere one
  // core stays free.
  passwords: { threads: Math.max(1, availableParallelism() - (process.platform === "linux" ? 0 : 1)), atHand: 2 },
  // Their lists take 20 MB: they are there while people choose passwords.
  guesses: { threads: 1, atHand: 1 },
  documents: { threads: 1, atHand: 1 },
};
type Kind = keyof typeof kinds;

/** A function of a module, called in a thread. */
interface Call {
  module: URL;
  function: string;
  input: unknown;
}

/** What ends a call before its time. Its thread ends too: native code goes on until it returns, and nobody waits for it. */
interface Ends {
  /** Counted from when the call begins. */
  limitMs: number;
  /** Aborted with an Error for the reason, before the call begins or while it is under way. */
  stop: AbortSignal;
}

export interface Threads {
  /** @throws what the function throws; at the limit; at a stop its reason; when the thread dies */
  run<Result>(kind: Kind, call: Call, ends?: Ends): Promise<Result>;
  /** How many calls of this kind wait for others. */
  waiting(kind: Kind): number;
}

/**
 * One pool for all of them. A thread keeps to one kind of work, whose modules it has loaded, and no kind waits for another. It
 * starts with the first task, which it costs a tenth of a second, and ends after `idleMs` without one.
 */
export function openThreads(idleMs = 120_000): Threads {
  const queues: Record<Kind, Queue> = { passwords: emptyQueue(), guesses: emptyQueue(), documents: emptyQueue() };
  const kindOfModule = new Map<string, Kind>();
  /** Of those that have begun; null before the first task. The pool offers those that still begin as well, but not always. */
  const kindOfThread = new Map<number, Kind | null>();
  const pool = new Piscina<unknown, unknown>({
    minThreads: 0,
    maxThreads: Object.values(kinds).reduce((sum, { threads }) => sum + threads, 0),
    concurrentTasksPerWorker: Math.max(...Object.values(kinds).map(({ atHand }) => atHand)),
    idleTimeout: idleMs,
    // The work is done outside V8's heap: it needs little of what the process gives each thread.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
    loadBalancer({ filename }, threads) {
      const kind = kindOfModule.get(filename);
      if (!kind) return null;
      const own = threads.filter(({ id }) => kindOfThread.get(id) === kind);
      const [first] = own.toSorted((one, other) => one.currentUsage - other.currentUsage);
      if (first?.currentUsage === 0) return first;
      const spare = own.length < kinds[kind].threads && threads.find(({ id }) => kindOfThread.get(id) === null);
      if (!spare) return first && first.currentUsage < kinds[kind].atHand ? first : null;
      kindOfThread.set(spare.id, kind);
      return spare;
    },
  });
  pool.on("workerCreate", ({ id }: { id: number }) => kindOfThread.set(id, null));
  pool.on("workerDestroy", ({ id }: { id: number }) => kindOfThread.delete(id));

  return {
    async run<Result>(kind: Kind, { module, function: name, input }: Call, ends?: Ends) {
      const queue = queues[kind];
      const { threads, atHand } = kinds[kind];
      if (queue.inside < threads * atHand) queue.inside++;
      else await new Promise<void>((turn) => queue.waiting.push(turn));
      const filename = fileURLToPath(module);
      kindOfModule.set(filename, kind);
      const running = (signal: AbortSignal | null) => pool.run(input, { filename, name, signal }) as Promise<Result>;
      try {
        return await (ends ? untilEnd(ends, running) : running(null));
      } finally {
        const next = queue.waiting.shift();
        if (next) next();
        else queue.inside--;
      }
    },
    waiting: (kind) => queues[kind].waiting.length,
  };
}

interface Queue {
  inside: number;
  waiting: (() => void)[];
}
const emptyQueue = (): Queue => ({ inside: 0, waiting: [] });

/** By hand: signals that AbortSignal.any joins stay known to a signal that lives as long as the process. */
async function untilEnd<Result>({ limitMs, stop }: Ends, run: (signal: AbortSignal) => Promise<Result>) {
  const end = new AbortController();
  const stopNow = () => end.abort(stop.reason);
  const timer = setTimeout(() => end.abort(new Error(`it took longer than ${limitMs} ms`)), limitMs);
  stop.addEventListener("abort", stopNow);
  try {
    if (stop.aborted) stopNow();
    return await run(end.signal);
  } catch (error) {
    throw end.signal.aborted ? (end.signal.reason as Error) : error;
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", stopNow);
  }
}

/** Those of the process. */
export const threads = openThreads();
