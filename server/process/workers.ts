import cluster, { type Worker } from "node:cluster";
import { on } from "node:events";
import { endWithin } from "./stop.ts";

/** What a worker tells the first process; other messages of this program use the same channel. */
type Told = "wants the port" | "ready" | { failedStart: unknown };

const portIsFree = "the port is free";
/** The delay before a worker that ended is restarted; it doubles for each one that ends before it is ready. */
const startAgainMs = { first: 1000, last: 16_000 };
/** Exit code of a worker that could not start and has said why. */
export const failedStartCode = 78;

interface Events {
  /** The first worker is about to listen: the process that holds the port must release it. */
  wantsPort(): Promise<void>;
  allReady(): void;
  /** A worker could not start. If none has ever been ready, `isTheEnd` is true and none is restarted. */
  startFailed(why: unknown, isTheEnd: boolean): void;
}

/**
 * Starts `count` worker processes and restarts those that end; if the first starts fail, that is reported once and none
 * is restarted. Answers a function that stops them within a number of seconds, and answers those that did not end.
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

/** Each worker reports itself what it could not end; one that does not end in time is killed. */
async function endWorkers(seconds: number): Promise<string[]> {
  const workers = Object.values(cluster.workers ?? {})
    .filter((worker) => worker !== undefined)
    .filter((worker) => !worker.isDead());
  const ends = workers.map((worker) => {
    const ended = new Promise<void>((done, fail) =>
      // A worker that had not even begun to start ends by the signal itself.
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

/** In a worker: waits until it may listen; until then the first process answers in its place. */
export async function takePort(): Promise<void> {
  process.send?.("wants the port" satisfies Told);
  for await (const [told] of on(process, "message")) if (told === portIsFree) return;
}

/** In a worker: says that it serves. */
export function tellReady(): void {
  process.send?.("ready" satisfies Told);
}

/** In a worker: lets the first process report why this one could not start. */
export async function tellFailedStart(why: unknown): Promise<void> {
  await new Promise((sent) => process.send?.({ failedStart: why } satisfies Told, sent));
}
