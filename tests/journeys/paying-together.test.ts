import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { giveBilling } from "../billing.ts";
import { rupees } from "../../contract/money.ts";
import { attempts } from "../../server/database/schema/index.ts";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { attemptsOf, orderOf } from "../buyer.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder, insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { findBarriersAtBothWidths, openSignedIn, phone } from "../portal-page.ts";
import { post, settleAtSandbox } from "../sandbox.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

async function family() {
  const asha = await member(server, "user", { firstName: "Asha", lastName: "Rao" });
  const own = { organisationId: asha.organisationId };
  const vikram = await member(server, "userChild", { ...own, firstName: "Vikram", lastName: "Shetty" });
  await giveBilling(server, asha.email);
  return { asha, vikram, quote: await insertQuote(server, asha) };
}

const startPaying = async ({ email, token }: Member, { id, totalPaise }: { id: string; totalPaise: number }) =>
  (
    await server.call(
      "user/orders",
      { email, quote_id: id, amount: rupees(totalPaise), name: "Asha Rao", phone: "+919876543210" },
      token,
    )
  ).body;

it("A second person sees who is paying, and takes over on purpose only", async () => {
  const { asha, vikram, quote } = await family();
  await startPaying(asha, quote);
  const { page, complaints } = await openSignedIn(browser, server, vikram, phone);
  await page.goto(`${server.url}/user/myquote`);
  await page.getByRole("button", { name: "Buy Now" }).locator("visible=true").click();
  await page.getByRole("button", { name: /^Pay ₹/ }).click();
  const warning = page.getByRole("alert").filter({ hasText: "Asha Rao started paying for this quote" });
  await warning.waitFor();
  expect(await attemptsOf(server, quote.id)).toHaveLength(1);
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await warning.getByRole("button", { name: "Take over payment" }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await page.getByRole("heading", { name: "Payment received" }).waitFor();
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", buyerId: vikram.id });
  expect(complaints.filter((complaint) => !complaint.includes("409"))).toEqual([]);

  await page.goto(`${server.url}/user/orderhistory`);
  await page.getByRole("button", { name: "History" }).locator("visible=true").click();
  await page.getByText("Taken over by Vikram Shetty.").locator("visible=true").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
});

it("While a bank confirms a payment, Buy Now gives way to the page that follows it", async () => {
  for (const who of ["asha", "vikram"] as const) {
    const { asha, [who]: person, quote } = await family();
    // The sandbox's bank confirms after twenty seconds.
    const back = await settleAtSandbox(await startPaying(asha, quote), "pending");
    await post(back.action, back.fields);
    const { page, complaints, leave } = await openSignedIn(browser, server, person);
    await page.goto(`${server.url}/user/myquote`);
    const link = page.getByRole("link", { name: "Payment under way" }).locator("visible=true");
    await link.waitFor();
    expect(await page.getByRole("button", { name: "Buy Now" }).count()).toBe(0);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await link.click();
    await page.waitForURL(`**/user/payment?order=${(await orderOf(server, quote.id))?.id}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  }
});

it("Partners and administrators open the tries of an order", async () => {
  const partner = await member(server, "partner");
  const name = "Nilgiri Tea";
  const customer = await member(server, "user", { organizationName: name, partnerId: partner.organisationId });
  const order = await insertOrder(server, customer);
  await server.services.database.insert(attempts).values({
    orderId: order.id,
    gateway: "payu",
    reference: `T${order.id.slice(0, 20)}`,
    amountPaise: order.amountPaise,
    state: "failure",
    reason: "The bank declined the card.",
    form: { action: "https://gateway.example/", fields: {} },
    startedBy: customer.id,
    expiresAt: new Date(),
  });
  for (const [person, path] of [
    [partner, "/partner/listuser"],
    [await member(server, "admin"), "/admin/customerList"],
    [await member(server, "adminChild"), "/admin/orderData"],
  ] as const) {
    const { page, complaints, leave } = await openSignedIn(browser, server, person, phone);
    await page.goto(server.url + path);
    if (path === "/admin/orderData") await page.getByRole("searchbox", { name: "Search orders" }).fill(name);
    else await view(page, name);
    await page.getByText(name).locator("visible=true").first().waitFor();
    await expect.poll(() => page.getByRole("button", { name: "History" }).locator("visible=true").count()).toBe(1);
    await page.getByRole("button", { name: "History" }).locator("visible=true").click();
    await page.getByText("The bank declined the card.").locator("visible=true").waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await leave();
  }
});

const view = (page: Page, name: string) =>
  page
    .getByRole("button", { name: `View ${name}` })
    .locator("visible=true")
    .click();

it("A payment that failed says why on its result page", async () => {
  const { asha } = await family();
  const order = await insertOrder(server, asha, { state: "failure" });
  await server.services.database.insert(attempts).values({
    orderId: order.id,
    gateway: "payu",
    reference: "TWHY",
    amountPaise: order.amountPaise,
    state: "failure",
    reason: "The bank declined the card.",
    form: { action: "https://gateway.example/", fields: {} },
    startedBy: asha.id,
    expiresAt: new Date(),
  });
  const { page } = await openSignedIn(browser, server, asha);
  await page.goto(`${server.url}/user/payment?order=${order.id}`);
  await page.getByRole("heading", { name: "The payment did not go through" }).waitFor();
  await page.getByText("The bank declined the card.").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
});
