import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { leaveBrowser, openPage, openQuiet, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { member } from "../people.ts";
import { openSignedIn } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

it("A page that somebody left has nothing of them when it is somebody else's", async () => {
  const first = await openSignedIn(browser, server, await member(server, "user"));
  await first.page.goto(`${server.url}/user/myquote`);
  await first.page.getByRole("heading", { level: 1 }).waitFor();
  await first.page.emulateMedia({ colorScheme: "dark", media: "print" });
  await first.page.setViewportSize({ width: 390, height: 844 });
  await first.page.route("**/login", (route) => route.abort());
  await first.page.evaluate(() => {
    sessionStorage.setItem("typed", "half a thought");
    document.cookie = "seen=yes";
  });
  await first.leave();

  const second = await openPage(browser);
  expect(second.page).toBe(first.page);
  await openQuiet(second.page, `${server.url}/login`);
  expect(new URL(second.page.url()).pathname).toBe("/login");
  const kept = await second.page.evaluate(() => ({
    local: localStorage.getItem("token"),
    session: sessionStorage.length,
    cookie: document.cookie,
    width: innerWidth,
    isDark: matchMedia("(prefers-color-scheme: dark)").matches,
    isPaper: matchMedia("print").matches,
  }));
  expect(kept).toEqual({ local: null, session: 0, cookie: "", width: 1440, isDark: false, isPaper: false });
  await second.page.evaluate(() => console.warn("somebody else's"));
  expect([first.complaints, second.complaints.length]).toEqual([[], 1]);
});

it("A page that was changed in a way that nothing undoes is nobody else's", async () => {
  const first = await openPage(browser);
  await openQuiet(first.page, `${server.url}/login`);
  await first.page.addInitScript(() => Object.assign(window, { isSpoilt: true }));
  await first.leave();
  const second = await openPage(browser);
  expect([second.page === first.page, first.page.isClosed()]).toEqual([false, true]);
});
