import cluster, { type Worker } from "node:cluster";
import { randomUUID } from "node:crypto";
import { AggregatorRegistry, Registry, type RegistryContentType } from "prom-client";
import { Failure } from "../failures/failure.ts";

/** Between the processes of WORKERS: a scrape reaches one of them, and is answered for all. */
type Message = { wantsMetricsAs: string } | { metricsFor: string; text: string | null };

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;

const answerWithinMs = 6000;

/** Answers the metrics as text: of this process, or of all where it is one of several WORKERS. */
export function tellMetrics(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  // Made for its side effect: this process answers from now on what the first one asks.
  void new AggregatorRegistry<RegistryContentType>();
  AggregatorRegistry.setRegistries([registry]);
  return askFirstProcess;
}

/** In the first process of several: gathers the metrics of all whenever one of them wants to tell. */
export function gatherMetrics(): void {
  const gathered = new AggregatorRegistry<RegistryContentType>();
  cluster.on("message", (worker: Worker, message: Message) => {
    if (typeof message !== "object" || !("wantsMetricsAs" in message)) return;
    const answer = (text: string | null) =>
      worker.isConnected() && worker.send({ metricsFor: message.wantsMetricsAs, text } satisfies Message);
    gathered.clusterMetrics().then(answer, () => answer(null));
  });
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
