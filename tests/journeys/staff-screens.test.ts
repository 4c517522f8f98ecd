import { eq } from "drizzle-orm";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cancelledPayment } from "../../contract/cancelled-payment.ts";
import { attempts, quotes } from "../../server/database/schema/index.ts";
import { postEntry } from "../../server/ledger/post-entry.ts";
import { article } from "../articles.ts";
import { sellerIs } from "../billing.ts";
import { leaveBrowser, openPage, openQuiet, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import {
  cutButtons,
  findBarriersAtBothWidths,
  hasFocus,
  isRed,
  openSignedIn,
  phone,
  sheetOverflow,
  wide,
} from "../portal-page.ts";
import { bankOfTests, transferBuyer } from "../transfers.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin");
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

it("With letters twice as large the dashboard's figures stay within their cards", async () => {
  const customer = await member(server, "user");
  await insertOrder(server, customer, { amountPaise: 1_79_49_436_00, state: "success", paidAt: server.services.now() });
  const { page } = await openSignedIn(browser, server, admin);
  await openQuiet(page, `${server.url}/admin/dashboard`);
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  const beyond = () =>
    page
      .locator("main dl:has(> div > dt) > div")
      .evaluateAll((cards) =>
        cards.flatMap((card) =>
          [...card.querySelectorAll("dt, dd > span")]
            .filter((part) => part.scrollWidth > part.clientWidth)
            .map(({ textContent }) => textContent),
        ),
      );
  for (const width of [360, 390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft([width, await beyond()]).toEqual([width, []]);
  }
});

it("With letters twice as large a visitor reads the whole label that sends an estimate", async () => {
  const { page } = await openPage(browser, phone);
  await openQuiet(page, `${server.url}/estimator`);
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  expect(await cutButtons(page)).toEqual([]);
});

it("On a phone a toast leaves the title of a question in sight", async () => {
  const invited = { firstName: "Tara", lastName: "Pillai", email: "tara@example.in", phoneNo: "+919876543210" };
  await server.call("admin/createChildUserByAdmin", invited, admin.token);
  const { page } = await openSignedIn(browser, server, admin, phone);
  await openQuiet(page, `${server.url}/admin/addmyuser`);
  await page.getByRole("button", { name: "Resend the invitation of Tara Pillai" }).click();
  const toast = page.locator("[data-sonner-toast][data-mounted=true]");
  await toast.waitFor();
  await page.getByRole("button", { name: "Withdraw the invitation of Tara Pillai" }).click();
  const title = page.getByRole("dialog").getByRole("heading", { name: "Withdraw the invitation" });
  await title.waitFor();
  const [above, below] = [await toast.boundingBox(), await title.boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0);
});

it("What is written off for good has a red button, as what is removed has", async () => {
  const { quote, choose } = await transferBuyer(server);
  await server.services.database.update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
  await choose({ way: "invoice" });
  const { page } = await openSignedIn(browser, server, admin);
  await openQuiet(page, `${server.url}/admin/receivables`);
  await page
    .getByRole("button", { name: /^Write off of/ })
    .first()
    .click();
  expect(await isRed(page.getByRole("dialog").getByRole("button", { name: "Write off" }))).toBe(true);
});

it("Dialogs and panels start in their first field", async () => {
  const { page } = await openSignedIn(browser, server, admin);
  for (const [path, button, field] of [
    ["coverage-rules", "Set a limit", "Device type"],
    ["obligations", /^Edit /, "Customers see it"],
    ["settings", "Edit Company and contact", "This is a sample company"],
    ["settings", "Edit Answers to questions", /\?$/],
    ["settings", "Edit Service levels", "These figures are a sample"],
    ["settings", "Edit Legal versions", "Server log is kept"],
    ["settings", "Edit Invoices and tax", "CIN"],
    ["log-sources", "Import", "CSV file"],
    ["receivables", "Bank statement", "CSV file"],
    ["reconcile", "Settlement file", "CSV file"],
    ["estimateOrder", "New quote", "Organization"],
  ] as const) {
    await openQuiet(page, `${server.url}/admin/${path}`);
    await page.getByRole("button", { name: button }).first().click();
    const first = page.getByRole("dialog").getByLabel(field).first();
    await first.waitFor();
    await expect.poll(hasFocus(first), { message: String(button) }).toBe(true);
  }
});

it("An article's version that is in the editor already is not offered to be brought back", async () => {
  const { id } = (await server.call("admin/posts/add", article(), admin.token)).body;
  const { page } = await openSignedIn(browser, server, admin);
  await openQuiet(page, `${server.url}/admin/blog?post=${id}`);
  await page.getByRole("button", { name: /^Show the version of/ }).click();
  const panel = page.getByRole("dialog");
  await panel.getByText("It is the same as what you see in the editor.").waitFor();
  expect(await panel.getByRole("button", { name: "Bring this version back" }).count()).toBe(0);
});

it("The three buttons of an announcement share a row on a phone", async () => {
  const { page } = await openSignedIn(browser, server, admin, phone);
  await openQuiet(page, `${server.url}/admin/announcements`);
  await page.getByRole("button", { name: "Write an announcement" }).click();
  const buttons = ["Cancel", "Preview", "Announce"].map((name) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true }),
  );
  await buttons[0]?.waitFor();
  const tops = await Promise.all(buttons.map(async (button) => (await button.boundingBox())?.y));
  expect(new Set(tops).size).toBe(1);
});

it("Names of sixty letters without a break leave users' states and buttons in sight", async () => {
  const sixty = "Bharatiyavidyututpadananigamaprivatelimitedsouthernregionthi".slice(0, 60);
  const who = { firstName: sixty, lastName: sixty, email: `${"long".repeat(8)}@example.in`, phoneNo: "+919876543210" };
  await server.call("admin/createChildUserByAdmin", who, admin.token);
  await member(server, "adminChild", { organisationId: admin.organisationId, suspendedAt: new Date() });
  const { page } = await openSignedIn(browser, server, admin);
  await openQuiet(page, `${server.url}/admin/addmyuser`);
  for (const width of [769, 1000, 1024, 1152, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft([width, await sheetOverflow(page)]).toEqual([width, 0]);
  }
});

it("Money that paid for nothing stands in Receivables without a document", async () => {
  const customer = await member(server, "user");
  const { id: orderId } = await insertOrder(server, customer, { state: "review" });
  const payment = { kind: "payment", eventId: crypto.randomUUID(), about: "403993715523", at: new Date() } as const;
  await server.services.database.transaction((transaction) =>
    postEntry(transaction, { ...payment, orderId, amountPaise: -100 }),
  );
  const { page } = await openSignedIn(browser, server, admin);
  await openQuiet(page, `${server.url}/admin/receivables`);
  const row = page.getByRole("row").filter({ hasText: "₹1.00 credit" });
  expect(await row.locator('td[data-label="Document"]').innerText()).toBe("–");
});

it("A payment that its payer cancelled has no red cross", async () => {
  const asha = await member(server, "user");
  const order = await insertOrder(server, asha, { state: "failure" });
  await server.services.database.insert(attempts).values({
    orderId: order.id,
    gateway: "payu",
    reference: "TCANCELLED",
    amountPaise: order.amountPaise,
    state: "failure",
    reason: cancelledPayment,
    form: { action: "https://gateway.example/", fields: {} },
    startedBy: asha.id,
    expiresAt: new Date(),
  });
  const { page } = await openSignedIn(browser, server, asha, wide);
  await page.goto(`${server.url}/user/payment?order=${order.id}`);
  await page.getByText(cancelledPayment).waitFor();
  const [red = 0, green = 0, blue = 0] = await page
    .locator("main .mantine-ThemeIcon-root svg")
    .evaluate((icon) => (getComputedStyle(icon).color.match(/[\d.]+/g) ?? []).map(Number));
  expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(40);
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
});
