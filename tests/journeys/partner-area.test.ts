import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { customerTools } from "../../server/database/schema/index.ts";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder } from "../paid-order.ts";
import { menuOf } from "../menu-of.ts";
import { type Member, member } from "../people.ts";
import { findBarriers, findBarriersAtBothWidths, openSignedIn, phone, wide } from "../portal-page.ts";
import { overlapsOf } from "../read-pdf.ts";

let server: TestServer;
let browser: Browser;
let partner: Member;
let partnerChild: Member;
let customer: Member;

beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
  partner = await member(server, "partner", { organizationName: "Malabar Networks" });
  partnerChild = await member(server, "partnerChild", { organisationId: partner.organisationId });
  const partnerId = partner.organisationId;
  await member(server, "user", { organizationName: "Alappuzha Coir", partnerId });
  customer = await member(server, "user", {
    organizationName: "Kaveri Textiles",
    partnerId,
    firstName: "Lakshmi",
    lastName: "Iyer",
    phone: "+918045551234",
  });
  await member(server, "user", {
    organizationName: "=Zenith() Foods",
    partnerId,
    firstName: "Zubin",
    lastName: "Mehta",
  });
  await member(server, "user", { organizationName: "Somebody Else's Customer" });
  await insertOrder(server, customer);
  // By the time of this mail its PDF is made.
  await server.mailbox.take(customer.email, /invoice/);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

describe("A partner", () => {
  it("sees six figures and twelve months, as drawings and as a table", async () => {
    const { page, complaints } = await openSignedIn(browser, server, partner, phone);
    await page.goto(`${server.url}/partner`);
    for (const label of [
      "Total Users",
      "Users This Month",
      "Total Orders",
      "Orders This Month",
      "Total Order Value",
      "Order Value This Month",
    ])
      await page.getByText(label, { exact: true }).waitFor();
    await page.locator("figure").first().scrollIntoViewIfNeeded();
    await page.locator(".recharts-bar-rectangle path").first().waitFor();
    await page.getByText("Show as a table").first().click();
    expect(await page.locator("figure").first().getByRole("row").count()).toBe(13);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("reads both charts and their tables on paper, wherever a page ends", async () => {
    const { page } = await openSignedIn(browser, server, partner, wide);
    await page.goto(`${server.url}/partner`);
    await page.locator("figure").last().scrollIntoViewIfNeeded();
    await page.locator(".recharts-bar-rectangle path").first().waitFor();
    for (const height of [160, 200, 240, 297]) {
      const overlaps = await overlapsOf(await page.pdf({ width: "210mm", height: `${height}mm` }), 1);
      expect.soft([height, overlaps.filter((of) => of.includes("by month"))]).toEqual([height, []]);
    }
  });

  it("finds a customer, opens it beside the list and reads its order", async () => {
    const { page, complaints } = await openSignedIn(browser, server, partner, phone);
    await page.goto(`${server.url}/partner/listuser`);
    await page.getByText("Kaveri Textiles").locator("visible=true").waitFor();
    expect(await page.getByText("Somebody Else's Customer").count()).toBe(0);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);

    await page.getByRole("searchbox", { name: "Search customers" }).fill("no such customer");
    await page.getByText(messages.noCustomers, { exact: true }).waitFor();
    await page.getByRole("searchbox", { name: "Search customers" }).fill("lakshmi");
    await page.getByRole("button", { name: "View Kaveri Textiles" }).locator("visible=true").click();

    const panel = page.getByRole("dialog", { name: "Customer Details" });
    await panel.getByText("Lakshmi Iyer").first().waitFor();
    await panel.getByText("+918045551234").waitFor();
    await panel.getByText(messages.notActivated).waitFor();
    expect(await panel.getByRole("button", { name: "Activate Dashboard" }).count()).toBe(0);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await panel
      .getByRole("button", { name: /^View invoice/ })
      .locator("visible=true")
      .click();
    const viewer = page.getByRole("dialog", { name: /^Invoice SOC\/\d\d-\d\d\/\d{6}$/ });
    await viewer.getByRole("link", { name: "Download" }).waitFor();
    await viewer.getByRole("link", { name: "Open in a new tab" }).waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await viewer.waitFor({ state: "hidden" });
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    expect(complaints).toEqual([]);
  });

  it("goes on reading the PDF that is open when it comes back to the window, and without a network", async () => {
    const { page } = await openSignedIn(browser, server, partner, wide);
    await page.goto(`${server.url}/partner/listuser?search=lakshmi`);
    await page.getByRole("button", { name: "View Kaveri Textiles" }).click();
    await page.getByRole("button", { name: /^View invoice/ }).click();
    const link = page.getByRole("link", { name: "Open in a new tab" });
    const address = await link.getAttribute("href");
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().includes("get-signed-url")) asked++;
    });
    /** As if the reader returned to this window after a minute. */
    const comeBack = () =>
      page.evaluate(() => {
        const now = Date.now() + 60_000;
        Date.now = () => now;
        dispatchEvent(new Event("visibilitychange"));
      });
    const others = page.waitForResponse("**/api/partner/**");
    await comeBack();
    await others;
    await page.context().setOffline(true);
    const notAskedAnew = page.getByRole("alert").getByText("What was loaded before is below.");
    // A response may still have been on its way when the network went down.
    await expect
      .poll(async () => {
        await comeBack();
        return notAskedAnew.count();
      })
      .toBeGreaterThan(0);
    expect([asked, await link.getAttribute("href")]).toEqual([0, address]);
    await page.context().setOffline(false);
  });

  it("adds a customer, who is invited; what was typed survives a refusal", async () => {
    const { page, complaints } = await openSignedIn(browser, server, partner, phone);
    const organization = "Periyar Rubber";
    const email = "periyar@example.in";
    await page.goto(`${server.url}/partner/listuser`);
    await page.getByRole("button", { name: "Add New Customer" }).click();
    const dialog = page.getByRole("dialog", { name: "Add New Customer" });
    await dialog.getByRole("button", { name: "Add Customer" }).click();
    for (const text of [
      messages.organizationRequired,
      messages.firstNameRequired,
      messages.lastNameRequired,
      messages.emailInvalid,
      messages.phoneTenDigits,
    ])
      await dialog.getByText(text).waitFor();
    const phoneField = dialog.getByRole("textbox", { name: "Phone" });
    expect(await phoneField.getAttribute("aria-invalid")).toBe("true");
    expect(await describedBy(page, "Phone")).toBe(messages.phoneTenDigits);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);

    await dialog.getByLabel("Organization name").fill(organization);
    await dialog.getByLabel("First name").fill("Meena");
    await dialog.getByLabel("Last name").fill("Pillai");
    await dialog.getByLabel("Email").fill(customer.email);
    await phoneField.fill("9876501234");
    // As after an ended session and a new sign-in.
    await page.reload();
    await page.getByRole("button", { name: "Add New Customer" }).click();
    expect(await dialog.getByLabel("Organization name").inputValue()).toBe(organization);
    expect(await dialog.getByLabel("Email").inputValue()).toBe(customer.email);
    await dialog.getByRole("button", { name: "Add Customer" }).click();
    await dialog.getByText(messages.onboardFailed).waitFor();
    expect(await dialog.getByLabel("Organization name").inputValue()).toBe(organization);
    expect(await phoneField.inputValue()).toBe("9876501234");

    await dialog.getByLabel("Email").fill(email);
    const held = await holdCalls(page, "partner/create-user");
    await dialog.getByRole("button", { name: "Add Customer" }).click();
    expect(await dialog.getByRole("button", { name: messages.adding, exact: true }).isDisabled()).toBe(true);
    expect(await dialog.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
    held.release();
    await page.getByText(messages.userOnboarded).waitFor();
    await dialog.waitFor({ state: "hidden" });
    await page.getByText(organization).locator("visible=true").waitFor();
    await server.mailbox.take(email);
    // The browser also logs the refused attempt.
    expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
  });

  it("adds a user of its own, who is listed as invited", async () => {
    const owner = await member(server, "partner");
    const { page, complaints } = await openSignedIn(browser, server, owner, phone);
    await page.goto(`${server.url}/partner/addmyuser`);
    await page.getByText(messages.noUsers, { exact: true }).waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.getByRole("button", { name: "Add User" }).click();
    const dialog = page.getByRole("dialog", { name: "Add User" });
    await dialog.getByRole("button", { name: "Add User" }).click();
    await dialog.getByText(messages.phoneTooShort).waitFor();
    await dialog.getByLabel("First name").fill("Joseph");
    await dialog.getByLabel("Last name").fill("Mathew");
    await dialog.getByLabel("Email").fill("joseph@example.in");
    await dialog.getByRole("textbox", { name: "Phone" }).fill("98765012");
    await dialog.getByRole("button", { name: "Add User" }).click();
    await page.getByText(messages.userAdded).waitFor();
    await page.getByText("Joseph Mathew").locator("visible=true").waitFor();
    await page.getByText("Invited").locator("visible=true").waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

it("A list is sorted by the keyboard, on the server, and says how", async () => {
  const { page } = await openSignedIn(browser, server, partner);
  await page.goto(`${server.url}/partner/listuser`);
  const heading = page.getByRole("columnheader", { name: "Customer Name" });
  await heading.getByRole("button").focus();
  const two = ["Alappuzha Coir", "Kaveri Textiles"];
  const names = async () =>
    (await page.locator("tbody td:first-child").allTextContents()).filter((name) => two.includes(name));
  await page.keyboard.press("Enter");
  await expect.poll(names).toEqual(two);
  expect(await heading.getAttribute("aria-sort")).toBe("ascending");
  await page.keyboard.press("Enter");
  await expect.poll(names).toEqual(two.toReversed());
  expect(await heading.getAttribute("aria-sort")).toBe("descending");
  await page.keyboard.press("Enter");
  await expect.poll(() => heading.getAttribute("aria-sort")).toBe("none");
});

it("A list is exported whole, and no cell of it runs as a formula", async () => {
  const { page } = await openSignedIn(browser, server, partner);
  await page.goto(`${server.url}/partner/listuser`);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("customers.csv");
  const text = await readFile(await file.path(), "utf8");
  expect(text).toMatch(/^\uFEFFCustomer Name,Name,Email,Phone,State\r\n/);
  expect(text).toContain(`Kaveri Textiles,Lakshmi Iyer,${customer.email},'+918045551234`);
  expect(text).toContain("'=Zenith() Foods");
  expect(text).not.toContain("Somebody Else");
});

it("A list that can't be fetched says so and can be asked again", async () => {
  const { page } = await openSignedIn(browser, server, partner);
  await page.route("**/api/partner/children", (route) =>
    route.fulfill({ status: 403, json: { error: "No", code: "forbidden" } }),
  );
  await page.goto(`${server.url}/partner/addmyuser`);
  await page.getByRole("alert").getByText(messages.unauthorised).waitFor();
  await page.route("**/api/partner/children", (route) =>
    route.fulfill({ status: 404, json: { error: "No", code: "not_found" } }),
  );
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("alert").getByText(messages.usersFailed).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.unroute("**/api/partner/children");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText(partnerChild.email).locator("visible=true").waitFor();
});

it("A list that is searched for too long a text says so, and its field takes no longer one", async () => {
  const { page } = await openSignedIn(browser, server, partner);
  await page.goto(`${server.url}/partner/listuser?search=${"x".repeat(300)}`);
  await page.getByRole("alert").getByText("Please use at most 100 characters", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  const search = page.getByRole("searchbox", { name: "Search customers" });
  await search.fill("");
  await search.pressSequentially("kaveri");
  await page.getByRole("button", { name: "View Kaveri Textiles" }).waitFor();
  expect(await search.getAttribute("maxlength")).toBe("100");
});

it("A link to a customer who is not the partner's is told to be that", async () => {
  const { page } = await openSignedIn(browser, server, partner);
  for (const path of [
    "coverage/nobody@x.example",
    "coverage/nobody",
    "estimator/nobody@x.example",
    "estimator/nobody",
  ]) {
    await page.goto(`${server.url}/partner/${path}`);
    const said = page.getByRole("alert").filter({ hasText: "This is not one of your customers." });
    await said.getByRole("link", { name: "Open the customer list" }).waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  }
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  for (const who of ["nobody@x.example", "nobody"]) {
    await page.goto(`${server.url}/partner/listuser?open=${who}`);
    await page.getByText("This is not one of your customers.").waitFor();
  }
});

it("A partner's child has the smaller menu, and is led away from what it may not see", async () => {
  const { page } = await openSignedIn(browser, server, partner);
  await page.goto(`${server.url}/partner/dashboard`);
  expect(await menuOf(page)).toEqual([
    "Dashboard",
    "Coverage",
    "Incidents",
    "Reports",
    "Customer List",
    "Contracts",
    "My User",
    "Audit log",
    "Account Settings",
    "Sign Out",
  ]);
  const { page: childs, complaints } = await openSignedIn(browser, server, partnerChild);
  await childs.goto(`${server.url}/partner/addmyuser`);
  await childs.waitForURL("**/partner/dashboard");
  expect(await menuOf(childs)).toEqual([
    "Dashboard",
    "Coverage",
    "Incidents",
    "Reports",
    "Customer List",
    "Contracts",
    "Audit log",
    "Account Settings",
    "Sign Out",
  ]);
  await childs.goto(`${server.url}/admin/dashboard`);
  await childs.waitForURL("**/partner/dashboard");
  await childs.getByRole("link", { name: "Customer List" }).click();
  await childs.getByRole("button", { name: "Add New Customer" }).waitFor();
  expect(complaints).toEqual([]);
});

it("The partner reads a customer's SIEM and SOAR links but can't change them", async () => {
  const served = await member(server, "user", {
    organizationName: "Tungabhadra Steel",
    partnerId: partner.organisationId,
  });
  await server.services.database.insert(customerTools).values({
    organisationId: served.organisationId,
    siemUrl: "https://siem.example.in/tungabhadra",
    siemEnabled: true,
    soarUrl: "",
    soarEnabled: false,
  });
  const { page } = await openSignedIn(browser, server, partnerChild);
  await page.goto(`${server.url}/partner/listuser`);
  await page.getByRole("button", { name: "View Tungabhadra Steel" }).locator("visible=true").click();
  const panel = page.getByRole("dialog", { name: "Customer Details" });
  expect(await panel.getByRole("link", { name: "siem.example.in" }).getAttribute("href")).toBe(
    "https://siem.example.in/tungabhadra",
  );
  await panel.getByText("Disabled").waitFor();
  expect(await panel.getByRole("textbox", { name: /SIEM|SOAR/ }).count()).toBe(0);
  await panel.getByText("No orders found.").waitFor();
});

async function describedBy(page: Page, name: string): Promise<string | null> {
  const ids = await page.getByRole("textbox", { name, exact: true }).getAttribute("aria-describedby");
  return page.locator(`[id="${ids}"]`).textContent();
}

/** Holds back calls of an operation until they are released. */
async function holdCalls(page: Page, operation: string): Promise<{ release: () => void }> {
  const gate = Promise.withResolvers<void>();
  await page.route(`**/api/${operation}`, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return { release: () => gate.resolve() };
}
