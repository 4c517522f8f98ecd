import { beforeEach, describe, expect, it } from "vitest";
import { KeptPages, type MadePage } from "./kept-pages.ts";

const pageBytes = 1000;

let clock: Date;
let made: string[];
/** The outcome of the next pages. */
let outcome: Partial<MadePage> & { status: number };
/** Pages are held back until this resolves. */
let held: Promise<void> | null;
let etag: string | null;
let pages: KeptPages;

beforeEach(() => {
  clock = new Date("2026-11-22T06:00:00Z");
  made = [];
  outcome = { status: 200 };
  held = null;
  etag = null;
  pages = new KeptPages(make, () => clock, {
    bytes: 20_000,
    seconds: 60,
    secondsInDoubt: 3600,
    secondsBetweenTries: 2,
  });
  pages.trust();
});

/** Makes a page that says which one it is. */
async function make(address: string): Promise<MadePage> {
  made.push(address);
  const text = `${address} #${made.length}`.padEnd(pageBytes);
  const { status, isWhole = true, validUntil = null } = outcome;
  await held;
  const identity = new TextEncoder().encode(text);
  return {
    answer: { status, bytes: { identity, br: null, gzip: null }, headers: {}, etag },
    isWhole,
    validUntil,
  };
}
const shown = async (address = "/blog") =>
  new TextDecoder().decode((await pages.answer(address)).bytes.identity ?? undefined).trim();
const pass = (seconds: number) => {
  clock = new Date(clock.getTime() + seconds * 1000);
};

describe("a kept page", () => {
  it("is rendered once for concurrent and for later requests", async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => shown()));
    expect(new Set([...all, await shown()])).toEqual(new Set(["/blog #1"]));
  });

  it("is rendered again when its time is over", async () => {
    await shown();
    pass(59);
    expect(await shown()).toBe("/blog #1");
    pass(1);
    expect(await shown()).toBe("/blog #2");
  });

  it("keeps its compressed forms when it is rendered again without a change", async () => {
    etag = "the same";
    const { bytes } = await pages.answer("/blog");
    pass(60);
    expect((await pages.answer("/blog")).bytes).toBe(bytes);
    etag = "another";
    pass(60);
    expect((await pages.answer("/blog")).bytes).not.toBe(bytes);
  });

  it("is made as small as can be when somebody comes back to it, while it is kept", { timeout: 30_000 }, async () => {
    const [once, gone, back] = await Promise.all(["/once", "/gone", "/back"].map((address) => pages.answer(address)));
    await shown("/gone");
    await shown("/back");
    for (let serial = 0; serial < 20; serial++) {
      await shown(`/other/${serial}`);
      await shown("/back");
    }
    await expect.poll(() => back?.bytes.br, { timeout: 20_000 }).not.toBeNull();
    expect([once?.bytes.br, gone?.bytes.br]).toEqual([null, null]);
  });

  it("is rendered again when the calendar changes it", async () => {
    outcome.validUntil = new Date(clock.getTime() + 5000);
    await shown();
    pass(4);
    expect(await shown()).toBe("/blog #1");
    pass(1);
    expect(await shown()).toBe("/blog #2");
  });

  it("is gone at once when content has changed", async () => {
    await shown();
    pages.forget();
    expect(await shown()).toBe("/blog #2");
  });

  it("is neither kept nor shown to later requests when its rendering began before a change", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const before = shown();
    pages.forget();
    const after = shown();
    resolve();
    expect(await before).toBe("/blog #1");
    expect(await after).toBe("/blog #2");
    expect(await shown()).toBe("/blog #2");
  });

  it("is rendered for each request while changes are not heard", async () => {
    await shown();
    pages.doubt();
    expect(await shown()).toBe("/blog #2");
    expect(await shown()).toBe("/blog #3");
    pages.trust();
    // It was made while no notifications were heard.
    expect(await shown()).toBe("/blog #4");
    expect(await shown()).toBe("/blog #4");
  });

  it("is rendered again when changes were not heard during its rendering", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const asked = shown();
    pages.doubt();
    pages.trust();
    resolve();
    expect(await asked).toBe("/blog #1");
    expect(await shown()).toBe("/blog #2");
  });
});

describe("a page that can't be rendered completely", () => {
  beforeEach(async () => {
    await shown();
    pages.doubt();
    outcome = { status: 503, isWhole: false };
  });

  it("gives way to the earlier one, and is tried again after two seconds", async () => {
    expect(await shown()).toBe("/blog #1");
    expect(await shown()).toBe("/blog #1");
    expect(made.length).toBe(2);
    pass(2);
    expect(await shown()).toBe("/blog #1");
    expect(made.length).toBe(3);
    outcome = { status: 200 };
    pages.trust();
    expect(await shown(), "when changes are heard again, at once").toBe("/blog #4");
  });

  it("gives way to the earlier one for an hour at most", async () => {
    pass(3599);
    expect(await shown()).toBe("/blog #1");
    pass(2);
    expect((await pages.answer("/blog")).status).toBe(503);
  });

  it("does not bring back what has changed", async () => {
    pages.forget();
    expect((await pages.answer("/blog")).status).toBe(503);
    expect((await pages.answer("/blog")).status).toBe(503);
    expect(pages.bytes).toBe(0);
  });
});

describe("the memory for pages", () => {
  it("is bounded, and drops first what was used least recently", async () => {
    for (let number = 0; number < 200; number++) {
      await shown(`/blog?from=${number}`);
      expect(await shown("/often"), "still the first one").toBe("/often #2");
      expect(pages.bytes).toBeLessThanOrEqual(20_000);
    }
    expect(await shown("/blog?from=0")).not.toBe("/blog?from=0 #1");
  });

  it.each([404, 302, 500])("keeps no answer of status %i", async (status) => {
    outcome = { status };
    for (let number = 0; number < 50; number++) expect((await pages.answer(`/${number}`)).status).toBe(status);
    expect(pages.bytes).toBe(0);
  });

  it("keeps nothing of a rendering that failed", async () => {
    held = Promise.reject(new Error("not today"));
    await expect(shown()).rejects.toThrow("not today");
    held = null;
    expect(await shown()).toBe("/blog #2");
  });
});
