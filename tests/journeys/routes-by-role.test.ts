import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { areaOf, isChild, type Role, roles } from "../../contract/roles.ts";
import { mails } from "../../server/database/schema/index.ts";
import { leaveBrowser, openPage, openQuiet, sharedBrowser, untilTakenOver } from "../browser.ts";
import { fullAccounts } from "../full-account.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder, insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { findBarriers, findSideways, follow, openSignedIn } from "../portal-page.ts";
import { portalRoutes as routes } from "../portal-routes.ts";

let server: TestServer;
let browser: Browser;
const people = {} as Record<Role, Member>;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  Object.assign(people, await fullAccounts(server));
  for (const role of ["partner", "user", "admin"] as const)
    people[`${role}Child`] = await member(server, `${role}Child`, { organisationId: people[role].organisationId });
  await insertQuote(server, null, { organizationName: "Deccan Foods" });
  const omar = await member(server, "user", { organizationName: "مؤسسة الخليج", firstName: "Omar", lastName: "Said" });
  await insertOrder(server, omar, { state: "review", reviewReason: "The bank confirmed another amount." });
  const failed = { eventKey: "invite:1", recipient: "late@example.in", tries: 3, lastError: "451 Greylisted" };
  await server.services.database.insert(mails).values({ ...failed, attachments: [] });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

/**
 * Every route; a child account, whose main account tries them all, only those of its own area and one of each other.
 */
const triedBy = (role: Role) =>
  Object.entries(routes)
    .filter(
      ([path, may]) => !isChild(role) || may.includes(role) || path.split("/")[1] === areaOf(role) || isHome(path),
    )
    .map(([path]) => path);
const isHome = (path: string) => path.endsWith("/dashboard");

describe.each(roles)("Someone with the role %s", (role) => {
  it("stays on its own routes, free of barriers on wide screens and phones, and is led from every other to its dashboard", async () => {
    const { page } = await openSignedIn(browser, server, people[role]);
    await page.goto(`${server.url}/${areaOf(role)}/account-settings`);
    await page.locator("h1").waitFor();
    const home = `/${areaOf(role)}/dashboard`;
    const expected = Object.fromEntries(
      triedBy(role).map((path) => [path, routes[path]?.includes(role) ? path : home]),
    );
    const ends: Record<string, string> = {};
    for (const [path, end] of Object.entries(expected)) {
      ends[path] = await follow(page, path, end);
      if (end !== path) continue;
      // A child account's screens are its main account's with less on them.
      for (const width of isChild(role) ? [1024, 390] : [1440, 1280, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const cutOff = [...(await page.evaluate(findCutOff)), ...(await page.evaluate(findNamesakes))];
        const barriers = width === 1440 || width === 390 ? await findBarriers(page) : await findSideways(page);
        expect([...cutOff, ...barriers], `${path} at ${width}`).toEqual([]);
      }
    }
    expect(ends).toEqual(expected);
    await page.goto(`${server.url}/login`);
    await page.waitForURL(`**/${areaOf(role)}/dashboard`);
  });
});

it("A visitor is led from every route of the portals to the login, and back to it by the address", async () => {
  const { page } = await openPage(browser);
  await openQuiet(page, `${server.url}/login`);
  for (const path of Object.keys(routes)) {
    if (isHome(path)) {
      await page.goto(server.url + path, { waitUntil: "commit" });
      await page.waitForURL((url) => url.pathname === "/login");
      await untilTakenOver(page);
    } else await follow(page, path, "/login");
    expect(new URL(page.url()).searchParams.get("next")).toBe(path);
  }
});

/** Runs in the page: names shared by several buttons, which sound alike to people who can't see their rows. */
function findNamesakes(): string[] {
  const buttons = [...document.querySelectorAll("main button")].filter((button) => button.checkVisibility());
  const names = buttons.map((button) => button.getAttribute("aria-label") ?? button.textContent.trim());
  return names.filter((name, index) => names.indexOf(name) < index).map((name) => `several buttons: ${name}`);
}

/** Runs in the page: tables that are partly out of view, and sheets that a field or button sticks out of. */
function findCutOff(): string[] {
  const tables = [...document.querySelectorAll("main table")].filter((table) => table.checkVisibility());
  const isCutOff = ({ parentElement: room }: Element) => room !== null && room.scrollWidth > room.clientWidth;
  const sheetOf = (part: Element): Element | null =>
    part.parentElement &&
    (parseFloat(getComputedStyle(part.parentElement).borderRightWidth) > 0
      ? part.parentElement
      : sheetOf(part.parentElement));
  const right = (part: Element) => part.getBoundingClientRect().right;
  const fields = [...document.querySelectorAll("main :is(a, button, input, select, textarea)")].filter((field) => {
    const sheet = field.checkVisibility() && sheetOf(field);
    return sheet && right(field) > right(sheet) + 1;
  });
  return [
    ...tables.filter(isCutOff).map((table) => `cut off: ${table.getAttribute("aria-label")}`),
    ...fields.map((field) => `sticks out: ${field.outerHTML.slice(0, 120)}`),
  ];
}
