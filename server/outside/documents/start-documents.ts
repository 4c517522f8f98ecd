import { Worker } from "node:worker_threads";
import type { Documents } from "./documents.ts";
import type { RenderAnswer, RenderRequest } from "./worker.ts";

const renderLimitMs = 30_000;

interface Waiting {
  done(pdf: Uint8Array): void;
  failed(error: Error): void;
  timer: NodeJS.Timeout;
}

/** Renders in a thread of its own, started with the first document and again should it die. */
export function startDocuments(): Documents {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let lastId = 0;

  const failAll = (error: Error) => {
    worker = null;
    for (const [id, { failed, timer }] of waiting) {
      clearTimeout(timer);
      waiting.delete(id);
      failed(error);
    }
  };
  const startWorker = () => {
    const started = new Worker(new URL("./worker.ts", import.meta.url));
    started.unref();
    started.on("message", (answer: RenderAnswer) => {
      const job = waiting.get(answer.id);
      if (!job) return;
      waiting.delete(answer.id);
      clearTimeout(job.timer);
      if ("pdf" in answer) job.done(answer.pdf);
      else job.failed(new Error(`The document could not be rendered: ${answer.error}`));
    });
    started.on("error", failAll);
    started.on("exit", () => {
      if (worker === started) failAll(new Error("The thread that renders documents ended"));
    });
    return started;
  };

  return {
    render: (template, data) =>
      new Promise((done, failed) => {
        worker ??= startWorker();
        const id = ++lastId;
        // A template that never ends takes its thread with it; the next document gets a new one.
        const timer = setTimeout(() => void worker?.terminate(), renderLimitMs);
        waiting.set(id, { done, failed, timer });
        worker.postMessage({ id, template, data } satisfies RenderRequest);
      }),
    async close() {
      await worker?.terminate();
    },
  };
}
