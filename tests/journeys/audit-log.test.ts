import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Role, roles } from "../../contract/roles.ts";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import { findBarriersAtBothWidths, openSignedIn, jobScreen, wide } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
const people = {} as Record<Role, Member>;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  people.admin = await member(server, "admin", {
    organizationName: "Provider",
    firstName: "Meera",
    lastName: "Iyer",
  });
  people.partner = await member(server, "partner", { organizationName: "Malabar Networks", firstName: "Farah" });
  const ofPartner = { organizationName: "Kaveri Textiles", partnerId: people.partner.organisationId };
  people.user = await member(server, "user", ofPartner);
  for (const role of ["admin", "partner", "user"] as const) {
    const { organisationId } = people[role];
    people[`${role}Child`] = await member(server, `${role}Child`, { organisationId, firstName: "Rohan" });
  }
  const { email } = people.user;
  await server.call("admin/createCustomerToolByEmailApi", { email }, people.admin.token);
  for (const url of ["https://siem.example.in/one", "https://siem.example.in/two"])
    await server.call(
      "admin/updateCustomerToolSiemByAdmin",
      { email, siemURL: url, siemStatus: true },
      people.admin.token,
    );
  await server.call("partner/get-payment-details", { email }, people.partner.token);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const own = { admin: "/admin/audit", partner: "/partner/audit", user: "/user/audit" };
const screens = { wide, phone: jobScreen };

async function open(role: keyof typeof people, screen: keyof typeof screens) {
  const opened = await openSignedIn(browser, server, people[role], screens[screen]);
  const path = own[role.replace("Child", "") as keyof typeof own];
  await opened.page.goto(server.url + path);
  await opened.page.getByRole("table", { name: "Audit log" }).waitFor();
  return opened;
}
const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text }).first();

describe.each(roles)("The audit log of %s", (role) => {
  it("tells what was done in plain words, clean by axe, with details to open", async () => {
    const { page, complaints } = await open(role, "phone");
    const row = rowOf(page, "Kaveri Textiles");
    await row.getByRole("button", { name: "Details" }).click();
    await page.getByText("all entries about it").first().waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

it("An administrator narrows the log, reads before and after, and goes to what an entry is about", async () => {
  const { page, complaints } = await open("admin", "wide");
  await page.getByLabel("Who, by e-mail").fill(people.admin.email);
  await page.getByLabel("What", { exact: true }).selectOption("update siem");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Show", exact: true }).press("Enter");
  await page.waitForURL(/action=update\+siem/);
  await page.getByText("2 of 2").waitFor();
  await rowOf(page, "changed the SIEM").getByRole("button", { name: "Details" }).press("Enter");
  await page.getByText("https://siem.example.in/one").waitFor();
  await page.getByText("https://siem.example.in/two").waitFor();
  await rowOf(page, "changed the SIEM").getByRole("link", { name: "Kaveri Textiles" }).click();
  await page.waitForURL(/customerList\?search=Kaveri/);
  await page.getByRole("row").filter({ hasText: people.user.email }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Clear" }).click();
  await rowOf(page, "activated the dashboards").waitFor();
  expect(complaints).toEqual([]);
});

it("A customer is offered what its log may tell, which asking for a refund is not", async () => {
  const offered = async (role: "admin" | "user") => {
    const { page } = await open(role, "wide");
    return page
      .getByLabel("What", { exact: true })
      .locator("option")
      .evaluateAll((all) => all.map((option) => option.getAttribute("value") ?? ""));
  };
  const [toAll, toCustomer] = [await offered("admin"), await offered("user")];
  expect(toAll.filter((action) => !toCustomer.includes(action)).toSorted()).toEqual([
    "approve refund",
    "ask refund",
    "ask write-off",
    "decline refund",
    "decline write-off",
  ]);
});

it("What fits nothing says so, and what can't be loaded can be tried again", async () => {
  const { page } = await open("user", "phone");
  await page.goto(`${server.url}/user/audit?from=2020-01-01&to=2020-01-02`);
  await page.getByText("No entry matches these filters.").waitFor();
  await page.route("**/api/user/audit*", (route) => route.abort());
  await page.goto(`${server.url}/user/audit`);
  await page.getByText("The audit log could not be loaded.").waitFor();
  await page.unroute("**/api/user/audit*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table", { name: "Audit log" }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});

it("The log is saved as JSON lines and as CSV, and tells of both", async () => {
  const { page } = await open("admin", "wide");
  const saved = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
  };
  const lines = await saved("Export JSON lines");
  expect(lines.name).toBe("audit-log.jsonl");
  const entries = lines.text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { action: string });
  expect(entries.map(({ action }) => action)).toContain("update siem");
  const csv = await saved("Export CSV");
  expect(csv.name).toBe("audit-log.csv");
  expect(csv.text).toContain("Url: https://siem.example.in/one → https://siem.example.in/two");
  await page.goto(`${server.url}/admin/audit?action=export+list`);
  await page.getByText("2 of 2").waitFor();
});
