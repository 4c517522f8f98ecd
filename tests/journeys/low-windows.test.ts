import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { leaveBrowser, openPage, openQuiet, sharedBrowser } from "../browser.ts";
import { contractHolder } from "../contract.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { hasFocus, openSignedIn } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin");
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

/** A window of 1440 by 900 pixels whose page is enlarged four times. */
const low = { viewport: { width: 360, height: 225 } };
/** The same window, enlarged twice. */
const half = { viewport: { width: 720, height: 450 } };

it("In a low window prices are edited in sight: what saves them stands below them, over none", async () => {
  const { page } = await openSignedIn(browser, server, admin, low);
  await openQuiet(page, `${server.url}/admin/rate-card`);
  const price = page.getByLabel("Price of Hypervisor a year");
  await page.getByLabel("Unit of Hypervisor").focus();
  await page.keyboard.press("Tab");
  await expect.poll(() => isInSight(price)).toBe(true);
  await price.fill("15600");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("The draft is saved.").waitFor();
});

it("In a low window a panel takes all of it, where a high one leaves the page's top in sight", async () => {
  const customer = await member(server, "user");
  const { page } = await openSignedIn(browser, server, admin, low);
  await openQuiet(page, `${server.url}/admin/customerList?open=${encodeURIComponent(customer.email)}`);
  const panel = page.getByRole("dialog");
  await expect.poll(() => panel.boundingBox()).toMatchObject({ y: 0, height: 225 });
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => panel.boundingBox()).toMatchObject({ y: 100, height: 640 });
});

it("In a low window each entry of a menu comes into sight by keys", async () => {
  const { page } = await openSignedIn(browser, server, admin, low);
  await openQuiet(page, `${server.url}/admin/announcements`);
  const account = page.getByRole("button", { name: "Account of" });
  await account.press("Enter");
  for (const name of ["Dashboard", "Account Settings", "Sign Out"]) {
    const entry = page.getByRole("menuitem", { name });
    if (name !== "Dashboard") await page.keyboard.press("ArrowDown");
    else await entry.waitFor();
    await expect.poll(() => isInSight(entry), { message: name }).toBe(true);
  }
  await openQuiet(page, `${server.url}/admin/rate-card`);
  await page.getByRole("button", { name: "More for AWS" }).press("Enter");
  await page.getByRole("menuitem", { name: "Retire" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator("[role=menuitem]:focus").getByText("Retire").waitFor();
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => isInSight(page.getByRole("menuitem").last())).toBe(true);
  const { page: visited } = await openPage(browser, low);
  await openQuiet(visited, `${server.url}/about`);
  await visited.getByRole("button", { name: "Menu" }).click();
  const last = visited.getByRole("navigation", { name: "Menu" }).getByRole("link").last();
  await last.focus();
  await expect.poll(() => isInSight(last)).toBe(true);
});

it("In a low window most of a public page can be read", async () => {
  const { page } = await openPage(browser, low);
  await openQuiet(page, `${server.url}/privacy-policy`);
  await page.evaluate(() => scrollTo(0, 1000));
  const isRead = (y: number) => page.evaluate((at) => !!document.elementFromPoint(180, at)?.closest("main"), y);
  for (const y of [2, 60, 120, 160]) expect.soft([y, await isRead(y)]).toEqual([y, true]);
});

it("In a low window what the server refused is in sight, wherever a dialog says it", async () => {
  const { person } = await contractHolder(server);
  const { page } = await openSignedIn(browser, server, person, low);
  await openQuiet(page, `${server.url}/user/onboarding`);
  await page.getByRole("button", { name: "Add a site" }).first().click();
  await page.getByLabel("Name").fill("Plant 2");
  await page.getByLabel("Address").fill("7 Marine Drive, Kochi");
  await refuse(page, "user/onboarding/add-site");
  await page.getByLabel("Address").press("Enter");
  await expect.poll(() => isInSight(page.getByRole("dialog").getByRole("alert"))).toBe(true);

  const { page: staff } = await openSignedIn(browser, server, admin, low);
  await openQuiet(staff, `${server.url}/admin/announcements`);
  await staff.getByRole("button", { name: "Write an announcement" }).click();
  await staff.getByLabel("Title").fill("Planned maintenance");
  await staff.getByRole("textbox", { name: "Text" }).fill("The dashboards are slower tonight.");
  await refuse(staff, "admin/announcements/add");
  await staff.getByRole("button", { name: "Announce", exact: true }).press("Enter");
  await expect.poll(() => isInSight(staff.getByRole("dialog").getByRole("alert"))).toBe(true);
});

it("In a window that shows what the server refused where it stands, the page stays where it is", async () => {
  const { page } = await openSignedIn(browser, server, admin);
  await openQuiet(page, `${server.url}/admin/account-settings`);
  await page.getByRole("tab", { name: "Edit Profile" }).click();
  await page.getByLabel("Current password", { exact: true }).fill("Wrong-horse-7-battery");
  await page.getByLabel("New password", { exact: true }).fill("Correct-horse-8-battery");
  await page.getByLabel("Confirm new password", { exact: true }).fill("Correct-horse-8-battery");
  await refuse(page, "auth/change-password");
  const before = await page.evaluate(() => scrollY);
  await page.getByLabel("Confirm new password", { exact: true }).press("Enter");
  const told = page.getByRole("main").getByRole("alert");
  await expect.poll(() => isInSight(told)).toBe(true);
  expect(await page.evaluate(() => scrollY)).toBe(before);
});

it("In a low window and on a phone an article is written in sight, above the bar that saves it", async () => {
  const { page } = await openSignedIn(browser, server, admin, half);
  await openQuiet(page, `${server.url}/admin/blog?post=new`);
  for (const [mode, label] of [
    ["Rich text", "Text of the article"],
    ["Markdown", "Text as Markdown"],
  ] as const)
    for (const viewport of [half.viewport, { width: 390, height: 844 }]) {
      await page.setViewportSize(viewport);
      await page.getByText(mode, { exact: true }).click();
      const text = page.getByRole("textbox", { name: label });
      await text.waitFor();
      await page.evaluate(() => scrollTo(0, 0));
      // As the Tab key does, without a press for each button of the toolbar.
      await text.focus();
      const isClear = () =>
        text.evaluate((field) => {
          const { left, top, bottom } = field.getBoundingClientRect();
          return field.contains(document.elementFromPoint(left + 40, Math.min(bottom, top + 80) - 4));
        });
      await expect.poll(isClear, { message: `${mode} at ${viewport.width}` }).toBe(true);
    }
});

it("In a low window what opened a panel is in sight again once the panel is closed", async () => {
  await insertQuote(server, null, { organizationName: "Chilika Salt" });
  const { page } = await openSignedIn(browser, server, admin, half);
  await openQuiet(page, `${server.url}/admin/estimateOrder`);
  const open = page.getByRole("button", { name: /^Open .* of Chilika Salt$/ });
  await open.press("Enter");
  await page.getByRole("dialog").getByText("Chilika Salt").first().waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(hasFocus(open)).toBe(true);
  expect(await isInSight(open)).toBe(true);
});

/** Whether all corners of an element, somewhat inside, are in the window and covered by nothing. */
const isInSight = (part: Locator) =>
  part.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const corners = [left + 8, right - 8].flatMap((x) => [top + 8, bottom - 8].map((y) => [x, y] as const));
    return corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
  });

const refuse = (page: Page, name: string) =>
  page.route(`**/api/${name}`, (route) =>
    route.fulfill({ status: 409, json: { error: "Somebody else was first: please look again.", code: "conflict" } }),
  );
