import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";

/**
 * Work that would block the event loop: how many threads each kind may have, and how many tasks a thread may have at
 * hand. With the next task at hand, a thread need not wait for the event loop.
 */
const kinds = {
  // A hash occupies a core. On Linux its thread has a low priority and may use any core; elsewhere one core stays free.
  passwords: { threads: Math.max(1, availableParallelism() - (process.platform === "linux" ? 0 : 1)), atHand: 2 },
  // Its word lists take 20 MB, so its thread exists only while people choose passwords.
  guesses: { threads: 1, atHand: 1 },
  documents: { threads: 1, atHand: 1 },
};
type Kind = keyof typeof kinds;

/** An exported function of a module, to run in a thread. */
interface Call {
  module: URL;
  function: string;
  input: unknown;
}

/** Ends a call early. Its thread is terminated, too: native code runs on until it returns, but nobody waits for it. */
interface Ends {
  /** From the call's beginning. */
  limitMs: number;
  /** Aborted with an Error as the reason, before or during the call. */
  stop: AbortSignal;
}

export interface Threads {
  /** @throws what the function throws; an Error at the limit; the reason of `stop`; an Error if the thread dies */
  run<Result>(kind: Kind, call: Call, ends?: Ends): Promise<Result>;
  /** How many calls of this kind wait for their turn. */
  waiting(kind: Kind): number;
}

/**
 * One pool for all kinds. A thread sticks to one kind of work, whose modules it has loaded, and no kind waits for
 * another. A thread starts with the first task, which takes a tenth of a second, and ends after `idleMs` without work.
 */
export function openThreads(idleMs = 120_000): Threads {
  const queues: Record<Kind, Queue> = { passwords: emptyQueue(), guesses: emptyQueue(), documents: emptyQueue() };
  const kindOfModule = new Map<string, Kind>();
  /**
   * For started threads; null before the first task. The pool sometimes offers threads that are still starting, too.
   */
  const kindOfThread = new Map<number, Kind | null>();
  const pool = new Piscina<unknown, unknown>({
    minThreads: 0,
    maxThreads: Object.values(kinds).reduce((sum, { threads }) => sum + threads, 0),
    concurrentTasksPerWorker: Math.max(...Object.values(kinds).map(({ atHand }) => atHand)),
    idleTimeout: idleMs,
    // The work happens outside V8's heap, so the threads need little of the process's default limits.
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

/** Not AbortSignal.any: a signal that lives as long as the process would keep a reference to each joined signal. */
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

/** The process's only pool. */
export const threads = openThreads();
