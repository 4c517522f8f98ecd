import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openQuiet, untilTakenOver, whenQuiet } from "./browser.ts";

/**
 * What a new visitor's browser loads for a page until it is quiet: the bytes of all responses with their headers, and
 * the compressed size of its scripts. A page whose script waits for a touch is then touched once.
 */
export async function weighPage(browser: Browser, url: string, reads: boolean, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const { weighed } = await weighFromNow(page);
  await openQuiet(page, url);
  const beforeBytes = weighed.all;
  const early = weighed.script;
  if (reads) {
    await whenQuiet(page, async () => {
      await page.keyboard.press("Shift");
      await untilTakenOver(page);
    });
  }
  await context.close();
  return { beforeBytes, earlyScriptBytes: early, scriptBytes: weighed.script };
}

/** Opens an address with an empty cache. Answers the compressed size of the scripts loaded until the page is quiet. */
export async function openAndWeigh(page: Page, url: string): Promise<number> {
  const { weighed, client } = await weighFromNow(page);
  await client.send("Network.setCacheDisabled", { cacheDisabled: true });
  await openQuiet(page, url);
  await client.detach();
  return weighed.script;
}

/** Adds up everything that the page fetches from now on. */
async function weighFromNow(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const types = new Map<string, string>();
  const headers = new Map<string, number>();
  const weighed = { all: 0, script: 0 };
  client.on("Network.responseReceived", ({ requestId, type, response }) => {
    types.set(requestId, type);
    headers.set(requestId, response.encodedDataLength);
  });
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    weighed.all += encodedDataLength;
    if (types.get(requestId) === "Script") weighed.script += encodedDataLength - (headers.get(requestId) ?? 0);
  });
  return { client, weighed };
}

/**
 * Limit in bytes for the compressed scripts of an interactive page until it is quiet; charts are loaded later, when
 * they come into view.
 */
export function scriptBudget(path: string): number {
  if (path === "/login") return 108_500;
  // Visitors load none of the portals' frame.
  if (path === "/estimator") return 160_000;
  // Sliders, price fields, billing details, service levels and reports of an attack: these pages are mainly forms.
  if (path.includes("/estimator") || path === "/admin/rate-card" || path === "/user/billing") return 166_000;
  if (path === "/admin/service-levels") return 163_800;
  if (path === "/user/under-attack" || /\/incidents\/./.test(path) || path === "/admin/estimateOrder") return 159_000;
  if (path.endsWith("/dashboard") || path === "/user/myquote") return 150_000;
  return 153_000;
}
