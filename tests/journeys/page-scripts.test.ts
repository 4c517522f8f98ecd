import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureContent } from "../../server/content/shipped-content.ts";
import { posts } from "../../server/database/schema/index.ts";
import { leaveBrowser, openPage, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  await ensureContent(server.services.database);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const article = "/blog/soc-tiers-explained";

async function open(path: string) {
  const opened = await openPage(browser, { colorScheme: "dark" });
  await opened.page.goto(server.url + path);
  return opened;
}

/** Whether React has hydrated the page, which its marks show. */
const isHydrated = (page: Page) =>
  page.evaluate(() => Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__react")));
const scheme = (page: Page) => page.evaluate(() => document.documentElement.dataset["mantineColorScheme"]);

it.each([
  "/",
  "/about",
  "/blog",
  "/blog?from=3",
  article,
  "/LogInjection",
  "/LogInjection?q=okta",
  "/estimator",
  "/login",
])("A browser runs the scripts of a page from memory, and complains of none: %s", async (path) => {
  await fetch(server.url + path);
  const { page, complaints } = await open(path);
  await page.mouse.move(200, 300);
  await page.mouse.move(220, 320);
  await expect.poll(() => isHydrated(page)).toBe(true);
  expect(await scheme(page)).toBe("dark");
  expect(complaints).toEqual([]);
});

it("A browser runs no script that got into a post's text", async () => {
  const { database } = server.services;
  const injected = `<script>document.title = "taken over"</script><img src="/favicon.svg" onload="document.title = 'taken over'">`;
  await database.update(posts).set({ content: `<p>Taken</p>${injected}` });
  await expect.poll(async () => (await fetch(server.url + article)).text()).toContain(injected);
  const { page, complaints } = await open(article);
  await page.mouse.move(200, 300);
  await page.mouse.move(220, 320);
  await expect.poll(() => isHydrated(page)).toBe(true);
  await expect.poll(() => complaints.filter((text) => text.includes("Content Security Policy")).length).toBe(2);
  expect(await page.title()).not.toContain("taken over");
});
