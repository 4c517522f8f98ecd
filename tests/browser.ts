import type { Browser, BrowserContextOptions, Page, Request, Route } from "playwright-core";
import { onTestFinished, TestRunner } from "vitest";
import { launchBrowser as launch } from "./launch-browser.ts";

/** A page of a test lives too briefly for what is optimised beside it to pay: without it, it takes an eighth less. */
export const launchBrowser = (more: string[] = []): Promise<Browser> =>
  launch(["--js-flags=--no-opt,--no-maglev", "--in-process-gpu", ...more]);

let ofWorker: Promise<Browser> | undefined;

/** The browser of all test files that run in this process, one after the other. It goes with the process. */
export async function sharedBrowser(): Promise<Browser> {
  const running = await ofWorker?.catch(() => undefined);
  if (!running?.isConnected()) ofWorker = launchBrowser();
  return ofWorker ?? launchBrowser();
}

/** Closes what a test file did not leave; the pages that it left are the next file's. */
export async function leaveBrowser(browser: Browser | undefined): Promise<void> {
  if (!browser) return;
  const left = [...(leftPages.get(browser)?.values() ?? [])].flat().map((page) => page.context());
  await Promise.all(
    browser
      .contexts()
      .filter((context) => !left.includes(context))
      .map((context) => context.close()),
  );
}

export interface WatchedPage {
  page: Page;
  /** What the console and the page complained of; a journey ends with none. */
  complaints: string[];
  /** Leaves the page before the test ends, so that the next one of its kind need not be made. */
  leave(): Promise<void>;
}

/** Pages that were left, by their kind. One that was used before loads in a fourth of the time of a new one. */
const leftPages = new WeakMap<Browser, Map<string, Page[]>>();

/** A page of a visitor of its own, whose complaints are kept. It is left when the test ends, and then another visitor's. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const all: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...options };
  const { storageState, ...kind } = all;
  const left = leftPagesOf(browser, kind);
  const used = left.pop();
  const page = used ?? watchLasting(await (await browser.newContext(all)).newPage());
  if (used && typeof storageState === "object") await store(used, storageState.origins);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
  let isLeft = false;
  const leave = async (isAsNew = true) => {
    if (isLeft || page.isClosed()) return;
    isLeft = true;
    if (isAsNew && !changedForGood.has(page) && (await makeAsNew(page, kind).catch(() => false))) left.push(page);
    else await page.context().close();
  };
  // A page of a whole suite is left when its browser is closed.
  if (TestRunner.getCurrentTest()) onTestFinished(({ task }) => leave(task.result?.state === "pass"));
  return { page, complaints, leave };
}

function leftPagesOf(browser: Browser, kind: BrowserContextOptions): Page[] {
  const kinds = leftPages.get(browser) ?? new Map<string, Page[]>();
  const name = JSON.stringify(kind);
  const left = kinds.get(name) ?? [];
  leftPages.set(browser, kinds.set(name, left));
  return left;
}

/** Pages with scripts, clocks or settings that nothing takes from them: they are nobody else's. */
const changedForGood = new WeakSet<Page>();

function watchLasting(page: Page): Page {
  const watch = <Owner extends object>(owner: Owner, name: keyof Owner) => {
    const change = owner[name];
    if (typeof change !== "function") return;
    const value = (...given: unknown[]): unknown => {
      changedForGood.add(page);
      return Reflect.apply(change, owner, given);
    };
    Object.defineProperty(owner, name, { value });
  };
  watch(page, "addInitScript");
  watch(page.clock, "install");
  watch(page.context(), "addInitScript");
  watch(page.context(), "newCDPSession");
  return page;
}

/** An address without script, where a page waits for its next visitor. */
const restAt = (origin: string) => `${origin}/robots.txt`;

const watched = ["console", "pageerror", "dialog", "request", "requestfailed", "response"];

/** Takes from a page whatever its visitor left. Answers whether that is possible. */
async function makeAsNew(
  page: Page,
  { viewport, colorScheme, reducedMotion }: BrowserContextOptions,
): Promise<boolean> {
  if (!page.url().startsWith("http")) return false;
  for (const name of watched) page.removeAllListeners(name);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.goto(restAt(new URL(page.url()).origin));
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.context().clearCookies();
  await page.emulateMedia({ media: null, colorScheme: colorScheme ?? "light", reducedMotion: reducedMotion ?? null });
  if (viewport) await page.setViewportSize(viewport);
  await page.mouse.move(0, 0);
  return true;
}

interface Origin {
  origin: string;
  localStorage: { name: string; value: string }[];
}

async function store(page: Page, origins: Origin[]): Promise<void> {
  for (const { origin, localStorage: entries } of origins) {
    if (new URL(page.url()).origin !== origin) await page.goto(restAt(origin));
    await page.evaluate((all) => all.forEach(({ name, value }) => localStorage.setItem(name, value)), entries);
  }
}

/** Answers nothing at these addresses until what it gives is called. */
export async function holdBack(page: Page, addresses: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** The next call of these addresses is answered, and the answer lost on its way: what was asked for is done. */
export async function loseAnswer(page: Page, addresses: string): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort("connectionreset");
  };
  await page.route(addresses, lose, { times: 1 });
}

/**
 * Does something that loads or fetches, and waits until the page's script has started, where it starts unasked, and nothing was
 * fetched for half a second. A slow machine takes longer than that from the page to its script: the browser's own
 * "networkidle" is over by then.
 */
export async function whenQuiet(page: Page, act: () => Promise<unknown>): Promise<void> {
  const underWay = new Set<Request>();
  let begun = 0;
  const begin = (request: Request) => {
    underWay.add(request);
    begun++;
  };
  const end = (request: Request) => underWay.delete(request);
  page.on("request", begin).on("requestfinished", end).on("requestfailed", end);
  try {
    await act();
    await page.waitForFunction(isTakenOver, false);
    for (let seen = -1; underWay.size > 0 || seen !== begun;) {
      seen = begun;
      await page.waitForTimeout(500);
      // What the page is still busy with may lead to more. On a busy machine a page that draws nothing may never be told that it is idle.
      await page.waitForFunction(() => new Promise((done) => requestIdleCallback(() => done(true), { timeout: 2000 })));
    }
  } finally {
    page.off("request", begin).off("requestfinished", end).off("requestfailed", end);
  }
}

/** Opens an address and waits until the page is quiet. */
export const openQuiet = (page: Page, url: string): Promise<void> => whenQuiet(page, () => page.goto(url));

/** What first has the focus brings what passes it on: seldom the control that goes with it. */
export async function beginByKeys(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new FocusEvent("focusin")));
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/pass-focus-on-")),
  );
}

/** Waits until React has taken the page over, which it marks. */
export const untilTakenOver = (page: Page) => page.waitForFunction(isTakenOver, true);

/** Runs in the page; a page without React, or whose React waits for a touch (`app/hydrate-later.ts`), passes unless it must. */
function isTakenOver(must: boolean): boolean {
  const start = document.querySelector<HTMLElement>("script[data-start]")?.dataset["start"];
  const waits = start === "touched" && localStorage.getItem("isAuthenticated") !== "true";
  const passes = !must && (start === undefined || waits);
  return passes || Object.keys(document.body).some((key) => key.startsWith("__react"));
}
