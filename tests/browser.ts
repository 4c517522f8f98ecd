import type { Browser, BrowserContextOptions, Page, Request, Route } from "playwright-core";
import { onTestFinished, TestRunner } from "vitest";
import { launchBrowser as launch } from "./launch-browser.ts";

/**
 * A page in a test lives too briefly for V8's optimisation in the background to pay: without it, a page takes an eighth
 * less time.
 */
export const launchBrowser = (more: string[] = []): Promise<Browser> =>
  launch(["--js-flags=--no-opt,--no-maglev", "--in-process-gpu", ...more]);

let ofWorker: Promise<Browser> | undefined;

/** The browser shared by all test files that run in this process, one after the other. It ends with the process. */
export async function sharedBrowser(): Promise<Browser> {
  const running = await ofWorker?.catch(() => undefined);
  if (!running?.isConnected()) ofWorker = launchBrowser();
  return ofWorker ?? launchBrowser();
}

/** Closes what a test file left open; pages that were left properly are reused by the next file. */
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
  /** Errors from the console and the page; a journey ends with none. */
  complaints: string[];
  /** Returns the page to the pool before the test ends, so that the next page of its kind need not be created. */
  leave(): Promise<void>;
}

/** Pages returned for reuse, by kind. A reused page loads in a fourth of the time of a new one. */
const leftPages = new WeakMap<Browser, Map<string, Page[]>>();

/** A page for a new visitor, whose errors are recorded. It is returned for reuse when the test ends. */
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
  // A page opened for a whole suite is closed with its browser.
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

/** Pages with scripts, clocks or settings that can't be removed, so they are not reused. */
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

/** An address without scripts, where a page waits for its next visitor. */
const restAt = (origin: string) => `${origin}/robots.txt`;

const watched = ["console", "pageerror", "dialog", "request", "requestfailed", "response"];

/** Resets a page for its next visitor. Answers false where that is not possible. */
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

/** Holds back the responses from these addresses until the returned function is called. */
export async function holdBack(page: Page, addresses: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Loses the response to the next call of these addresses: the server has carried it out. */
export async function loseAnswer(page: Page, addresses: string): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort("connectionreset");
  };
  await page.route(addresses, lose, { times: 1 });
}

/**
 * Runs `act`, which loads or fetches, and waits until the page's script has started (where it starts by itself) and
 * nothing was fetched for half a second. The browser's own "networkidle" is no use here: on a slow machine it is over
 * before the page's script starts.
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
      // The page's remaining work may fetch more. On a busy machine a page that draws nothing may never become idle,
      // hence the timeout.
      await page.waitForFunction(() => new Promise((done) => requestIdleCallback(() => done(true), { timeout: 2000 })));
    }
  } finally {
    page.off("request", begin).off("requestfinished", end).off("requestfailed", end);
  }
}

/** Opens an address and waits until the page is quiet. */
export const openQuiet = (page: Page, url: string): Promise<void> => whenQuiet(page, () => page.goto(url));

/**
 * The first focus loads the script that passes the focus on when a control disappears; people seldom begin with that
 * very control.
 */
export async function beginByKeys(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new FocusEvent("focusin")));
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/pass-focus-on-")),
  );
}

/** Waits until React has hydrated the page, which its marks show. */
export const untilTakenOver = (page: Page) => page.waitForFunction(isTakenOver, true);

/**
 * Runs in the page. A page without React, or whose React waits for a touch (`app/hydrate-later.ts`), passes unless
 * `must` is set.
 */
function isTakenOver(must: boolean): boolean {
  const start = document.querySelector<HTMLElement>("script[data-start]")?.dataset["start"];
  const waits = start === "touched" && localStorage.getItem("isAuthenticated") !== "true";
  const passes = !must && (start === undefined || waits);
  return passes || Object.keys(document.body).some((key) => key.startsWith("__react"));
}
