import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { openThreads } from "../../process/threads.ts";
import { readPdf } from "../../../tests/read-pdf.ts";
import { sampleInvoice } from "../../../tests/sample-invoice.ts";
import type { Documents } from "./documents.ts";
import { startDocuments } from "./start-documents.ts";

let documents: Documents;
afterEach(() => documents.close());

const data = (number: string, lines = 40) => sampleInvoice({ number, lines });
const nextThread = async () => (await once(process, "worker"))[0] as Worker;

test("Each caller gets its own document, in one thread for all", async () => {
  documents = startDocuments({ threads: openThreads() });
  let threads = 0;
  process.on("worker", () => threads++);
  const numbers = Array.from({ length: 6 }, (_, index) => `SOC/26-27/00000${index}`);
  const rendered = await Promise.all(numbers.map((number) => documents.render("invoice", data(number))));
  process.removeAllListeners("worker");
  expect(await Promise.all(rendered.map(async (pdf) => (await readPdf(pdf)).title))).toEqual(
    numbers.map((number) => `Tax invoice ${number}`),
  );
  expect(threads).toBe(1);
});

test("The event loop stays free while documents are rendered", async () => {
  documents = startDocuments();
  await documents.render("invoice", data("warm"));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await Promise.all(Array.from({ length: 20 }, (_, index) => documents.render("invoice", data(`n${index}`))));
  delay.disable();
  console.log(`event loop held for ${(delay.max / 1e6).toFixed(1)} ms at most during 20 documents`);
  // Rendering on this thread would leave one turn of the event loop per document.
  expect(delay.count).toBeGreaterThan(40);
});

test("A template that does not compile fails its caller with the reason, and the next document comes", async () => {
  documents = startDocuments();
  await expect(documents.render("invoice", { brand: null })).rejects.toThrow(
    "The document could not be rendered: 0: cannot access fields on type none",
  );
  expect((await readPdf(await documents.render("invoice", data("next")))).title).toBe("Tax invoice next");
});

test("A thread that dies fails the document it was at; those that wait come from a new one", async () => {
  documents = startDocuments({ threads: openThreads() });
  const thread = nextThread();
  await documents.render("invoice", data("warm"));
  const hit = documents.render("invoice", data("hit", 2000));
  const waiting = [documents.render("invoice", data("first")), documents.render("invoice", data("second"))];
  await Promise.all([
    expect(hit).rejects.toThrow("The document could not be rendered: worker exited"),
    (await thread).terminate(),
  ]);
  const titles = (await Promise.all(waiting)).map(async (pdf) => (await readPdf(pdf)).title);
  expect(await Promise.all(titles)).toEqual(["Tax invoice first", "Tax invoice second"]);
});

test("A document that takes too long fails, and its thread is given up", async () => {
  const threads = openThreads();
  const patient = startDocuments({ threads });
  await patient.render("invoice", data("warm"));
  documents = startDocuments({ threads, limitMs: 1 });
  const started = nextThread();
  await expect(documents.render("invoice", data("slow", 2000))).rejects.toThrow(
    "The document could not be rendered: it took longer than 1 ms",
  );
  expect((await readPdf(await patient.render("invoice", data("next")))).title).toBe("Tax invoice next");
  await started;
});

test("What still waits at a stop fails instead of waiting for ever", async () => {
  documents = startDocuments();
  const rendering = [documents.render("invoice", data("a")), documents.render("invoice", data("b"))];
  const failed = Promise.all(rendering.map((each) => expect(each).rejects.toThrow("The product stopped")));
  await documents.close();
  await failed;
  await expect(documents.render("invoice", data("c"))).rejects.toThrow("The product is stopping");
});
