import type { Browser, Page } from "playwright-core";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import { findBarriersAtBothWidths, openSignedIn, phone, wide } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let analyst: Member;
let partner: Member;
let customer: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), launchBrowser()]);
  analyst = await member(server, "adminChild", { organizationName: "Provider", firstName: "Nila", lastName: "Das" });
  partner = await member(server, "partner");
  customer = await member(server, "user", { partnerId: partner.organisationId, organizationName: "Kaveri Mills" });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

it("A customer under attack opens a P1 on a phone, an analyst works it, and both read how it stands", async () => {
  const { page, complaints } = await openSignedIn(browser, server, customer, phone);
  await page.goto(`${server.url}/user/dashboard`);
  await page.getByRole("link", { name: "We are under attack" }).click();
  await page.getByRole("heading", { name: "We are under attack" }).waitFor();
  expect(await page.locator('a[href^="tel:"]').first().isVisible()).toBe(true);
  await page.getByText("Nobody is named yet").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.getByLabel("What happens").fill("Files are being encrypted");
  await page.getByLabel("Since when").fill("Ten minutes ago");
  await page.getByRole("textbox", { name: "Whom we call" }).fill("Asha, 98765 43210");
  await page.getByRole("button", { name: "Report it and call everybody" }).dblclick();
  await page.getByRole("heading", { name: /^I-\d{6} is open as a P1$/ }).waitFor();
  await page.getByText("The mail is on its way").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);

  const ours = await openSignedIn(browser, server, analyst, wide);
  await ours.page.goto(`${server.url}/admin/incidents`);
  await ours.page.getByText("P1, critical").locator("visible=true").first().waitFor();
  expect(
    await ours.page
      .getByRole("link", { name: /^I-\d{6}$/ })
      .locator("visible=true")
      .count(),
  ).toBe(1);
  expect(await findBarriersAtBothWidths(ours.page)).toEqual([]);
  await ours.page
    .getByRole("link", { name: /^I-\d{6}$/ })
    .locator("visible=true")
    .click();
  await ours.page.getByRole("button", { name: "Asha Rao: Reached by telephone" }).click();
  await ours.page.getByText("Reached by telephone", { exact: true }).waitFor();
  const tell = async (button: string, fill: (dialog: ReturnType<typeof ours.page.getByRole>) => Promise<void>) => {
    await ours.page.getByRole("button", { name: button, exact: true }).click();
    const dialog = ours.page.getByRole("dialog");
    await dialog.getByLabel("When it happened").waitFor();
    await fill(dialog);
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  };
  await tell("Acknowledge", async () => {});
  await ours.page.getByText("Kept", { exact: true }).waitFor();
  await tell("Ask the customer", async (dialog) => {
    await dialog.getByLabel("What the customer is to do or to say").fill("May we cut the file server off?");
    await dialog.getByLabel("For whom it waits").selectOption("customer");
    await dialog.getByLabel("Why nobody of ours can go on meanwhile").fill("Only they may stop production");
    expect(await findBarriersAtBothWidths(ours.page)).toEqual([]);
  });
  await ours.page.getByText("No answer yet").waitFor();
  expect(await findBarriersAtBothWidths(ours.page)).toEqual([]);

  await page.goto(`${server.url}/user/incidents`);
  await page.locator("td").getByText("Asked of you").waitFor();
  await page.goBack();
  await page.getByRole("link", { name: /^Open its room/ }).click();
  await page.getByText("May we cut the file server off?").first().waitFor();
  await page.getByText("Paused").first().waitFor();
  await page.getByText("Waiting for you").first().waitFor();
  expect(await page.getByText("Waiting for the customer").count()).toBe(0);
  expect(await partsOf(page)).toEqual(["Asked of you", "Promises"]);
  await page.emulateMedia({ media: "print" });
  expect(await page.getByText("P1, critical").first().isVisible()).toBe(true);
  expect(await page.getByLabel("Your answer").isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await page.getByLabel("Your answer").fill("Yes, at once");
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.getByRole("button", { name: "Answer" }).click();
  await page.getByText("Yes, at once").first().waitFor();
  const file = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("The ransom note") };
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByText("note.txt").waitFor();
  expect([...complaints, ...ours.complaints]).toEqual([]);
});

/** The first two parts of a screen, by their names. */
const partsOf = (page: Page) =>
  page.locator("main section").evaluateAll((parts) => parts.slice(0, 2).map((part) => part.getAttribute("aria-label")));

it("A partner reads its customer's incidents, and a main administrator publishes service levels", async () => {
  const opened = { id: randomUUID(), email: customer.email, title: "A stranger signed in", severity: "P2" as const };
  await server.call("admin/incidents/open", opened, analyst.token);
  const { page, complaints } = await openSignedIn(browser, server, partner, phone);
  await page.goto(`${server.url}/partner/incidents`);
  await page.getByText("A stranger signed in").locator("visible=true").first().waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.goto(`${server.url}/partner/incidents/${opened.id}`);
  await page.getByLabel("Comment").fill("We know these people");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("We know these people").first().waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.goto(`${server.url}/partner/incidents?show=findings`);
  await page.getByRole("heading", { level: 1, name: "What became of every alert" }).waitFor();
  await page.goto(`${server.url}/partner/incidents?show=findings&customer=${encodeURIComponent(customer.email)}`);
  await page.getByText("0 received = 0 suppressed").waitFor();
  const day = page.getByLabel("Day", { exact: true });
  await day.fill("2026-01-05");
  expect(await day.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await findBarriersAtBothWidths(page)).toEqual([]);

  const admin = await member(server, "admin", { organisationId: analyst.organisationId });
  const ours = await openSignedIn(browser, server, admin, phone);
  await ours.page.goto(`${server.url}/admin/service-levels`);
  await ours.page.getByText("SAMPLE: these limits").waitFor();
  await ours.page.getByLabel("Acknowledge, minutes").first().fill("10");
  expect(await findBarriersAtBothWidths(ours.page)).toEqual([]);
  await ours.page.getByRole("button", { name: "Publish" }).click();
  await ours.page.getByRole("heading", { name: "Version 1" }).waitFor();
  await ours.page.getByRole("cell", { name: "10 min" }).waitFor();
  expect(await ours.page.getByText("SAMPLE: these limits").count()).toBe(0);
  expect([...complaints, ...ours.complaints]).toEqual([]);
});
