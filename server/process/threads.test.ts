import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it } from "vitest";
import { openThreads } from "./threads.ts";

const folder = mkdtempSync(join(tmpdir(), "threads-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Each call blocks its thread for this many milliseconds, as native code does, and answers the thread's id. */
const work = `
  import { threadId } from "node:worker_threads";
  export const hold = (ms) => (Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms), threadId);
  export const fail = (why) => { throw new Error(why); };
  export const die = () => process.exit(3);
`;
const [ofPasswords, ofDocuments] = ["passwords", "documents"].map((name) => {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, work);
  return pathToFileURL(file);
}) as [URL, URL];

const never = new AbortController().signal;

function calling(threads = openThreads()) {
  return {
    password: (ms: number) => threads.run<number>("passwords", { module: ofPasswords, function: "hold", input: ms }),
    document: (ms: number, { limitMs = 60_000, stop = never }: { limitMs?: number; stop?: AbortSignal } = {}) =>
      threads.run<number>("documents", { module: ofDocuments, function: "hold", input: ms }, { limitMs, stop }),
    documentBy: (name: string, input?: unknown) =>
      threads.run("documents", { module: ofDocuments, function: name, input }),
    waiting: () => threads.waiting("documents"),
  };
}
const times = <Result>(count: number, act: () => Promise<Result>) => Promise.all(Array.from({ length: count }, act));

describe("threads", () => {
  it("keep to one kind of work each, in one pool", async () => {
    const { password, document } = calling();
    const [passwords, documents] = await Promise.all([times(20, () => password(5)), times(5, () => document(5))]);
    expect(new Set(documents).size).toBe(1);
    expect(passwords).not.toContain(documents[0]);
    expect(await document(0)).toBe(documents[0]);
    expect(passwords).toContain(await password(0));
  });

  it("are no more of a kind than it may have, however slowly they begin", async () => {
    for (let pool = 0; pool < 5; pool++) {
      const { password, document } = calling();
      // oxlint-disable-next-line no-await-in-loop -- one pool after the other, so that its threads begin beside its work
      const [passwords] = await Promise.all([times(30, () => password(1)), document(0)]);
      expect(new Set(passwords).size).toBeLessThanOrEqual(availableParallelism());
    }
  });

  it("let no kind wait for another", async () => {
    const { password, document } = calling();
    await Promise.all([times(4, () => password(50)), document(0)]);
    const done: string[] = [];
    await Promise.all([
      times(40, () => password(50)).then(() => done.push("passwords")),
      document(0).then(() => done.push("document")),
    ]);
    expect(done).toEqual(["document", "passwords"]);
  });

  it("do one document after the other, and count its limit from when it begins", async () => {
    const { document, waiting } = calling();
    await document(0);
    const all = times(6, () => document(100, { limitMs: 400 }));
    expect(waiting()).toBe(5);
    expect(new Set(await all).size).toBe(1);
  });

  it("give up what takes too long, with its thread, and go on with the next", async () => {
    const { document } = calling();
    const first = await document(0);
    const [slow, next] = [document(5000, { limitMs: 50 }), document(0)];
    await expect(slow).rejects.toThrow("it took longer than 50 ms");
    expect(await next).not.toBe(first);
  });

  it("give up at a stop what has begun and what waits, and nothing else", async () => {
    const { document } = calling();
    const stop = new AbortController();
    const given = times(3, () => document(5000, { stop: stop.signal })).catch((error: unknown) => error);
    const other = document(0);
    stop.abort(new Error("over"));
    expect(await given).toEqual(new Error("over"));
    expect(await other).toBeGreaterThan(0);
  });

  it("pass on what fails, and outlive a thread that ends by itself", async () => {
    const { document, documentBy } = calling();
    await expect(documentBy("fail", "because")).rejects.toThrow("because");
    const [died, next] = [documentBy("die"), document(0)];
    await expect(died).rejects.toThrow("worker exited with code: 3");
    expect(await next).toBeGreaterThan(0);
  });

  it("end after a while without work; the next call starts a new one", async () => {
    const { document } = calling(openThreads(10));
    const started = once(process, "worker") as Promise<[Worker]>;
    const first = await document(0);
    await once((await started)[0], "exit");
    expect(await document(0)).not.toBe(first);
  });
});
