import cluster, { type Worker } from "node:cluster";
import { randomUUID } from "node:crypto";
import { Registry } from "prom-client";
import { Failure } from "../failures/failure.ts";
import { type Counted, sumOfProcesses } from "./sum-of-processes.ts";

/**
 * Messages between the processes of WORKERS: the scraped process asks the first one, which gathers the metrics of all
 * and sends it the sum.
 */
type Message =
  | "can tell metrics"
  | { wantsMetricsAs: string }
  | { wantsCountedFor: string }
  | { countedFor: string; counted: Counted | null }
  | { metricsFor: string; text: string | null };

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;

const answerWithinMs = 6000;

/** Returns a function that gives the metrics as text: of this process, or of all if it is one of several WORKERS. */
export function tellMetrics(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  process.on("message", (message: Message) => {
    if (typeof message !== "object" || !("wantsCountedFor" in message)) return;
    const tell = (counted: Counted | null) =>
      process.connected && process.send?.({ countedFor: message.wantsCountedFor, counted } satisfies Message);
    registry.getMetricsAsJSON().then(tell, () => tell(null));
  });
  process.send?.("can tell metrics" satisfies Message);
  return askFirstProcess;
}

/** A scrape that waits for the other processes' metrics. */
interface Scrape {
  by: Worker;
  awaited: Set<number>;
}

/** Runs in the first of several processes: gathers the metrics of all whenever one of them is scraped. */
export function gatherMetrics(): void {
  const sum = sumOfProcesses();
  const scrapes = new Map<string, Scrape>();
  // Processes that are ready to answer; one still starting would not.
  const telling = new Set<Worker>();
  const answer = (id: string, text: string | null) => {
    const by = scrapes.get(id)?.by;
    scrapes.delete(id);
    if (by?.isConnected()) by.send({ metricsFor: id, text } satisfies Message);
  };
  const hear = (id: string, from: Worker) => {
    const scrape = scrapes.get(id);
    if (!scrape?.awaited.delete(from.id) || scrape.awaited.size > 0) return;
    sum.text().then(
      (text) => answer(id, text),
      () => answer(id, null),
    );
  };
  cluster.on("message", (worker: Worker, message: Message) => {
    if (message === "can tell metrics") telling.add(worker);
    if (typeof message !== "object") return;
    if ("wantsMetricsAs" in message) {
      const id = message.wantsMetricsAs;
      scrapes.set(id, { by: worker, awaited: ask(telling, id) });
      // A hanging process may answer until then; the scraped process gives up after the same time.
      setTimeout(() => scrapes.delete(id), answerWithinMs).unref();
    } else if ("countedFor" in message) {
      if (message.counted === null) return answer(message.countedFor, null);
      if (!worker.isDead()) sum.note(worker.id, message.counted);
      hear(message.countedFor, worker);
    }
  });
  cluster.on("exit", (worker: Worker) => {
    sum.end(worker.id);
    telling.delete(worker);
    for (const id of scrapes.keys()) hear(id, worker);
  });
}

/** Asks all connected processes and returns their ids; a process that is ending is left out. */
function ask(telling: ReadonlySet<Worker>, id: string): Set<number> {
  const asked = [...telling].filter((worker) => worker.isConnected());
  for (const worker of asked) worker.send({ wantsCountedFor: id } satisfies Message);
  return new Set(asked.map((worker) => worker.id));
}

function askFirstProcess(): Promise<string> {
  const id = randomUUID();
  return new Promise((done, fail) => {
    const end = (text: string | null) => {
      process.off("message", hear);
      clearTimeout(late);
      if (text !== null) done(text);
      else fail(new Failure("overloaded", "Not all processes have told their metrics.", { retryAfterSeconds: 2 }));
    };
    const hear = (message: Message) => {
      if (typeof message === "object" && "metricsFor" in message && message.metricsFor === id) end(message.text);
    };
    const late = setTimeout(end, answerWithinMs, null);
    process.on("message", hear);
    process.send?.({ wantsMetricsAs: id } satisfies Message);
  });
}
