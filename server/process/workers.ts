import cluster, { type Worker } from "node:cluster";
import { on } from "node:events";
import { endWithin } from "./stop.ts";

/** What a worker tells the first process; others of this program use the same channel. */
type Told = "wants the port" | "ready" | { failedStart: unknown };

const portIsFree = "the port is free";
/** After how long one that ended is started again; one that ends before it is ready, each time after twice as long. */
const startAgainMs = { first: 1000, last: 16_000 };
/** How a worker ends that could not start, and has told why. */
export const failedStartCode = 78;

interface Events {
  /** The first worker is about to listen: whoever holds the port lets go of it. */
  wantsPort(): Promise<void>;
  allReady(): void;
  /** A worker could not start. Where none has ever been ready that is the end: none is started again. */
  startFailed(why: unknown, isTheEnd: boolean): void;
}

/**
 * Starts so many further processes of this program. One that ends is started again, but where the first starts fail that is
 * said once, and is the end. Answers what stops them within so many seconds, and answers those that did not.
 */
export function startWorkers(
  count: number,
  variables: Record<string, string>,
  { wantsPort, allReady, startFailed }: Events,
): (seconds: number) => Promise<string[]> {
  let stopping = false;
  let ready = 0;
  let endedEarly = 0;
  const serving = new Set<Worker>();
  let portFreed: Promise<void> | null = null;
  const start = () => stopping || cluster.fork(variables);
  const noteFailure = (why: unknown) => {
    if (stopping) return;
    stopping = ready === 0;
    startFailed(why, stopping);
  };
  cluster.on("message", (worker: Worker, told: Told) => {
    if (told === "wants the port") {
      portFreed ??= wantsPort();
      void portFreed.then(() => worker.isConnected() && worker.send(portIsFree));
    } else if (told === "ready") {
      endedEarly = 0;
      serving.add(worker);
      if (++ready === count) allReady();
    } else if (typeof told === "object" && "failedStart" in told) noteFailure(told.failedStart);
  });
  cluster.on("exit", (worker: Worker) => {
    const hasServed = serving.delete(worker);
    const after = hasServed ? startAgainMs.first : startAgainMs.first * 2 ** endedEarly++;
    setTimeout(start, Math.min(after, startAgainMs.last));
  });
  for (let number = 0; number < count; number++) start();
  return (seconds) => {
    stopping = true;
    return endWorkers(seconds);
  };
}

/** Each worker says itself what it could not end; one that does not even end in time is killed. */
async function endWorkers(seconds: number): Promise<string[]> {
  const workers = Object.values(cluster.workers ?? {})
    .filter((worker) => worker !== undefined)
    .filter((worker) => !worker.isDead());
  const ends = workers.map((worker) => {
    const ended = new Promise<void>((done, fail) =>
      // By the signal itself ends one that had not even begun to start.
      worker.once("exit", (code, signal) =>
        code === 0 || code === failedStartCode || signal === "SIGTERM"
          ? done()
          : fail(new Error("ended with an error")),
      ),
    );
    return [`worker ${worker.process.pid}`, () => (worker.process.kill("SIGTERM"), ended)] as const;
  });
  const late = await endWithin(seconds, Object.fromEntries(ends));
  for (const worker of workers) worker.process.kill("SIGKILL");
  return late;
}

/** In a worker: waits until it may listen, as the first process has answered for it until then. */
export async function takePort(): Promise<void> {
  process.send?.("wants the port" satisfies Told);
  for await (const [told] of on(process, "message")) if (told === portIsFree) return;
}

/** In a worker: it serves. */
export function tellReady(): void {
  process.send?.("ready" satisfies Told);
}

/** In a worker: has the first process say why this one could not start. */
export async function tellFailedStart(why: unknown): Promise<void> {
  await new Promise((sent) => process.send?.({ failedStart: why } satisfies Told, sent));
}
