import { eq } from "drizzle-orm";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { totalsOf } from "../../contract/totals.ts";
import { customerTools, engineBindings, engineStreams, mails, quotes } from "../../server/database/schema/index.ts";
import { standInLogin } from "../../server/demo/engines/stand-in.ts";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder, insertQuote } from "../paid-order.ts";
import { menuOf } from "../menu-of.ts";
import { type Member, member } from "../people.ts";
import { findBarriers, findBarriersAtBothWidths, follow, jobScreen, openSignedIn, wide } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
let adminChild: Member;
let partner: Member;
let customer: Member;

beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
  admin = await member(server, "admin", { organizationName: "Provider", firstName: "Meera", lastName: "Iyer" });
  const ofProvider = { organisationId: admin.organisationId };
  adminChild = await member(server, "adminChild", { ...ofProvider, firstName: "Rohan", lastName: "Das" });
  partner = await member(server, "partner", {
    organizationName: "Malabar Networks",
    firstName: "Farah",
    lastName: "Khan",
  });
  customer = await member(server, "user", {
    organizationName: "Kaveri Textiles",
    partnerId: partner.organisationId,
    firstName: "Lakshmi",
    phone: "+918045551234",
  });
  await member(server, "user", { organizationName: "مؤسسة الخليج", firstName: "Omar", lastName: "Said" });
  await insertOrder(server, customer);
  await insertOrder(server, customer, { state: "review", reviewReason: "The bank confirmed another amount." });
  await insertQuote(server, null, { organizationName: "Deccan Foods" });
  await bindFailingEngine();
  await server.services.database.insert(mails).values({
    eventKey: "invite:1",
    recipient: "late@example.in",
    attachments: [],
    tries: 3,
    lastError: "451 Greylisted",
  });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

/** An engine that answered an hour ago and not since. */
async function bindFailingEngine() {
  const { database, now } = server.services;
  const [binding] = await database
    .insert(engineBindings)
    .values({
      organisationId: customer.organisationId,
      kind: "wazuh4",
      address: "https://wazuh.kaveri.example:55000",
      nextPollAt: new Date(now().getTime() + 86_400_000),
    })
    .returning();
  await database.insert(engineStreams).values({
    bindingId: binding?.id ?? "",
    stream: "devices",
    lastAnswerAt: new Date(now().getTime() - 3_600_000),
    failingSince: new Date(now().getTime() - 3_500_000),
    failures: 2,
    problem: "down",
    sentence: "The manager of Wazuh 4 at wazuh.kaveri.example:55000 fails inside (503). Look into its own log.",
  });
}

const people = { admin: () => admin, adminChild: () => adminChild };

it.each([
  ["/admin/estimateOrder", "New quote", "Note to the customer"],
  ["/admin/settings", "Edit Company and contact", "Phone numbers"],
  ["/admin/announcements", "Write an announcement", "Title"],
])(
  "On %s whoever goes back, reloads or closes what “%s” opened is asked before what they typed is lost",
  async (path, opener, label) => {
    const { page, complaints } = await openSignedIn(browser, server, admin, wide);
    await page.goto(`${server.url}/admin/account-settings`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await follow(page, path, path);
    await page.getByRole("button", { name: opener }).click();
    const dialog = page.getByRole("dialog");
    const field = dialog.getByLabel(label);
    await field.fill("");
    await field.pressSequentially("Half a thought");
    const asked: string[] = [];
    let leaves = false;
    page.on("dialog", (asking) => {
      asked.push(asking.type());
      void (leaves ? asking.accept() : asking.dismiss());
    });
    await page.evaluate(() => history.back());
    await expect.poll(() => asked).toEqual(["confirm"]);
    await page.evaluate(() => location.reload());
    await expect.poll(() => asked).toEqual(["confirm", "beforeunload"]);
    expect([await field.inputValue(), new URL(page.url()).pathname]).toEqual(["Half a thought", path]);

    leaves = true;
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(asked).toEqual(["confirm", "beforeunload", "confirm"]);
    await page.evaluate(() => history.back());
    await page.waitForURL("**/admin/account-settings");
    expect(asked).toHaveLength(3);
    expect(complaints).toEqual([]);
  },
);

// routes-by-role.test.ts checks the screens themselves with axe; this file checks what opens on them.
describe.each([
  ["admin", jobScreen],
  ["adminChild", wide],
] as const)("Someone with the role %s", (role, screen) => {
  // One page for all four tests, because it keeps what it has loaded.
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    ({ page, complaints } = await openSignedIn(browser, server, people[role](), screen));
    await page.goto(`${server.url}/admin/dashboard`);
  });
  afterAll(() => page.context().close());

  it("sees how business goes and what waits for somebody", async () => {
    await page.goto(`${server.url}/admin/dashboard`);
    for (const title of [
      "Latest leads",
      "Quotes that wait for their rates",
      "Customers without activated dashboards",
      "Payments that need a look",
      "Failed mails",
    ])
      await page.getByRole("heading", { level: 2, name: title }).waitFor();
    for (const text of ["Deccan Foods", /Invitation, .?late@example\.in/, "Greylisted", "confirmed another amount"])
      await page.getByText(text).first().waitFor();
    const newest = page.getByRole("link", { name: "Deccan Foods" }).first();
    expect(await newest.getAttribute("href")).toMatch(/^\/admin\/estimateOrder\?search=Q-\d{6}$/);
    await page.getByRole("heading", { level: 2, name: "By month" }).scrollIntoViewIfNeeded();
    await page.locator(".recharts-bar-rectangle path").first().waitFor();
    await page.getByText("Show as a table").first().click();
    expect(await page.getByRole("table", { name: "Revenue" }).getByRole("row").count()).toBe(13);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("lists the customers, and opens one", async () => {
    await page.goto(`${server.url}/admin/customerList`);
    await shows(page, ["Kaveri Textiles", "Malabar Networks", "Default", "+918045551234", "مؤسسة الخليج"]);
    await view(page, "Kaveri Textiles");
    const panel = page.getByRole("dialog", { name: "Customer Details" });
    await panel.getByText("Lakshmi Rao").first().waitFor();
    await panel.getByText("SIEM and SOAR").waitFor();
    await panel.getByText("Order History").first().waitFor();
    await panel.getByText("Being checked").locator("visible=true").waitFor();
    expect((await panel.boundingBox())?.y).toBe(100);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    await search(page, "customers", "nobody of this name");
    await page.getByText(messages.noCustomers, { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("sees the engines of a customer, and what is not known of them", async () => {
    await page.goto(`${server.url}/admin/customerList`);
    await view(page, "Kaveri Textiles");
    const section = page.getByRole("region", { name: "Engines" });
    await section.getByText("Wazuh 4", { exact: true }).waitFor();
    await section.getByText("Devices: not known since").waitFor();
    await section.getByText("fails inside (503)").waitFor();
    expect(await section.getByRole("button").count()).toBe(role === "admin" ? 3 : 0);
    expect(complaints).toEqual([]);
  });

  it("opens a partner, from there its customer, and comes back", async () => {
    await page.goto(`${server.url}/admin/partnerList`);
    await view(page, "Malabar Networks");
    const panel = page.getByRole("dialog");
    await panel.getByRole("heading", { name: "Partner Details" }).waitFor();
    await panel.getByRole("region", { name: "Partner Info" }).getByText("Farah Khan").waitFor();
    const access = panel.getByRole("link", { name: /^Dashboard Access/ });
    expect(await access.getAttribute("href")).toBe(`/partner-dashboard/${partner.email}`);
    expect(await access.getAttribute("target")).toBe("_blank");
    expect(await access.getAttribute("rel")).toContain("noopener");
    await panel.getByText("Success").locator("visible=true").waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);

    await view(page, "Kaveri Textiles");
    await panel.getByRole("heading", { name: "Customer Details" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await panel.getByRole("heading", { name: "Partner Details" }).waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    await search(page, "partners", "nobody of this name");
    await page.getByText(messages.noPartners, { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Add Partner" }).count()).toBe(role === "admin" ? 1 : 0);
    expect(complaints).toEqual([]);
  });

  it("reads paid orders, estimates and a partner's dashboard", async () => {
    await page.goto(`${server.url}/admin/orderData`);
    await shows(page, ["Kaveri Textiles", "Lakshmi Rao", customer.email]);
    await page.getByText("Success").locator("visible=true").first().waitFor();
    expect(await page.getByRole("table").getByText("Being checked").count()).toBe(0);

    await page.goto(`${server.url}/admin/estimateOrder`);
    await page
      .getByRole("heading", { level: 1, name: role === "admin" ? "Lead Management" : "Leads", exact: true })
      .waitFor();
    expect(await page.title()).toMatch(role === "admin" ? /^Lead Management – / : /^Leads – /);
    await shows(page, ["Deccan Foods", "Two plants and a head office."]);
    await search(page, "leads", "nobody of this name");
    await page.getByText(messages.noEstimateOrders, { exact: true }).waitFor();

    await page.goto(`${server.url}/partner-dashboard/${partner.email}`);
    await page.getByText("Total Order Value", { exact: true }).waitFor();
    await page.locator(".recharts-bar-rectangle path").first().waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

it.each([
  ["customerList", ["#", "Customer Name", "Name", "Email", "Partner Name", "Phone Number", "State", "View"]],
  ["partnerList", ["#", "Partner Name", "Name", "Email", "Phone Number", "View"]],
  ["orderData", ["Customer Name", "Name", "Email", "Order ID", "Payment ID", "Amount", "Date", "Status", "View"]],
  [
    "estimateOrder",
    [
      "Lead",
      "State",
      "Owner",
      "Next Step",
      "Organization",
      "Name",
      "Email",
      "Phone",
      "Number of Users",
      "Message",
      "Estimate Price",
      "View",
    ],
  ],
])("The list at %s has its columns", async (path, columns) => {
  const { page } = await openScreen(admin, path);
  await page.getByRole("columnheader").first().waitFor();
  expect(await page.getByRole("columnheader").allTextContents()).toEqual(columns);
});

it("An engine is tried as it is typed, bound, asked at once, and removed", async () => {
  const { page, complaints } = await openScreen(admin, "customerList");
  await view(page, "مؤسسة الخليج");
  const section = page.getByRole("region", { name: "Engines" });
  await section.getByText("No engine is bound yet").waitFor();
  await section.getByRole("button", { name: "Add an engine" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add an engine" });
  await dialog.getByRole("combobox", { name: "Engine", exact: true }).selectOption("DFIR-IRIS 2.4");
  await dialog.getByRole("button", { name: "Test" }).click();
  await dialog.getByText("Please enter the API key").waitFor();
  await dialog.getByRole("textbox", { name: "Address", exact: true }).fill("https://iris.engines.demo.example");
  await dialog.getByRole("textbox", { name: "Customer", exact: true }).fill("sample-textiles");
  await dialog.getByLabel("API key").fill("a wrong one");
  await dialog.getByRole("button", { name: "Test" }).click();
  await dialog.getByText("does not take this login").waitFor();
  await dialog.getByLabel("API key").fill(standInLogin.secret);
  await dialog.getByRole("button", { name: "Test" }).click();
  await dialog.getByText("It answers, as version 2.4.22.").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  const engine = section.getByRole("article", { name: "DFIR-IRIS 2.4" });
  await engine.getByText("Answers").waitFor();
  await engine.getByRole("button", { name: "Remove DFIR-IRIS 2.4" }).click();
  await page.getByRole("dialog", { name: "Remove DFIR-IRIS 2.4" }).getByRole("button", { name: "Remove" }).click();
  await section.getByText("No engine is bound yet").waitFor();
  expect(complaints).toEqual([]);
});

it("The menu of an administrator has My User, and a child's calls the leads Leads", async () => {
  const { page } = await openScreen(admin, "addmyuser");
  await page.getByText("Rohan Das").locator("visible=true").waitFor();
  expect(await menuOf(page)).toEqual([
    "Admin Dashboard",
    "Actions",
    "Manage Customer",
    "Manage Partner",
    "Order Reports",
    "Lead Management",
    "Coverage",
    "Engines",
    "Incidents",
    "Service Levels",
    "Obligations",
    "Contracts",
    "Rate card",
    "Receivables",
    "Registers",
    "Reconciliation",
    "Blog",
    "Certificates",
    "Log sources",
    "Tiles",
    "Site texts",
    "Announcements",
    "My User",
    "Invitations",
    "Data requests",
    "Audit log",
    "System",
    "Account Settings",
    "Sign Out",
  ]);
  expect(await findBarriers(page)).toEqual([]);
  const { page: childs } = await openScreen(adminChild, "addmyuser");
  await childs.waitForURL("**/admin/dashboard");
  expect(await menuOf(childs)).toEqual([
    "Admin Dashboard",
    "Actions",
    "Manage Customer",
    "Manage Partner",
    "Order Reports",
    "Leads",
    "Coverage",
    "Engines",
    "Incidents",
    "Service Levels",
    "Obligations",
    "Contracts",
    "Rate card",
    "Receivables",
    "Registers",
    "Reconciliation",
    "Blog",
    "Certificates",
    "Log sources",
    "Tiles",
    "Site texts",
    "Announcements",
    "Invitations",
    "Data requests",
    "Audit log",
    "System",
    "Account Settings",
    "Sign Out",
  ]);
});

it("A partner is added, invited and listed; a refusal keeps what was typed", async () => {
  const { page } = await openScreen(admin, "partnerList");
  await page.getByRole("button", { name: "Add Partner" }).click();
  const dialog = page.getByRole("dialog", { name: "Add Partner" });
  await dialog.getByRole("button", { name: "Add Partner" }).click();
  for (const text of [messages.organizationRequired, messages.emailInvalid, messages.phoneTenDigits])
    await dialog.getByText(text).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByLabel("Organization name").fill("Konkan Systems");
  await dialog.getByLabel("First name").fill("Anil");
  await dialog.getByLabel("Last name").fill("Naik");
  await dialog.getByLabel("Email").fill(partner.email);
  await dialog.getByRole("textbox", { name: "Phone" }).fill("9876501234");
  await dialog.getByRole("button", { name: "Add Partner" }).click();
  await dialog.getByText(messages.addPartnerFailed).waitFor();
  expect(await dialog.getByLabel("Organization name").inputValue()).toBe("Konkan Systems");
  await dialog.getByLabel("Email").fill("anil@konkan.example");
  await dialog.getByRole("button", { name: "Add Partner" }).click();
  await page.getByText(messages.partnerAdded, { exact: true }).waitFor();
  await page.getByText("Konkan Systems").locator("visible=true").waitFor();
  await server.mailbox.take("anil@konkan.example");
});

it("Dashboards are activated and edited by an administrator only", async () => {
  const served = await member(server, "user", { organizationName: "Nilgiri Tea" });
  const { page: childs } = await openScreen(adminChild, "customerList");
  await view(childs, "Nilgiri Tea");
  await childs.getByText(messages.notActivated).waitFor();
  expect(await childs.getByRole("button", { name: "Activate Dashboard" }).count()).toBe(0);

  const { page, complaints } = await openScreen(admin, "customerList");
  await view(page, "Nilgiri Tea");
  await page.getByRole("dialog").getByText("No orders found.").waitFor();
  await page.getByRole("button", { name: "Activate Dashboard" }).click();
  await page.getByText(messages.dashboardActivated).waitFor();
  const address = page.getByRole("textbox", { name: "SIEM URL" });
  expect(await address.isDisabled()).toBe(true);
  await page.getByRole("switch", { name: "SIEM enabled" }).press("Space");
  await address.fill("http://siem.example.in");
  // The panel and its typed text survive a reload.
  await page.reload();
  await expect.poll(() => address.inputValue()).toBe("http://siem.example.in");
  await page.getByRole("button", { name: "Update SIEM" }).click();
  await page.getByText(messages.toolUrlInvalid).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await address.fill("https://siem.example.in/nilgiri");
  await address.press("Enter");
  await page.getByText(messages.siemUpdated).waitFor();
  expect(await page.getByRole("link", { name: "siem.example.in/nilgiri" }).getAttribute("rel")).toContain("noopener");
  const [tool] = await toolsOf(served);
  expect(tool).toMatchObject({ siemUrl: "https://siem.example.in/nilgiri", siemEnabled: true, soarEnabled: false });
  expect(complaints).toEqual([]);

  await childs.reload();
  await childs.getByRole("link", { name: "siem.example.in/nilgiri" }).waitFor();
  expect(await childs.getByRole("textbox", { name: "SIEM URL" }).count()).toBe(0);
});

it("Who is overtaken by another editor sees what is saved, and loses nothing typed", async () => {
  const served = await member(server, "user", { organizationName: "Tungabhadra Steel" });
  const { database } = server.services;
  await database
    .insert(customerTools)
    .values({ organisationId: served.organisationId, soarEnabled: true, soarUrl: "https://old.example.in" });
  const { page } = await openScreen(admin, "customerList");
  await view(page, "Tungabhadra Steel");
  const address = page.getByRole("textbox", { name: "SOAR URL" });
  await address.fill("https://mine.example.in");
  await database
    .update(customerTools)
    .set({ soarUrl: "https://theirs.example.in", version: 2 })
    .where(eq(customerTools.organisationId, served.organisationId));
  await page.getByRole("button", { name: "Update SOAR" }).click();
  await page.getByText(messages.soarFailed).waitFor();
  await page.getByRole("button", { name: "Load the current state" }).click();
  await page.getByText("Saved now: enabled, https://theirs.example.in").waitFor();
  expect(await address.inputValue()).toBe("https://mine.example.in");
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Keep what I typed" }).click();
  await page.getByRole("button", { name: "Update SOAR" }).click();
  await page.getByText(messages.soarUpdated).waitFor();
  expect((await toolsOf(served))[0]).toMatchObject({ soarUrl: "https://mine.example.in", version: 3 });
});

it("A child of the administrators reads the rates that wait, an administrator confirms them, and the second is told who did", async () => {
  const line = { service: "Customization", deviceType: "SCADA gateway", number: 2, unit: "device" };
  const lines = [{ ...line, ratePaise: 1_000_00, amountPaise: 2_000_00, subjectToConfirmation: true }];
  const over = {
    organizationName: "Chilika Salt",
    lines,
    ...totalsOf(lines, { discountBasisPoints: 0, gstBasisPoints: 1800 }),
  };
  const quote = await insertQuote(server, null, over);

  const { page: childs } = await openScreen(adminChild, "dashboard");
  await childs.getByRole("link", { name: "Show them" }).click();
  await childs
    .getByRole("button", { name: /^Rates of Q-\d{6} for Chilika Salt$/ })
    .locator("visible=true")
    .click();
  const readOnly = childs.getByRole("dialog", { name: "Rates to Confirm" });
  expect(await readOnly.getByRole("textbox", { name: "SCADA gateway" }).getAttribute("readonly")).not.toBeNull();
  expect(await readOnly.getByRole("button", { name: "Confirm rates" }).count()).toBe(0);
  expect(await findBarriers(childs)).toEqual([]);

  const open = async () => {
    const { page, complaints } = await openScreen(admin, "estimateOrder?rates=waiting");
    await page
      .getByRole("button", { name: /^Confirm rates of Q-\d{6} for Chilika Salt$/ })
      .locator("visible=true")
      .click();
    const panel = page.getByRole("dialog", { name: "Confirm Rates" });
    await panel.getByRole("textbox", { name: "SCADA gateway" }).fill("1500.5");
    await panel.getByRole("cell", { name: "₹3,541.18" }).waitFor();
    return { page, panel, complaints };
  };
  const [first, second] = [await open(), await open()];
  await first.panel.getByRole("textbox", { name: "SCADA gateway" }).fill("");
  await first.panel.getByRole("button", { name: "Confirm rates" }).click();
  await first.panel.getByText("Please enter a number").waitFor();
  expect(await findBarriers(first.page)).toEqual([]);
  await first.panel.getByRole("textbox", { name: "SCADA gateway" }).fill("1500.5");
  await first.panel.getByRole("button", { name: "Confirm rates" }).click();
  await first.page.getByText(messages.ratesConfirmed).waitFor();
  await first.page.getByText("No quote waits for its rates.").waitFor();
  expect(first.complaints).toEqual([]);

  await second.panel.getByRole("button", { name: "Confirm rates" }).click();
  await second.panel.getByText("Meera Iyer has confirmed the rates of this quote already.").waitFor();
  await second.panel.getByRole("button", { name: "Load the current state" }).click();
  await second.panel.getByText("Nothing is left to confirm").waitFor();
  expect(await findBarriers(second.page)).toEqual([]);
  expect((await server.services.database.select().from(quotes).where(eq(quotes.id, quote.id)))[0]?.totalPaise).toBe(
    3_541_18,
  );
});

it("Only administrators reach the area and a partner's dashboard", async () => {
  const { page } = await openSignedIn(browser, server, partner);
  for (const path of ["admin/customerList", `partner-dashboard/${partner.email}`]) {
    await page.goto(`${server.url}/${path}`);
    await expect.poll(() => new URL(page.url()).pathname).toBe("/partner/dashboard");
  }
});

it("A list that is refused says Unauthorized access", async () => {
  const { page } = await openSignedIn(browser, server, admin);
  await page.route("**/api/admin/getUserByAdmin*", (route) =>
    route.fulfill({ status: 403, json: { error: "No", code: "forbidden" } }),
  );
  await page.goto(`${server.url}/admin/partnerList`);
  await page.getByRole("alert").getByText(messages.unauthorised).waitFor();
  await page.unroute("**/api/admin/getUserByAdmin*");
  await page.route("**/api/admin/getUserByAdmin*", (route) =>
    route.fulfill({ status: 404, json: { error: "No", code: "not_found" } }),
  );
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("alert").getByText(messages.fetchFailed).waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

async function openScreen(person: Member, path: string) {
  const opened = await openSignedIn(browser, server, person);
  await opened.page.goto(`${server.url}/admin/${path}`);
  await opened.page.getByRole("heading", { level: 1 }).waitFor();
  return opened;
}

async function shows(page: Page, texts: string[]): Promise<void> {
  for (const text of texts) await page.getByRole("main").getByText(text).locator("visible=true").first().waitFor();
}

const view = (page: Page, name: string) =>
  page
    .getByRole("button", { name: `View ${name}` })
    .locator("visible=true")
    .last()
    .click();

const search = (page: Page, what: string, text: string) =>
  page.getByRole("searchbox", { name: `Search ${what}` }).fill(text);

const toolsOf = ({ organisationId }: Member) =>
  server.services.database.select().from(customerTools).where(eq(customerTools.organisationId, organisationId));

it("Whoever goes back from a partner's customer finds the next partner itself, and not that customer", async () => {
  const next = await member(server, "partner", { organizationName: "Konkan Networks", firstName: "Nikhil" });
  const { page, complaints } = await openSignedIn(browser, server, admin, wide);
  await page.goto(`${server.url}/admin/partnerList`);
  await page.getByText("Konkan Networks").locator("visible=true").first().waitFor();
  const panel = page.getByRole("dialog");
  // As the palette and the audit log link to it.
  await follow(page, `/admin/partnerList?open=${partner.email}`, "/admin/partnerList");
  await panel.getByRole("button", { name: "View Kaveri Textiles" }).locator("visible=true").click();
  await panel.getByRole("heading", { name: "Customer Details" }).waitFor();
  await page.goBack();
  await panel.waitFor({ state: "hidden" });
  await follow(page, `/admin/partnerList?open=${next.email}`, "/admin/partnerList");
  await panel.getByRole("heading", { name: "Partner Details" }).waitFor();
  await panel.getByRole("region", { name: "Partner Info" }).getByText("Nikhil Rao").waitFor();
  expect(complaints).toEqual([]);
});
