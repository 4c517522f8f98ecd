import { eq } from "drizzle-orm";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { organisations, serviceReports } from "../../server/database/schema/index.ts";
import { seedDemo } from "../../server/demo/seed.ts";
import { deliverServiceReport } from "../../server/service-reports/deliver-report.ts";
import { holdBack, leaveBrowser, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { member, type Member } from "../people.ts";
import { findBarriersAtBothWidths, openSignedIn, phone } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let customer: Member;
let partner: Member;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  const { database } = server.services;
  await seedDemo(server.services);
  const [sample] = await database.select().from(organisations).where(eq(organisations.name, "Sample Textiles"));
  if (!sample?.partnerId) throw new Error("The demo has no sample customer");
  customer = await member(server, "user", { organisationId: sample.id });
  partner = await member(server, "partner", { organisationId: sample.partnerId });
  admin = await member(server, "admin");
  for (const { id } of await database.select({ id: serviceReports.id }).from(serviceReports))
    await deliverServiceReport(server.services, id);
  // Counts the coverage; no engine has been polled yet.
  await server.call("user/coverage", {}, customer.token);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

it("A customer sees on Monday how things stand and what to do, and its months with both PDFs", async () => {
  const { page, complaints } = await openSignedIn(browser, server, customer, phone);
  await page.goto(`${server.url}/user/dashboard`);
  const health = page.getByRole("region", { name: "How things stand" });
  await health.getByText(/contracted devices are watched/).waitFor();
  expect(await health.getByText("All is well").count()).toBe(0);
  const names = await page.locator("main section").evaluateAll((parts) => parts.map((part) => part.ariaLabel));
  expect(names.slice(0, 2)).toEqual(["How things stand", "Your actions"]);
  await page.getByRole("region", { name: "Coverage" }).getByText("Not connected yet").waitFor();
  const open = page.getByRole("region", { name: "Open incidents" });
  await open.getByText(/× P2, high/).waitFor();
  await page
    .getByRole("region", { name: "Term and renewal" })
    .getByText(/^C-\d{6}$/)
    .waitFor();
  await page.getByText("SIEM: search and investigate your logs").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.goto(`${server.url}/user/reports`);
  await page
    .getByRole("button", { name: /^View Service report/ })
    .first()
    .waitFor();
  expect(await page.getByRole("button", { name: /^View Retention certificate/ }).count()).toBe(2);
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page
    .getByRole("button", { name: /^View Retention certificate/ })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("link", { name: "Download" }).waitFor();
  expect(complaints).toEqual([]);
  await page.keyboard.press("Escape");
  await page.route("**/api/user/get-signed-url", (route) => route.abort());
  await page
    .getByRole("button", { name: /^View Service report/ })
    .first()
    .click();
  await page.getByRole("dialog").getByText(messages.pdfFailed).waitFor();
});

it("A partner and an administrator see all their customers, the worst first, and a customer's months", async () => {
  for (const [person, area] of [
    [partner, "partner"],
    [admin, "admin"],
  ] as const) {
    const { page, complaints, leave } = await openSignedIn(browser, server, person, phone);
    await page.goto(`${server.url}/${area}/dashboard`);
    await page
      .getByRole("region", { name: "How things stand" })
      .getByText(/contracted devices are watched/)
      .waitFor();
    const customers = page.getByRole("region", { name: "Customers, the worst watched first" });
    await customers.getByRole("link", { name: "Sample Textiles" }).locator("visible=true").waitFor();
    const open = page.getByRole("region", { name: "Open incidents" });
    const incident = open.getByRole("link", { name: /^I-\d{6} / }).first();
    await incident.waitFor();
    const names = await page.locator("main section").evaluateAll((parts) => parts.map((part) => part.ariaLabel));
    expect(names[0]).toBe("How things stand");
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    expect(complaints).toEqual([]);
    const ofIncidents = (url: URL) => url.pathname === `/api/${area}/incidents`;
    await page.route(ofIncidents, (route) => route.fulfill({ status: 404, json: { error: "No", code: "not_found" } }));
    await page.reload();
    await open.getByText("The incidents could not be loaded.").waitFor();
    await page.unroute(ofIncidents);
    const release = await holdBack(page, `**/api/${area}/incidents?*`);
    const asked = page.waitForRequest((request) => ofIncidents(new URL(request.url())));
    await open.getByRole("button", { name: "Try again" }).click();
    await asked;
    // The rest of the board stays meanwhile.
    expect(await customers.isVisible()).toBe(true);
    release();
    await incident.waitFor();
    await leave();
  }
  const { page, complaints } = await openSignedIn(browser, server, partner, phone);
  await page.goto(`${server.url}/partner/reports`);
  await page
    .getByRole("button", { name: /^View Service report .* of Sample Textiles/ })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("link", { name: "Download" }).waitFor();
  expect(complaints).toEqual([]);
});

it("A child of an organization that has nothing reads who asks for a quote, and is led to no empty list", async () => {
  const { page } = await openSignedIn(browser, server, await member(server, "userChild"));
  const main = page.getByRole("main");
  await page.goto(`${server.url}/user/dashboard`);
  await main.getByText("The person who answers for your organization asks for a quote.").waitFor();
  expect(await main.getByRole("link", { name: "Open my quotes" }).count()).toBe(0);
  await page.goto(`${server.url}/user/myquote`);
  await main.getByText("The person who answers for your organization asks for a quote.").waitFor();
  expect(await main.getByText(/Count your devices/).count()).toBe(0);
});
