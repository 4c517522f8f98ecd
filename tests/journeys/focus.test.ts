import { randomUUID } from "node:crypto";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LevelVersion } from "../../contract/incident-levels.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { giveBilling, sellerIs } from "../billing.ts";
import { buyer, copiesOf } from "../buyer.ts";
import { beginByKeys, leaveBrowser, openPage, openQuiet, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import { hasFocus, openSignedIn, phone } from "../portal-page.ts";
import { bankOfTests, bankStatement, newUtr, transferBuyer } from "../transfers.ts";

let server: TestServer;
let browser: Browser;
let customer: Member;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  customer = await member(server, "user");
  await giveBilling(server, customer.email);
  admin = await member(server, "admin");
  const report = { id: randomUUID(), what: "Files are being encrypted", since: "Ten minutes ago", call: "Asha" };
  await server.call("user/under-attack/post", report, customer.token);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

it("A button that loads has the focus afterwards, on public pages and in the portal", async () => {
  const { page } = await openPage(browser);
  await openQuiet(page, `${server.url}/login`);
  await page.getByLabel("Email").fill("nobody@example.in");
  await page.getByRole("textbox", { name: "Password" }).fill("a wrong password");
  const login = page.getByRole("button", { name: "Login", exact: true });
  await press(page, login);
  await page.getByRole("alert").first().waitFor();
  await expect.poll(hasFocus(login)).toBe(true);

  await openQuiet(page, `${server.url}/contact`);
  for (const [label, text] of Object.entries(written))
    await page.getByRole("textbox", { name: label, exact: true }).fill(text);
  await page.route("**/api/contact", (route) => route.abort());
  const send = page.getByRole("button", { name: "Send message" });
  await press(page, send);
  await page.getByRole("alert").first().waitFor();
  await expect.poll(hasFocus(send)).toBe(true);

  const portal = await open(customer, "/user/billing");
  await portal.route("**/api/user/billing", (route) => route.abort());
  await portal.getByLabel("Purchase order number").fill("PO-7");
  const save = portal.getByRole("button", { name: "Save" });
  await press(portal, save);
  await portal.getByRole("main").getByRole("alert").first().waitFor();
  await expect.poll(hasFocus(save)).toBe(true);
});

it("Who has moved on while a button loads is not called back", async () => {
  const { page } = await openPage(browser);
  await openQuiet(page, `${server.url}/contact`);
  for (const [label, text] of Object.entries(written))
    await page.getByRole("textbox", { name: label, exact: true }).fill(text);
  const held = Promise.withResolvers<() => void>();
  await page.route("**/api/contact", async (route) => {
    await new Promise<void>((done) => held.resolve(done));
    await route.abort();
  });
  await press(page, page.getByRole("button", { name: "Send message" }));
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.focus();
  await expect.poll(() => page.getByRole("button", { name: "Send message" }).isDisabled()).toBe(true);
  const fail = await held.promise;
  fail();
  await page.getByRole("alert").first().waitFor();
  await expect.poll(hasFocus(name)).toBe(true);
});

it("A choice above a list keeps the focus, also where the list is drawn anew", async () => {
  const page = await open(admin, "/admin/incidents");
  for (const choice of ["P1", "All", "Ended"]) {
    const button = page.getByRole("button", { name: choice, exact: true });
    await press(page, button);
    await expect.poll(() => button.getAttribute("aria-pressed")).toBe("true");
    await expect.poll(hasFocus(button)).toBe(true);
  }
  const customers = page.getByLabel("Customer’s e-mail");
  // Its name is enough to be offered its address.
  await customers.fill("Kaveri");
  await page.locator(`datalist option[value="${customer.email}"]`).waitFor({ state: "attached" });
  await customers.fill(customer.email);
  await customers.press("Enter");
  await page.waitForURL("**customer=**");
  await expect.poll(hasFocus(customers)).toBe(true);
});

it("Who opens another screen is at its heading", async () => {
  const page = await open(admin, "/admin/incidents");
  await expect.poll(hasFocus(page.locator("body"))).toBe(true);
  await press(
    page,
    page
      .getByRole("link", { name: /^I-\d+$/ })
      .locator("visible=true")
      .first(),
  );
  await expect.poll(hasFocus(page.getByRole("heading", { level: 1, name: /^I-\d+/ }))).toBe(true);

  const small = await open(customer, "/user/dashboard", phone);
  await small.getByRole("button", { name: "Navigation" }).click();
  await press(small, small.getByRole("navigation", { name: "Area" }).getByRole("link", { name: "Incidents" }));
  await expect.poll(hasFocus(small.getByRole("heading", { level: 1, name: "Incidents" }))).toBe(true);
});

it("Who signs in is at the heading of the screen that asked for it", async () => {
  const { page } = await openPage(browser);
  await page.route("**/api/auth/login", (route) => route.fulfill({ json: { message: "The code is sent." } }));
  await page.route("**/api/auth/verify-otp", (route) => route.fulfill({ json: { token: customer.token } }));
  await openQuiet(page, `${server.url}/login?next=/user/incidents`);
  await page.getByLabel("Email").fill(customer.email);
  await page.getByRole("textbox", { name: "Password" }).fill("a password of eight words");
  await press(page, page.getByRole("button", { name: "Login", exact: true }));
  await page.getByLabel("6-digit code").fill("123456");
  await page.getByLabel("6-digit code").press("Enter");
  await expect.poll(hasFocus(page.getByRole("heading", { level: 1, name: "Incidents" }))).toBe(true);
});

it("Who sends a form of a dialog is taken to the first field that is wrong", async () => {
  const page = await open(customer, "/user/myuser");
  await page.getByRole("button", { name: "Add User" }).click();
  const dialog = page.getByRole("dialog", { name: "Add User" });
  const add = dialog.getByRole("button", { name: "Add User" });
  await press(page, add);
  await expect.poll(hasFocus(dialog.getByLabel("First name"))).toBe(true);
  await dialog.getByLabel("First name").fill("Vikram");
  await dialog.getByLabel("Last name").fill("Shetty");
  await dialog.getByLabel("Email").fill("vikram@example.in");
  await press(page, add);
  await expect.poll(hasFocus(dialog.getByRole("textbox", { name: "Phone" }))).toBe(true);
  await dialog.getByRole("textbox", { name: "Phone" }).fill("9876500001");
  await page.route("**/api/user/create-child-user", (route) =>
    route.fulfill({
      status: 422,
      json: { error: messages.emailTaken, code: "invalid", fields: { email: messages.emailTaken } },
    }),
  );
  await press(page, add);
  await expect.poll(hasFocus(dialog.getByLabel("Email"))).toBe(true);
});

it("Who loads the last rows of a list goes on at the first of them", async () => {
  const { person, quote } = await buyer(server);
  await copiesOf(server, quote.id, limits.listLimitDefault + 9);
  const page = await open(person, "/user/myquote");
  await press(page, page.getByRole("button", { name: "Load more" }));
  const next = page.getByRole("row").nth(1 + limits.listLimitDefault);
  await expect.poll(hasFocus(next)).toBe(true);
  await page.keyboard.press("Tab");
  await expect.poll(hasFocus(next.getByRole("button").first())).toBe(true);

  const board = await open(admin, "/admin/estimateOrder");
  await board.getByText("Board", { exact: true }).click();
  const column = board.getByRole("region", { name: "New", exact: true });
  await press(board, column.getByRole("button", { name: "Load more" }));
  await expect.poll(hasFocus(column.getByRole("listitem").nth(limits.listLimitDefault))).toBe(true);
});

it("Whose next rows can't be had reads so below the rows, tries again there, and goes on at the first that come", async () => {
  const { quote } = await buyer(server);
  await copiesOf(server, quote.id, limits.listLimitDefault + 9);
  const isNext = (url: URL) => url.pathname === "/api/admin/leads" && url.searchParams.has("cursor");
  for (const [show, ofColumn, row] of [
    ["table", "main", "row"],
    ["board", "New", "listitem"],
  ] as const) {
    const page = await open(admin, `/admin/estimateOrder?show=${show}`);
    const place = ofColumn === "main" ? page.getByRole("main") : page.getByRole("region", { name: "New", exact: true });
    await page.route(isNext, (route) => route.fulfill({ status: 404, json: { error: "No", code: "not_found" } }));
    await press(page, place.getByRole("button", { name: "Load more" }));
    const failure = place.getByRole("alert");
    const again = failure.getByRole("button", { name: "Try again" });
    await expect.poll(hasFocus(again)).toBe(true);
    expect(await place.getByRole("alert").count()).toBe(1);
    const rows = place.getByRole(row);
    const first = limits.listLimitDefault + (row === "row" ? 1 : 0);
    const lastBox = await rows.nth(first - 1).boundingBox();
    expect((await failure.boundingBox())?.y).toBeGreaterThan(lastBox?.y ?? Infinity);
    await page.unroute(isNext);
    await press(page, again);
    await expect.poll(hasFocus(rows.nth(first))).toBe(true);
    expect(await failure.count()).toBe(0);
  }
});

it("A button that has nothing more to do once it is done keeps the focus", async () => {
  const page = await open(admin, "/admin/rate-card");
  const draft = page.getByRole("button", { name: "Save draft" });
  await page.getByRole("textbox", { name: "GST" }).fill("5");
  await press(page, draft);
  await page.getByText(/^Draft, saved by/).waitFor();
  await isDoneAndThere(draft);
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "GST" }).fill("7");
  await press(page, page.getByRole("button", { name: "Undo" }));
  await isDoneAndThere(draft);

  await member(server, "user", { organizationName: "Nilgiri Tea" });
  await openQuiet(page, `${server.url}/admin/customerList?search=Nilgiri`);
  await page.getByRole("button", { name: "View Nilgiri Tea" }).locator("visible=true").click();
  await page.getByRole("button", { name: "Activate Dashboard" }).click();
  await page.getByRole("switch", { name: "SIEM enabled" }).press("Space");
  const address = page.getByRole("textbox", { name: "SIEM URL" });
  await address.fill("http://siem.example.in");
  const update = page.getByRole("button", { name: "Update SIEM" });
  await press(page, update);
  await expect.poll(hasFocus(address)).toBe(true);
  await address.fill("https://siem.example.in");
  await press(page, update);
  await page.getByText(messages.siemUpdated).waitFor();
  await isDoneAndThere(update);

  const notices = await open(admin, "/admin/notices");
  const all = notices.getByRole("button", { name: "Mark all as read" });
  await press(notices, all);
  await isDoneAndThere(all);
});

it("The navigation of a phone gives the focus back to what has opened it", async () => {
  const page = await open(customer, "/user/dashboard", phone);
  const burger = page.getByRole("button", { name: "Navigation", exact: true });
  await press(page, burger);
  await page.getByRole("navigation", { name: "Area" }).getByRole("link", { name: "Incidents" }).focus();
  await page.keyboard.press("Escape");
  await expect.poll(hasFocus(burger)).toBe(true);
  await press(page, burger);
  await page.getByRole("button", { name: "Close the navigation" }).click({ position: { x: 380, y: 400 } });
  await expect.poll(hasFocus(burger)).toBe(true);
  await press(page, burger);
  await press(page, page.getByRole("navigation", { name: "Area" }).getByRole("link", { name: "Dashboard" }));
  await expect.poll(hasFocus(burger)).toBe(true);
});

it("Whoever works by keys goes on beside what has gone from the page", async () => {
  await sellerIs(server, { bank: bankOfTests });
  const { choose } = await transferBuyer(server);
  const { body: order } = await choose();
  const [first, second] = [newUtr(), newUtr()];
  const file = bankStatement([first, second].map((utr) => ({ utr, credit: "7.50" })));
  await server.call("admin/transfers/import", { file, name: "bank.csv" }, admin.token);
  const page = await open(admin, "/admin/receivables");
  const matchOf = (utr: string) => page.getByRole("button", { name: `Match ${utr}` });
  await press(page, matchOf(second));
  const dialog = page.getByRole("dialog", { name: "What it pays" });
  const field = dialog.getByLabel("What it pays");
  await field.fill("");
  await page.keyboard.press("Enter");
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  // Reported at the field, and not a second time below it.
  expect(await dialog.getByRole("alert").count()).toBe(0);
  await field.fill(order.document);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await press(page, matchOf(second));
  expect(await field.inputValue()).toBe(order.document);
  await field.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(hasFocus(matchOf(first))).toBe(true);

  await page.route("**/api/admin/actions?**", (route) => route.abort(), { times: 9 });
  await page.getByRole("link", { name: "Actions" }).click();
  const retry = page.getByRole("button", { name: "Try again" });
  await retry.waitFor();
  await page.unroute("**/api/admin/actions?**");
  await press(page, retry);
  await retry.waitFor({ state: "detached" });
  await expect.poll(hasFocus(page.locator("body"))).toBe(false);
});

it("A row that goes leaves the focus to the next one, whatever stands in it, and to nobody who works by the mouse", async () => {
  const page = await open(customer, "/user/dashboard");
  const drawRows = () =>
    page.evaluate(() => {
      const rows = [["View", "Edit", "Withdraw"], ["Ask"], ["Show", "Drop"]].map((names) => {
        const row = document.createElement("li");
        const buttons = names.map((name) => Object.assign(document.createElement("button"), { textContent: name }));
        for (const button of buttons) button.addEventListener("click", () => row.remove());
        row.append(...buttons);
        return row;
      });
      document.querySelector("main")?.append(...rows);
    });
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.slice(0, 12));
  await drawRows();
  await press(page, page.getByRole("button", { name: "Withdraw", exact: true }));
  await expect.poll(focused).toBe("Ask");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("Show");
  await page.getByRole("button", { name: "Drop", exact: true }).click();
  const left = await focused();
  await page.keyboard.press("PageDown");
  await drawRows();
  expect(await focused()).toBe(left);
});

it("Whose first key comes before the script that keeps the place is not lost either", async () => {
  const { page } = await openSignedIn(browser, server, customer);
  const held = Promise.withResolvers<void>();
  await page.route("**/pass-focus-on-*.js", (route) => held.promise.then(() => route.continue()));
  await page.goto(`${server.url}/user/dashboard`);
  await page.getByRole("link", { name: "Count your devices" }).waitFor();
  await page.evaluate(() => {
    const buttons = ["Put back", "Match"].map((textContent) =>
      Object.assign(document.createElement("button"), { textContent }),
    );
    document.querySelector("main")?.append(...buttons);
  });
  const putBack = page.getByRole("button", { name: "Put back", exact: true });
  const script = page.waitForRequest("**/pass-focus-on-*.js");
  await press(page, putBack);
  held.resolve();
  // Imported once more, it has run here too.
  await page.evaluate(`import("${(await script).url()}").then(() => null)`);
  await putBack.evaluate((button) => button.remove());
  await expect.poll(hasFocus(page.getByRole("button", { name: "Match", exact: true }))).toBe(true);
});

it("Whoever goes back to a list is at the link that led away, which is in sight", async () => {
  const page = await open(admin, "/admin/incidents", phone);
  const link = page.locator("main a[href^='/admin/incidents/']").locator("visible=true");
  await press(page, link);
  await page.waitForURL("**/admin/incidents/*");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.goBack();
  await expect.poll(hasFocus(link)).toBe(true);
});

it("Whoever decides on what was published meanwhile goes on in the form", async () => {
  const page = await open(admin, "/admin/service-levels");
  await page.getByLabel("Acknowledge, minutes").first().fill("11");
  const { body: levels } = await server.call("admin/service-levels", {}, admin.token);
  const newest = levels.versions[0] as LevelVersion;
  const agreement = { ...newest.agreement, hours: { ...newest.agreement.hours, holidays: [] } };
  await server.call("admin/service-levels/post", { after: newest.number, agreement }, admin.token);
  await press(page, page.getByRole("button", { name: "Publish" }));
  const keep = page.getByRole("button", { name: "Keep what I typed" });
  await press(page, keep);
  await expect.poll(hasFocus(page.getByRole("button", { name: "Publish" }))).toBe(true);
});

const written = {
  Name: "Asha Rao",
  Email: "asha@example.in",
  Phone: "9876543210",
  Organization: "Kaveri Textiles",
  "Organization size": "40",
  Message: "Please call us about your services.",
};

async function open(who: Member, path: string, options?: BrowserContextOptions): Promise<Page> {
  const { page } = await openSignedIn(browser, server, who, options);
  await openQuiet(page, server.url + path);
  await beginByKeys(page);
  return page;
}

/** Presses a control once it is enabled: it may still wait for the result of the press before. */
async function press(page: Page, control: Locator): Promise<void> {
  await expect.poll(() => control.isEnabled()).toBe(true);
  await control.focus();
  await page.keyboard.press("Enter");
}

async function isDoneAndThere(button: Locator): Promise<void> {
  await expect.poll(() => button.isDisabled()).toBe(true);
  await expect.poll(hasFocus(button)).toBe(true);
}
