import { eq } from "drizzle-orm";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationName } from "../../contract/operations.ts";
import { leads } from "../../server/database/schema/index.ts";
import { giveBilling } from "../billing.ts";
import { holdBack, leaveBrowser, openQuiet, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { findBarriersAtBothWidths, openSignedIn, phone, wide } from "../portal-page.ts";

const offline = "We can't reach the server.";
const busy = "The server is busy. Please try again in a moment.";

let server: TestServer;
let browser: Browser;
let customer: Member;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin", { organizationName: "Provider" });
  customer = await member(server, "user", { organizationName: "Kaveri Textiles" });
  await giveBilling(server, customer.email);
  await insertQuote(server, customer);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

async function open(person: Member, path: string, options: BrowserContextOptions = phone): Promise<Page> {
  const { page } = await openSignedIn(browser, server, person, options);
  await openQuiet(page, server.url + path);
  return page;
}

const cutOff = (page: Page, isCutOff: boolean) => page.context().setOffline(isCutOff);

/** Answers like an overloaded server. */
const keepBusy = (page: Page, operation: OperationName) =>
  page.route(new RegExp(`/api/${operation}(\\?|$)`), (route) =>
    route.fulfill({ status: 503, json: { error: busy, code: "overloaded" } }),
  );

describe("A list", () => {
  it("keeps what it has while it can't be asked for anew, keeps its reader, and is true again by itself", async () => {
    // The screen polls for a proposal that is being made.
    const owner = await member(server, "user");
    const { serial } = await insertQuote(server, owner, { proposalFile: null });
    const page = await open(owner, "/user/myquote");
    const row = page.getByRole("row", { name: `Q-${String(serial).padStart(6, "0")}` });
    // On a busy machine the network may be quiet before the list was even requested.
    await row.waitFor();
    await cutOff(page, true);
    await page.getByRole("alert").getByText("What was loaded before is below.").waitFor();
    await row.waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);

    await page.getByRole("button", { name: "Navigation" }).click();
    await page.getByRole("link", { name: "Order History" }).click();
    await page.getByText("You are offline").waitFor();
    expect(new URL(page.url()).pathname).toBe("/user/myquote");
    await cutOff(page, false);
    await page.getByRole("alert").getByText("What was loaded before is below.").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Navigation" }).click();
    await page.getByRole("link", { name: "Order History" }).click();
    await page.getByRole("heading", { level: 1, name: "Order History" }).waitFor();
  });

  it("that was never there says what to do, and comes as soon as there is a network", async () => {
    const page = await open(admin, "/admin/customerList");
    await page.getByText(customer.email).waitFor();
    await cutOff(page, true);
    await page.getByRole("searchbox").fill("Kaveri");
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("Kaveri");
    await cutOff(page, false);
    await page.getByText(customer.email).waitFor();
  });
});

it("A form in a dialog tells of a lost network at once, keeps what was typed, and sends it later", async () => {
  const page = await open(customer, "/user/myuser");
  await page.getByRole("button", { name: "Add User" }).click();
  const dialog = page.getByRole("dialog", { name: "Add User" });
  for (const [label, text] of [
    ["First name", "Vikram"],
    ["Last name", "Shetty"],
    ["Email", "vikram@example.in"],
    ["Phone", "9876500001"],
  ] as const)
    await dialog.getByRole("textbox", { name: label, exact: true }).fill(text);
  const add = dialog.getByRole("button", { name: "Add User" });
  await cutOff(page, true);
  await add.click();
  await page.getByText(offline).waitFor();
  expect(await dialog.getByLabel("First name").inputValue()).toBe("Vikram");
  await cutOff(page, false);
  await keepBusy(page, "user/create-child-user");
  await add.click();
  await page.getByText(busy).waitFor();
  expect(await dialog.getByLabel("First name").inputValue()).toBe("Vikram");
  await page.unrouteAll();
  await add.click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("row", { name: "vikram@example.in" }).waitFor();
});

it("An editor keeps an article that can't be saved, and its reader is not led away", async () => {
  const page = await open(admin, "/admin/blog?post=new");
  const title = page.getByRole("textbox", { name: "Title" });
  await title.fill("What a night shift reads");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await cutOff(page, true);
  await save.click();
  await page.getByText(offline).first().waitFor();
  await cutOff(page, false);
  await keepBusy(page, "admin/posts/add");
  await save.click();
  await page.getByText(busy).first().waitFor();
  expect(await title.inputValue()).toBe("What a night shift reads");
  await page.unrouteAll();
  await save.click();
  await page.waitForURL((url) => url.searchParams.get("post") !== "new");
  expect(await title.inputValue()).toBe("What a night shift reads");
});

it("A purchase that can't be started says so and keeps what was typed; one that takes its time is sent once", async () => {
  const page = await open(customer, "/user/myquote");
  await page.getByRole("button", { name: "Buy Now" }).click();
  const dialog = page.getByRole("dialog", { name: "Buy this quote" });
  const number = dialog.getByLabel("Your purchase order number");
  const pay = dialog.getByRole("button", { name: /^Pay ₹/ });
  await number.fill("PO/2026/17");
  await cutOff(page, true);
  await pay.click();
  await dialog.getByRole("alert").getByText(offline).waitFor();
  await cutOff(page, false);
  await keepBusy(page, "user/orders");
  await pay.click();
  await dialog.getByRole("alert").getByText(busy).waitFor();
  // A click beside the dialog loses nothing.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.mouse.click(20, 450);
  expect(await number.inputValue()).toBe("PO/2026/17");
  await page.unrouteAll();

  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/user/orders")) sent++;
  });
  const go = await holdBack(page, "**/api/user/orders");
  await pay.click();
  await pay.click({ force: true });
  expect(await pay.getAttribute("data-loading")).toBe("true");
  go();
  await page.waitForURL("**/sandbox/payu**");
  expect(sent).toBe(1);
});

it("What somebody writes about a lead stays when the lead can't be asked for anew", async () => {
  const quote = await insertQuote(server, null, { organizationName: "Deccan Foods" });
  const [lead] = await server.services.database.select().from(leads).where(eq(leads.quoteId, quote.id));
  const page = await open(admin, `/admin/estimateOrder?lead=${lead?.id}`);
  await page.getByLabel("Next step", { exact: true }).fill("Send the revised offer");
  await page.getByRole("textbox", { name: "Note" }).fill("They call back on Monday.");
  const asked = page.waitForResponse("**/api/admin/leads/lead?*");
  await keepBusy(page, "admin/leads/lead");
  await page.getByRole("button", { name: "Add note" }).click();
  expect((await asked).status()).toBe(503);
  await expect.poll(() => page.getByRole("textbox", { name: "Note" }).inputValue()).toBe("");
  expect(await page.getByLabel("Next step", { exact: true }).inputValue()).toBe("Send the revised offer");
});

it("A screen and a dialog whose script takes long say that they are coming", async () => {
  const page = await open(customer, "/user/myquote");
  const go = await holdBack(page, "**/assets/*.js");
  await page.getByRole("button", { name: "Accept or decline" }).click();
  const coming = page.getByRole("status").getByText("We are still loading");
  await coming.waitFor();
  go();
  await page.getByRole("dialog").waitFor();
  expect(await coming.count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.unrouteAll();
  const goOn = await holdBack(page, "**/assets/*.js");
  await page.getByRole("button", { name: "Navigation" }).click();
  await page.getByRole("link", { name: "My Users" }).click();
  await coming.waitFor();
  goOn();
  await page.getByRole("heading", { level: 1, name: "My Users" }).waitFor();
  await coming.waitFor({ state: "hidden" });
});

it("Whoever follows a link to a screen whose script is gone, as after a deploy, arrives there, asked once", async () => {
  const page = await open(customer, "/user/billing", wide);
  await page.getByLabel("Legal name").fill("Kaveri Textiles of Mysuru");
  await page.route("**/assets/*.js", async (route) => {
    // Only what the old page requests is gone.
    if (new URL(page.url()).pathname === "/user/billing") await route.fulfill({ status: 404 });
    else await route.continue();
  });
  const asked: string[] = [];
  page.on("dialog", (question) => {
    asked.push(question.type());
    void question.accept();
  });
  await page.getByRole("link", { name: "Contract", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Contract" }).waitFor();
  expect(asked).toEqual(["confirm"]);
});
