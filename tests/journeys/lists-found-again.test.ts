import { eq } from "drizzle-orm";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { organisations } from "../../server/database/schema/index.ts";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { contractHolder } from "../contract.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { member, type Member } from "../people.ts";
import { openSignedIn, phone } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin");
  await member(server, "user", { organizationName: "Kaveri Textiles" });
  const { email } = await member(server, "user", { organizationName: "Kaveri Foods" });
  await member(server, "user", { organizationName: "Malabar Networks" });
  const incident = { email, severity: "P2", title: "Sign-ins at night", id: crypto.randomUUID() };
  await server.send("admin/incidents/open", incident, admin.token);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server.stop();
});

const searchBox = (page: Page) => page.getByRole("searchbox");
const organisationsOn = async (page: Page) =>
  (await page.locator("tbody tr").allTextContents()).map((row) => /Kaveri (?:Foods|Textiles)/.exec(row)?.[0]);
const follow = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Area" }).getByRole("link", { name }).click();

it("A list is found again as it was left, by a reload, by the way back and by its address", async () => {
  const { page, complaints } = await openSignedIn(browser, server, admin);
  await page.goto(`${server.url}/admin/customerList`);
  await page.getByText("Malabar Networks").waitFor();
  await searchBox(page).focus();
  for (const part of ["Kav", "eri"]) {
    await page.keyboard.type(part);
    await page.waitForURL((url) => (url.searchParams.get("search") ?? "").endsWith(part));
  }
  expect(await searchBox(page).inputValue()).toBe("Kaveri");
  expect(await searchBox(page).evaluate((box) => box === document.activeElement)).toBe(true);
  const sort = page.getByRole("table").getByRole("button", { name: "Customer Name" });
  await sort.click();
  await expect.poll(() => organisationsOn(page)).toEqual(sorted);
  await sort.click();
  const downwards = sorted.toReversed();
  await expect.poll(() => organisationsOn(page)).toEqual(downwards);

  await page.reload();
  await expect.poll(() => organisationsOn(page)).toEqual(downwards);
  expect(await searchBox(page).inputValue()).toBe("Kaveri");

  await follow(page, "Incidents");
  const p1 = page.getByRole("button", { name: "P1", exact: true });
  await p1.click();
  await page.getByText("No open incidents").waitFor();
  await page.getByRole("button", { name: "P2", exact: true }).click();
  await page.getByRole("link", { name: /^I-0/ }).click();
  await page.getByRole("heading", { level: 1, name: /Sign-ins at night/ }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "P2", exact: true, pressed: true }).waitFor();
  await page.goBack();
  await expect.poll(() => organisationsOn(page)).toEqual(downwards);

  // The link to the screen itself starts without filters.
  await follow(page, "Manage Customer");
  await page.getByText("Malabar Networks").waitFor();
  expect(await searchBox(page).inputValue()).toBe("");
  expect(complaints).toEqual([]);
});

it("A filter leaves what was searched for, and the way back finds each as it was", async () => {
  const { page, complaints } = await openSignedIn(browser, server, admin);
  await page.goto(`${server.url}/admin/audit`);
  await page.locator("tbody tr").first().waitFor();
  const search = async (words: string) => {
    await searchBox(page).fill(words);
    await page.waitForURL((url) => url.searchParams.get("search") === words);
  };
  await search("incident");
  await page.getByLabel("Who, by e-mail").fill(admin.email);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get("person") === admin.email);
  expect(await searchBox(page).inputValue()).toBe("incident");
  expect(new URL(page.url()).searchParams.get("search")).toBe("incident");
  // Print shows how much of the log is listed, and the filters that are set.
  await page.getByText(/^\d+ of \d+$/).waitFor();
  await page.emulateMedia({ media: "print" });
  for (const said of [page.getByText(/^\d+ of \d+$/), searchBox(page), page.getByLabel("Who, by e-mail")])
    await said.waitFor();
  for (const empty of [page.getByLabel("What"), page.getByLabel("From"), page.getByRole("button", { name: "Clear" })])
    expect.soft(await empty.isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await search("nothing of this kind");
  await expect.poll(() => page.locator("tbody tr").count()).toBe(0);
  await page.goBack();
  await page.locator("tbody tr").first().waitFor();
  expect(await searchBox(page).inputValue()).toBe("incident");
  expect(await page.getByLabel("Who, by e-mail").inputValue()).toBe("");
  await page.goForward();
  await expect.poll(() => searchBox(page).inputValue()).toBe("nothing of this kind");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.waitForURL((url) => !url.searchParams.has("person"));
  expect(await searchBox(page).inputValue()).toBe("nothing of this kind");
  expect(complaints).toEqual([]);
});

it("A filter that is pressed before the typing pauses takes nothing of the search away", async () => {
  const { page, complaints } = await openSignedIn(browser, server, admin);
  await page.goto(`${server.url}/admin/incidents`);
  const found = page.getByRole("link", { name: /^I-0/ });
  await found.waitFor();
  await searchBox(page).fill("at night");
  await page.getByRole("button", { name: "All", exact: true }).click();
  await page.waitForURL(
    ({ searchParams }) => `${searchParams.get("state")}, ${searchParams.get("search")}` === "all, at night",
  );
  expect(await searchBox(page).inputValue()).toBe("at night");
  await found.waitFor();
  await searchBox(page).fill("by day");
  await page.getByRole("button", { name: "P2", exact: true }).click();
  await page.getByText("No incidents", { exact: true }).waitFor();
  expect(await searchBox(page).inputValue()).toBe("by day");
  expect(complaints).toEqual([]);
});

it("A filter that is still to be drawn when the typing pauses takes nothing of the search away", async () => {
  const { page } = await openSignedIn(browser, server, admin);
  await page.goto(`${server.url}/admin/incidents`);
  await page.getByRole("link", { name: /^I-0/ }).waitFor();
  const client = await page.context().newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: 8 });
  for (const [index, pressedAfter] of [285, 290, 295, 300, 305, 310, 315, 320, 325, 330].entries()) {
    const typed = `at night ${index}`;
    const pressed = page.getByRole("button", { name: index % 2 === 0 ? "All" : "Open", exact: true });
    await searchBox(page).fill(typed);
    // In the page, as the press has to come within some milliseconds of the pause.
    await pressed.evaluate(async (button: HTMLButtonElement, wait) => {
      await new Promise((done) => setTimeout(done, wait));
      button.click();
    }, pressedAfter);
    await pressed.and(page.locator("[aria-pressed='true']")).waitFor();
    await page.waitForURL(({ searchParams }) => searchParams.get("search") === typed);
    expect(await searchBox(page).inputValue()).toBe(typed);
  }
});

it.each([
  { path: "incidents", of: /^(?:All|P2)$/, said: { state: "all", severity: "P2" } },
  { path: "actions?search=Betwa", of: /^(?:Refunds.*|Done)$/, said: { queue: "refunds", state: "closed" } },
])("Two filters of $path that are pressed before the screen has changed both hold", async ({ path, of, said }) => {
  const { page, complaints } = await openSignedIn(browser, server, admin);
  await page.goto(`${server.url}/admin/${path}`);
  const filters = page.getByRole("main").getByRole("button", { name: of });
  await filters.nth(1).waitFor();
  await filters.evaluateAll((buttons: HTMLButtonElement[]) => buttons.forEach((button) => button.click()));
  await filters.and(page.locator("[aria-pressed='true']")).nth(1).waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(said);
  expect(complaints).toEqual([]);
});

it("On a phone no list offers an order that the server has not", async () => {
  await contractHolder(server);
  const { page } = await openSignedIn(browser, server, admin, phone);
  for (const list of ["incidents", "contracts"]) {
    await page.goto(`${server.url}/admin/${list}`);
    const choice = page.getByLabel("Sort by");
    expect.soft([list, await choice.inputValue()]).not.toEqual([list, ""]);
    const orders = await choice.locator("option").allTextContents();
    expect.soft([list, orders]).toEqual([list, expect.not.arrayContaining(["Newest first"])]);
  }
});

it("What a list is narrowed to is there again after a reload", async () => {
  const { person } = await contractHolder(server);
  const { page, complaints } = await openSignedIn(browser, server, admin);
  const pressed = (name: string) => page.getByRole("button", { name, exact: true, pressed: true });
  for (const [path, name] of [
    ["contracts", "To decide"],
    ["reconcile", "Resolved"],
    ["log-sources", "Retired"],
    [`incidents?show=findings&customer=${encodeURIComponent(person.email)}`, "Suppressed"],
    [`coverage/${encodeURIComponent(person.email)}`, "Silent"],
  ] as const) {
    await page.goto(`${server.url}/admin/${path}`);
    await page.getByRole("button", { name, exact: true }).click();
    await pressed(name).waitFor();
    await page.reload();
    await expect.soft(pressed(name).waitFor({ timeout: 10_000 })).resolves.toBeUndefined();
  }
  for (const [path, label, typed] of [
    [`coverage/${encodeURIComponent(person.email)}`, "Search devices", "srv"],
    ["receivables", "Search transfers", "periyar"],
    [`incidents?show=findings&customer=${encodeURIComponent(person.email)}`, "Day", "2026-01-02"],
  ] as const) {
    await page.goto(`${server.url}/admin/${path}`);
    const field = page.getByLabel(label, { exact: true });
    await field.fill(typed);
    await page.waitForURL((url) => url.search.includes(typed), { timeout: 10_000 }).catch(() => {});
    await page.reload();
    await field.waitFor();
    expect.soft([path, await field.inputValue()]).toEqual([path, typed]);
  }
  // The last screen is printed with its day and its sums.
  await page.getByText(/ received = /).waitFor();
  await page.emulateMedia({ media: "print" });
  expect.soft(await page.getByLabel("Day", { exact: true }).isVisible()).toBe(true);
  expect.soft(await page.getByText(/ received = /).isVisible()).toBe(true);
  expect(complaints).toEqual([]);
});

it("An address that names nobody opens a panel that says so, and offers nothing of theirs", async () => {
  const partner = await member(server, "partner");
  const { page: ours } = await openSignedIn(browser, server, admin);
  const { page: theirs } = await openSignedIn(browser, server, partner);
  for (const [page, list, who, said, wayOn] of [
    [ours, "admin/customerList", "nobody@x.example", "There is no customer with this", "Open the customer list"],
    [ours, "admin/customerList", partner.email, "There is no customer with this", "Open the customer list"],
    [ours, "admin/partnerList", "nobody", "There is no partner with this", "Open the partner list"],
    [theirs, "partner/listuser", "nobody@x.example", "This is not one of your customers", "Open the customer list"],
  ] as const) {
    await page.goto(`${server.url}/${list}?open=${encodeURIComponent(who)}`);
    const panel = page.getByRole("dialog");
    await panel.getByRole("alert").filter({ hasText: said }).waitFor();
    expect.soft([list, await panel.getByRole("button").allTextContents()]).toEqual([list, [""]]);
    await panel.getByRole("link", { name: wayOn }).click();
    await panel.waitFor({ state: "hidden" });
    expect(new URL(page.url()).search).toBe("");
  }
});

it("A panel that View opened is there after a reload and the way forward, and the way back leads to its list", async () => {
  const { page, complaints } = await openSignedIn(browser, server, admin);
  const panel = page.getByRole("dialog");
  await page.goto(`${server.url}/admin/dashboard`);
  await follow(page, "Manage Customer");
  await searchBox(page).fill("Kaveri");
  await page.waitForURL((url) => url.searchParams.get("search") === "Kaveri");
  const view = page.getByRole("button", { name: "View Kaveri Foods" });
  await view.click();
  const opened = panel.getByRole("heading", { name: "User Info" });
  await opened.waitFor();
  await page.reload();
  await opened.waitFor();
  await page.goBack();
  await panel.waitFor({ state: "hidden" });
  expect(new URL(page.url()).search).toBe("?search=Kaveri");
  expect(await searchBox(page).inputValue()).toBe("Kaveri");
  await page.goForward();
  await opened.waitFor();
  // However often it is pressed, and whatever was opened before, Escape leads back to the list.
  await page.evaluate(() => {
    for (let times = 0; times < 3; times++) dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  });
  await panel.waitFor({ state: "hidden" });
  await page.waitForURL((url) => url.search === "?search=Kaveri");
  await view.click();
  await opened.waitFor();
  await panel.getByRole("button", { name: "Close" }).click();
  await panel.waitFor({ state: "hidden" });
  await expect.poll(() => view.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.goBack();
  await page.waitForURL("**/admin/dashboard");
  expect(complaints).toEqual([]);
});

it("What View opened of partners and contracts is found by its address", async () => {
  const partner = await member(server, "partner", { organizationName: "Konkan Networks" });
  const { person, contract } = await contractHolder(server);
  await server.services.database
    .update(organisations)
    .set({ partnerId: partner.organisationId })
    .where(eq(organisations.id, person.organisationId));
  const { page: ours, complaints } = await openSignedIn(browser, server, admin);
  const { page: theirs, complaints: theirComplaints } = await openSignedIn(browser, server, partner);
  for (const [page, list, view, seen] of [
    [ours, "admin/partnerList", "View Konkan Networks", "Partner Info"],
    [ours, "admin/contracts", `View ${contract.number} of`, "What it holds"],
    [theirs, "partner/listuser", "View", "User Info"],
    [theirs, "partner/contracts", `View ${contract.number} of`, "What it holds"],
  ] as const) {
    await page.goto(`${server.url}/${list}`);
    await page.getByRole("button", { name: view }).first().click();
    const heading = page.getByRole("dialog").getByRole("heading", { name: seen });
    await heading.waitFor();
    await page.reload();
    await expect.soft(heading.waitFor({ timeout: 10_000 })).resolves.toBeUndefined();
    expect.soft(new URL(page.url()).search).toMatch(/^\?open=/);
  }
  expect([...complaints, ...theirComplaints]).toEqual([]);
  for (const [page, area, said] of [
    [ours, "admin", "There is no contract with this number"],
    [theirs, "partner", "None of your customers has a contract with this number"],
  ] as const) {
    await page.goto(`${server.url}/${area}/contracts?open=C-999999`);
    await page.getByRole("dialog").getByRole("alert").filter({ hasText: said }).waitFor();
  }
});

const sorted = ["Kaveri Foods", "Kaveri Textiles"];
