import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openQuiet, untilTakenOver, whenQuiet } from "./browser.ts";

/**
 * What comes over the wire for a page of a new visitor: bytes of all answers, with their headers, until it is quiet; and what
 * its scripts weigh, compressed. A page whose script waits for a touch is then touched once.
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

/** Opens an address with nothing of it at hand. Answers what its scripts weigh, compressed, until it is quiet. */
export async function openAndWeigh(page: Page, url: string): Promise<number> {
  const { weighed, client } = await weighFromNow(page);
  await client.send("Network.setCacheDisabled", { cacheDisabled: true });
  await openQuiet(page, url);
  await client.detach();
  return weighed.script;
}

/** Adds up what the page fetches. */
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

/** How much script, compressed, a page that is worked with may bring until it is quiet; charts come on top when they are seen. */
export function scriptBudget(path: string): number {
  if (path === "/login") return 108_500;
  // Visitors bring none of the portals' frame.
  if (path === "/estimator") return 160_000;
  // Sliders, fields of prices, billing details, levels and reports of an attack: their forms are what these pages are about.
  if (path.includes("/estimator") || path === "/admin/rate-card" || path === "/user/billing") return 166_000;
  if (path === "/admin/service-levels") return 163_800;
  if (path === "/user/under-attack" || /\/incidents\/./.test(path) || path === "/admin/estimateOrder") return 159_000;
  if (path.endsWith("/dashboard") || path === "/user/myquote") return 150_000;
  return 153_000;
}
