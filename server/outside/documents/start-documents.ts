import { Worker } from "node:worker_threads";
import { withoutFaults } from "../../../contract/plain-text.ts";
import type { Documents } from "./documents.ts";
import type { RenderAnswer, RenderRequest, Signing } from "./worker.ts";

interface Rendering {
  request: RenderRequest;
  done(pdf: Uint8Array): void;
  failed(error: Error): void;
}

/**
 * Renders one document at a time in a thread of its own, started with the first one.
 * By hand, because Piscina does not notice a thread that ends without an error.
 * A thread that dies or takes longer than `limitMs` fails the document it was at; those that wait get a new one. It ends
 * after `idleMs` without a document: a new one is there within a fifth of a second.
 */
export function startDocuments({
  limitMs = 30_000,
  idleMs = 120_000,
  signing = null,
}: { limitMs?: number; idleMs?: number; signing?: Signing } = {}): Documents {
  const waiting: Rendering[] = [];
  let current: Rendering | null = null;
  let timer: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;
  let worker: Worker | null = null;
  let closed = false;

  const next = () => {
    clearTimeout(idle);
    current = waiting.shift() ?? null;
    if (!current) return rest();
    worker ??= startThread(signing, {
      isInUse: (thread) => thread === worker,
      answered: (answer) =>
        settle(({ done, failed }) =>
          "pdf" in answer ? done(answer.pdf) : failed(new Error(`The document could not be rendered: ${answer.error}`)),
        ),
      lost: replaceWorker,
    });
    worker.ref();
    // A thread inside native code can't be stopped: it is left to itself and goes when it returns from there.
    timer = setTimeout(() => replaceWorker(new Error(`The document took longer than ${limitMs} ms`)), limitMs);
    worker.postMessage(current.request);
  };
  const rest = () => {
    if (!worker) return;
    worker.unref();
    idle = setTimeout(() => {
      void worker?.terminate();
      worker = null;
    }, idleMs).unref();
  };
  const settle = (how: (rendering: Rendering) => void) => {
    clearTimeout(timer);
    if (current) how(current);
    next();
  };
  const replaceWorker = (error: Error) => {
    void worker?.terminate();
    worker?.unref();
    worker = null;
    settle(({ failed }) => failed(error));
  };
  return {
    render: (template, data, attached) =>
      new Promise((done, failed) => {
        if (closed) throw new Error("The product is stopping; no documents are rendered");
        const request = { template, data: JSON.stringify(data, printable), ...(attached && { attached }) };
        waiting.push({ request, done, failed });
        if (!current) next();
      }),
    async close() {
      closed = true;
      const stopping = worker;
      worker = null;
      for (const { failed } of waiting.splice(0))
        failed(new Error("The product stopped before the document was rendered"));
      settle(({ failed }) => failed(new Error("The product stopped while the document was rendered")));
      await stopping?.terminate();
    },
  };
}

/** A thread that renders; of one that is not in use any more nothing is heard. */
function startThread(
  signing: Signing,
  {
    isInUse,
    answered,
    lost,
  }: {
    isInUse(thread: Worker): boolean;
    answered(answer: RenderAnswer): void;
    lost(error: Error): void;
  },
): Worker {
  // The work is done outside V8's heap: it needs little of what the process gives each thread.
  const thread = new Worker(new URL("./worker.ts", import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
    workerData: signing,
  });
  const ifInUse = (act: () => void) => isInUse(thread) && act();
  thread.on("message", (answer: RenderAnswer) => ifInUse(() => answered(answer)));
  thread.on("error", (error) => ifInUse(() => lost(error instanceof Error ? error : new Error(String(error)))));
  thread.on("exit", () => ifInUse(() => lost(new Error("The thread that renders documents ended"))));
  return thread;
}

/** What was typed before names were looked at could still turn a line around. */
function printable(_key: string, value: unknown): unknown {
  return typeof value === "string" ? withoutFaults(value.normalize("NFC")) : value;
}
