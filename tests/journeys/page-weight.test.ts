import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { coverageDays, coverageFigures } from "../../server/database/schema/index.ts";
import { leaveBrowser, openPage, openQuiet, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder, insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { openSignedIn, phone } from "../portal-page.ts";
import { portalRoutes } from "../portal-routes.ts";
import { openAndWeigh, scriptBudget, weighPage } from "../weigh-page.ts";

let server: TestServer;
let browser: Browser;
const people = {} as Record<string, Member>;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  for (const role of ["user", "partner", "admin"] as const) people[role] = await member(server, role);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const whose = (path: string) => people[portalRoutes[path]?.[0] ?? "user"] as Member;

it.each(["/login", "/estimator"])("%s brings no more script than its budget", async (path) => {
  const { scriptBytes } = await weighPage(browser, server.url + path, false);
  expect(scriptBytes).toBeGreaterThan(100_000);
  expect(scriptBytes).toBeLessThanOrEqual(scriptBudget(path));
});

it("Charts are fetched when they come near what is seen, into a room of their height", async () => {
  await insertOrder(server, await member(server, "user"));
  const { page, scripts } = await open("/admin/dashboard", { ...phone, viewport: { width: 390, height: 200 } });
  const figure = page.locator("figure").first();
  await figure.waitFor({ state: "attached" });
  expect(scripts.filter((url) => /(month|lead)-chart-/.test(url))).toEqual([]);
  const height = (await figure.boundingBox())?.height;
  await figure.scrollIntoViewIfNeeded();
  await figure.locator("svg.recharts-surface").first().waitFor();
  expect((await figure.boundingBox())?.height).toBe(height);
});

it("The drawing of the days of a coverage is fetched when it comes near what is seen, and not before", async () => {
  const reader = whose("/user/coverage");
  await keepDays(reader);
  const { page } = await openSignedIn(browser, server, reader, { ...phone, viewport: { width: 390, height: 200 } });
  const scripts = scriptsOf(page);
  expect(await openAndWeigh(page, `${server.url}/user/coverage`)).toBeLessThanOrEqual(scriptBudget("/user/coverage"));
  const figure = page.locator("figure").first();
  await figure.waitFor({ state: "attached" });
  const drawings = () => scripts.filter((url) => /\/days-chart-/.test(url)).length;
  expect(drawings()).toBe(0);
  const height = (await figure.boundingBox())?.height;
  await figure.scrollIntoViewIfNeeded();
  await figure.locator("svg.recharts-surface").first().waitFor();
  expect(drawings()).toBe(1);
  expect((await figure.boundingBox())?.height).toBe(height);
});

it("A menu and a dialog that can't be fetched say so, and the screen stays", async () => {
  await insertQuote(server, whose("/user/myquote"));
  const { page } = await open("/user/myquote");
  const view = page.getByRole("button", { name: "View Proposal" });
  await view.waitFor();
  // As after a deploy: the files of the version before are gone.
  await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await view.click();
  const told = page.getByRole("alert").getByText("This part of the page could not be loaded.");
  await told.waitFor();
  await page.getByRole("button", { name: /^Account of/ }).click();
  await told.waitFor();
  expect(await view.isVisible()).toBe(true);
  expect(await page.getByRole("dialog").count()).toBe(0);
});

it("A part of a screen that can't be fetched says so in its place, waits no more, and the rest works", async () => {
  const { page } = await open("/admin/estimateOrder");
  const board = page.getByRole("button", { name: "Board" });
  await board.waitFor();
  await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await board.click();
  const inPlace = page.getByRole("main").getByRole("alert").getByText("Please reload the page and try again.");
  await inPlace.waitFor();
  expect(await page.locator("[aria-busy=true]").count()).toBe(0);
  await page.getByRole("button", { name: "Table" }).click();
  await inPlace.waitFor({ state: "hidden" });
});

it("A part of a public page that can't be fetched takes away neither the page nor what was typed", async () => {
  const { page } = await openPage(browser);
  const told = page.getByRole("alert").getByText("This part of the page could not be loaded.");
  await openQuiet(page, `${server.url}/estimator`);
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Asha Rao");
  await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
  const country = page.getByRole("combobox", { name: "Phone number: country" });
  await country.focus();
  await told.waitFor();
  expect(await country.evaluate((element) => element === document.activeElement)).toBe(true);
  expect([await country.inputValue(), await name.inputValue()]).toEqual(["India", "Asha Rao"]);

  await page.unrouteAll();
  await openQuiet(page, `${server.url}/login`);
  await page.getByLabel("Email").fill("asha@example.in");
  await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.getByLabel("Password", { exact: true }).fill("typed before");
  await page.getByRole("button", { name: "Login" }).click();
  await told.waitFor();
  const gone = "This part of the page could not be loaded. Please reload the page and try again.";
  expect(await page.getByRole("main").getByRole("alert").textContent()).toBe(gone);
  expect(await page.getByLabel("Email").inputValue()).toBe("asha@example.in");
  expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("typed before");
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByRole("heading", { name: "Create your account" }).waitFor();
  await told.waitFor();

  const { page: known } = await openSignedIn(browser, server, whose("/user/dashboard"));
  await known.route(/\/assets\/signed-in-menu.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await known.goto(`${server.url}/about`);
  await known.keyboard.press("Shift");
  await known.getByRole("banner").getByRole("link", { name: "Dashboard" }).click();
  await known.waitForURL("**/user/dashboard");
});

it("A device of one's own that can't be checked is not added silently, and stays typed", async () => {
  const { page } = await openPage(browser);
  await openQuiet(page, `${server.url}/estimator`);
  await page.getByRole("button", { name: "Custom Devices" }).click();
  await page.getByLabel("Device type").fill("SCADA gateway");
  await page.getByRole("spinbutton", { name: "Number of devices" }).fill("4");
  await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("alert").getByText("This part of the page could not be loaded.").waitFor();
  expect(await page.getByLabel("Device type").inputValue()).toBe("SCADA gateway");
  expect(await page.getByRole("spinbutton", { name: "Number of devices" }).inputValue()).toBe("4");
});

it("The user menu comes with the first press, keeps the focus, and closes by Escape", async () => {
  const { page, complaints, scripts } = await open("/user/dashboard");
  const button = page.getByRole("button", { name: /^Account of/ });
  await button.focus();
  expect(await button.getAttribute("aria-haspopup")).toBe("menu");
  expect(await button.getAttribute("aria-expanded")).toBe("false");
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Account Settings" }).waitFor();
  expect(await button.getAttribute("aria-expanded")).toBe("true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await page.getByRole("menuitem", { name: "Account Settings" }).waitFor({ state: "hidden" });
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(scripts.some((url) => url.includes("user-menu-items"))).toBe(true);
  expect(complaints).toEqual([]);
});

/** Two days with counted coverage. */
async function keepDays({ organisationId }: Member): Promise<void> {
  const { database, now } = server.services;
  const counts = { connected: 8, silent: 1, neverConnected: 1, unknown: 0, missing: 2 };
  const line = { service: "Server", deviceType: "Prod Server", name: "Prod Server", contracted: 12, ...counts };
  const lines = [{ ...line, unknownSince: null, silenceMinutes: 60, reasons: [] }];
  const rest = { organisationId, notContracted: 0, unmatched: 0 };
  await database
    .insert(coverageFigures)
    .values({
      ...rest,
      ...counts,
      contracted: 12,
      countedAt: now(),
      nextCountAt: later(now(), { minutes: 50 }),
      share: 6666,
      lines,
      additions: [],
    })
    .onConflictDoNothing();
  const days = [0, 1].map((ago) => writtenDay(later(now(), { days: -ago })));
  await database
    .insert(coverageDays)
    .values(days.map((day) => ({ ...rest, day, timeZone: "Asia/Kolkata", takenAt: now(), lines })))
    .onConflictDoNothing();
}

async function open(path: string, options?: Parameters<typeof openSignedIn>[3]) {
  const opened = await openSignedIn(browser, server, whose(path), options);
  const scripts = scriptsOf(opened.page);
  await openQuiet(opened.page, server.url + path);
  return { ...opened, scripts };
}

/** Collects the addresses of the scripts that are fetched from now on. */
function scriptsOf(page: Page): string[] {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  return scripts;
}
