import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { holdBack, leaveBrowser, openQuiet, sharedBrowser, whenQuiet } from "../browser.ts";
import { fullAccounts } from "../full-account.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import type { Member } from "../people.ts";
import { openSignedIn, phone, shiftOf } from "../portal-page.ts";

/** Screens whose parts arrive one after another, and on which a late part once pushed others down. */
const screens = {
  user: ["dashboard", "incidents", "account-settings", "notices"],
  partner: ["dashboard", "incidents"],
  admin: ["dashboard", "incidents", "actions", "receivables"],
} as const;
const areas = ["user", "partner", "admin"] as const;

let server: TestServer;
let browser: Browser;
let people: Record<(typeof areas)[number], Member>;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  people = await fullAccounts(server);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

it.each(areas)(
  "Someone with the role %s reads on while the parts of a screen come, and what was announced before",
  async (area) => {
    const { page } = await openSignedIn(browser, server, people[area], phone);
    await openQuiet(page, `${server.url}/${area}/notices`);
    await page.getByRole("region", { name: "Announcements" }).waitFor();
    // So that each part is rendered by itself, however fast the machine.
    await page.route("**/api/**", (route) =>
      sleep(200)
        .then(() => route.continue())
        .catch(() => {}),
    );
    for (const screen of screens[area]) {
      await openQuiet(page, `${server.url}/${area}/${screen}`);
      await page.waitForFunction(() => !document.querySelector("main [aria-busy='true']"));
      expect(await shiftOf(page), `${area}/${screen}`).toBeLessThan(0.05);
    }
  },
);

it("Settlement files stand still below a list that comes after them", async () => {
  const { page } = await openSignedIn(browser, server, people.admin, { viewport: { width: 390, height: 1400 } });
  await openQuiet(page, `${server.url}/admin/notices`);
  await page.getByRole("region", { name: "Announcements" }).waitFor();
  const release = await holdBack(page, "**/api/admin/reconcile?*");
  await page.goto(`${server.url}/admin/reconcile`);
  await page.getByRole("status", { name: "Loading" }).first().waitFor();
  await sleep(500);
  await whenQuiet(page, async () => release());
  await page.getByRole("region", { name: "Settlement files" }).waitFor();
  expect(await shiftOf(page)).toBeLessThan(0.02);
});
