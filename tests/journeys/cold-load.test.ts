import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaveBrowser, openQuiet, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder, insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { follow, openSignedIn } from "../portal-page.ts";
import { portalRoutes } from "../portal-routes.ts";
import { openAndWeigh, scriptBudget } from "../weigh-page.ts";

/** So low that no chart comes near the visible part, even while lists are loading: no chart is fetched. */
const small = { viewport: { width: 1280, height: 200 } };
const areas = ["user", "partner", "admin"] as const;

let server: TestServer;
let browser: Browser;
const people = {} as Record<(typeof areas)[number], Member>;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  for (const role of areas) people[role] = await member(server, role);
  await insertOrder(server, people.user);
  await insertQuote(server, people.user);
  // Counted before the first visit, because the dashboard shows it.
  await server.call("user/coverage", {}, people.user.token);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

describe.each(areas)("Screens of the role %s", (role) => {
  it("bring no more script than their budget, and look the same when opened by their address and when reached from the public site", async () => {
    const { page } = await openSignedIn(browser, server, people[role], small);
    const cold: Record<string, string[]> = {};
    const weights: Record<string, number> = {};
    for (const path of Object.keys(portalRoutes).filter((route) => portalRoutes[route]?.includes(role))) {
      weights[path] = await openAndWeigh(page, server.url + path);
      cold[path] = await looksOf(page);
    }
    expect(Object.values(weights).filter((bytes) => bytes < 100_000)).toEqual([]);
    // An area's own address redirects to its dashboard.
    const screens = Object.entries(weights).filter(([path]) => path.split("/").length > 2);
    expect(screens.filter(([path, bytes]) => bytes > scriptBudget(path))).toEqual([]);
    // Denials during this walk would be written to the audit log up to a minute later: writes them now, and visits the
    // logs first.
    await server.services.denials.flush();
    const own = Object.keys(cold).filter((path) => path.endsWith("/audit") && path !== "/admin/audit");
    for (const path of own) {
      await openQuiet(page, server.url + path);
      cold[path] = await looksOf(page);
    }
    // A public page loads its style sheets first, in another order than a portal.
    await openQuiet(page, `${server.url}/estimator`);
    // The audit log gained entries during this walk, which the second visit shows.
    const others = Object.keys(cold).filter((path) => path !== "/admin/audit" && !own.includes(path));
    for (const path of [...own, ...others]) {
      await follow(page, path, path);
      await expect.poll(() => looksOf(page), { message: path }).toEqual(cold[path]);
    }
  });
});

/**
 * The computed styles of each element once nothing changes any more: what style sheets in a wrong order would alter.
 */
async function looksOf(page: Page): Promise<string[]> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  let looks = await page.evaluate(readLooks);
  for (let before: string[] = []; looks.length === 0 || looks.join() !== before.join();) {
    await page.waitForTimeout(100);
    [before, looks] = [looks, await page.evaluate(readLooks)];
  }
  return looks;
}

/** Runs in the page. Empty while anything is loading. */
function readLooks(): string[] {
  if (document.querySelector("[aria-busy='true']")) return [];
  const properties = [
    "padding",
    "margin",
    "background-color",
    "color",
    "border",
    "display",
    "font-size",
    "font-weight",
  ];
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility() && !element.closest("svg, style, [aria-hidden='true']"))
    .map((element) => {
      const computed = getComputedStyle(element);
      // Figures change between two visits, so only their styles are compared.
      const words = element.children.length > 0 || /\d/.test(element.textContent) ? "" : element.textContent;
      return `${element.tagName} ${words}: ${properties.map((name) => computed.getPropertyValue(name)).join("; ")}`;
    });
}
