import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder, insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { findBarriers, findBarriersAtBothWidths, openSignedIn, phone } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let partner: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
  partner = await member(server, "partner", { organizationName: "Malabar Networks", firstName: "Nila" });
  const partnerId = partner.organisationId;
  const quoted = await member(server, "user", { organizationName: "Periyar Rubber", partnerId });
  await insertQuote(server, quoted);
  await insertOrder(server, await member(server, "user", { organizationName: "Alappuzha Coir", partnerId }));
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const newCustomer = (organizationName: string) =>
  member(server, "user", {
    organizationName,
    partnerId: partner.organisationId,
    firstName: "Lakshmi",
    lastName: "Iyer",
    phone: "+918045551234",
  });

describe("A partner", () => {
  const name = "Kaveri Textiles";

  it("makes an estimate for a customer from the list, and both see who made it and how far it is", async () => {
    const customer = await newCustomer(name);
    const { page, complaints } = await openSignedIn(browser, server, partner, phone);
    await page.goto(`${server.url}/partner/listuser`);
    const row = page.getByRole("row").filter({ hasText: name });
    await row.getByText("No quote yet").waitFor();
    await page.getByRole("row").filter({ hasText: "Periyar Rubber" }).getByText("Quote open").waitFor();
    await page
      .getByRole("row")
      .filter({ hasText: "Alappuzha Coir" })
      .getByText(/^Contract until/)
      .waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);

    await row.getByRole("link", { name: `Make an estimate for ${name}` }).click();
    await page.getByRole("heading", { level: 1, name: `Estimate for ${name}` }).waitFor();
    for (const [label, value] of [
      ["Name", "Lakshmi Iyer"],
      ["Email", customer.email],
      ["Organization name", name],
    ] as const) {
      const field = page.getByRole("textbox", { name: label, exact: true });
      expect([await field.inputValue(), await field.isEditable()]).toEqual([value, false]);
    }
    await page.getByRole("spinbutton", { name: "Prod Server", exact: true }).fill("12");
    await page.getByRole("textbox", { name: "Number of users" }).fill("120");
    await page.getByRole("textbox", { name: "Message" }).fill("For the plant, as we discussed.");
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.getByRole("button", { name: "Send the estimate" }).click();
    const sent = page.getByRole("heading", { name: /^The estimate has the number Q-\d{6}$/ });
    await sent.waitFor();
    const number = /Q-\d{6}/.exec((await sent.textContent()) ?? "")?.[0] ?? "";
    await page.getByText(`${name} buys it online under My Quotes.`, { exact: false }).waitFor();
    await page.getByRole("button", { name: "View the proposal" }).and(page.locator(":enabled")).waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);

    await page.getByRole("link", { name: "Back to the customer list" }).click();
    await row.getByText("Quote open").waitFor();
    await row.getByRole("button", { name: `View ${name}` }).click();
    const panel = page.getByRole("dialog", { name: "Customer Details" });
    const made = panel.getByRole("region", { name: "Estimates you made" });
    await made.getByText(number).waitFor();
    await made.getByText("Nila Rao, Malabar Networks").waitFor();
    await panel.getByRole("region", { name: "User Info" }).getByText("Quote open").waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    expect(complaints).toEqual([]);

    const { page: own } = await openSignedIn(browser, server, customer, phone);
    await own.goto(`${server.url}/user/myquote`);
    await own.getByText("Made by Nila Rao, Malabar Networks").waitFor();
    await own.getByRole("button", { name: "Buy Now" }).waitFor();
    expect(await findBarriersAtBothWidths(own)).toEqual([]);
  });
});

it("An estimate that was sent, but whose answer was lost, is not made twice", async () => {
  const customer = await newCustomer("Tungabhadra Steel");
  const { page } = await openSignedIn(browser, server, partner);
  await page.goto(`${server.url}/partner/estimator/${customer.email}`);
  await page.getByRole("spinbutton", { name: "Prod Server", exact: true }).fill("3");
  await page.getByRole("textbox", { name: "Number of users" }).fill("12");
  await page.getByRole("textbox", { name: "Message" }).fill("Once only.");
  let lost = 0;
  await page.route("**/api/partner/create-estimate", async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Send the estimate" }).click();
  await page
    .getByText(/We can't reach the server/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Send the estimate" }).click();
  await page.getByRole("heading", { name: /^The estimate has the number/ }).waitFor();
  const { body } = await server.call("user/get-estimation", {}, customer.token);
  expect(body.estimation).toHaveLength(1);
});

it("The page for somebody who is none of the partner's customers says so", async () => {
  const other = await member(server, "user", { organizationName: "Somebody Else's Customer" });
  const { page } = await openSignedIn(browser, server, partner);
  await page.goto(`${server.url}/partner/estimator/${other.email}`);
  await page.getByRole("alert").getByText("This is not one of your customers.").waitFor();
  expect(await page.getByText("Somebody Else").count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});
