import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { later } from "../../contract/durations.ts";
import { indiaCalendar } from "../../contract/india-time.ts";
import type { RateCardContent } from "../../contract/rates.ts";
import { rateCardDrafts, rateLimits } from "../../server/database/schema/index.ts";
import { leaveBrowser, openPage, openQuiet, sharedBrowser, whenQuiet } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import { findBarriers, findDialogBarriers, openSignedIn, jobScreen, shiftOf, wide } from "../portal-page.ts";
import { publishCard, withNewType, withType } from "../rate-card.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
let other: Member;
let adminChild: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin", { firstName: "Meera", lastName: "Iyer" });
  const ofProvider = { organisationId: admin.organisationId };
  other = await member(server, "admin", { ...ofProvider, firstName: "Rohan", lastName: "Das" });
  adminChild = await member(server, "adminChild", { ...ofProvider, firstName: "Anil", lastName: "Naik" });
  for (const organizationName of ["Chilika Salt", "Kaveri Textiles", "Deccan Foods"])
    await insertQuote(server, null, { organizationName });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  await server.services.database.delete(rateCardDrafts);
});

async function openCard(person: Member, screen = wide) {
  const opened = await openSignedIn(browser, server, person, screen);
  await opened.page.goto(`${server.url}/admin/rate-card`);
  await price(opened.page, "Firewall").waitFor();
  return opened;
}

const price = (page: Page, name: string) => page.getByRole("textbox", { name: `Price of ${name} a year` });
const named = (page: Page, name: string) => page.getByRole("textbox", { name: `Name of ${name}`, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const bar = (page: Page) => page.getByRole("region", { name: "Draft" });
const changed = (content: RateCardContent, ...changes: ReturnType<typeof withType>[]) =>
  changes.reduce((soFar, change) => change(soFar), content);
const rates = async () => (await server.call("admin/rates", {}, admin.token)).body;

/** The layout shift while `happens` runs. */
const shiftDuring = async (page: Page, happens: () => Promise<unknown>) => {
  const before = await shiftOf(page);
  await happens();
  await page.waitForTimeout(500);
  return (await shiftOf(page)) - before;
};

it("The estimator stands still when the catalogue of the card arrives", async () => {
  // Needs the card that the site was built with: the tests below publish others.
  expect((await rates()).inForce.number).toBe(1);
  const { page } = await openPage(browser);
  const waiting = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route("**/api/catalogue", async (route) => {
    asked.resolve();
    await waiting.promise;
    await route.continue();
  });
  const arrives = page.waitForResponse((answer) => answer.url().endsWith("/api/catalogue"));
  await page.goto(`${server.url}/estimator`);
  await asked.promise;
  await page.evaluate(() => document.fonts.ready);
  const shifted = await shiftDuring(page, () => {
    waiting.resolve();
    return arrives;
  });
  expect(shifted).toBe(0);
});

it("An administrator adds, renames, moves and retires types, sees what estimates would cost, and publishes", async () => {
  const { page, complaints } = await openCard(admin);
  await page.getByText("These are SAMPLE prices").waitFor();
  expect(await button(page, "Save draft").isDisabled()).toBe(true);

  await button(page, "Add a device type to Server").click();
  await named(page, "the new type").fill("Mainframe");
  await button(page, "Save draft").click();
  await page.getByText("Please enter a number").first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await price(page, "Mainframe").fill("120000");
  await named(page, "AWS").fill("Amazon Web Services");
  await button(page, "More for AWS").click();
  await page.getByRole("menuitem", { name: "Other" }).click();
  await page.getByText("Moved from Cloud").waitFor();
  await button(page, "More for VPN").click();
  await page.getByRole("menuitem", { name: "Retire" }).click();
  await price(page, "Prod Server").fill("20000.5");
  await page.getByRole("textbox", { name: "GST" }).fill("5");

  await page.getByText("Mainframe added to Server: ₹1,20,000.00 per device and year").waitFor();
  await page.getByText("VPN retired").waitFor();
  await page.getByRole("rowheader", { name: "GST 18%, then 5%" }).first().waitFor();
  expect(await page.getByRole("columnheader", { name: "This card" }).count()).toBe(3);
  expect(await findBarriers(page)).toEqual([]);
  // The card is several screens long: the save button stays visible at the top and at the end.
  for (const top of [0, 100_000]) {
    await page.evaluate((to) => scrollTo(0, to), top);
    expect(await bar(page).evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
  }
  await button(page, "Save draft").click();
  await bar(page)
    .getByText(/Draft, saved by .Meera Iyer/)
    .waitFor();
  await button(page, "Publish…").click();
  const dialog = page.getByRole("dialog", { name: "Publish the rate card" });
  await dialog.getByText("1 price changes, 1 type is new, 1 type is retired.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Card 2 is in force.").waitFor();
  await page.getByText(/Published by .Meera Iyer/).waitFor();
  expect(await page.getByText("These are SAMPLE prices").count()).toBe(0);
  const { inForce } = await rates();
  expect(inForce.content.groups.at(-1)?.types.map(({ name }) => name)).toContain("Amazon Web Services");
  await button(page, "Show card 1").click();
  await page.getByRole("dialog", { name: "Card 1" }).getByText("₹14,400.00").first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it("A price typed by the month counts twelve times, and a card for a later day can be withdrawn", async () => {
  const { page } = await openCard(admin, jobScreen);
  await page.getByText("By the month").click();
  await page.getByRole("textbox", { name: "Price of Router a month" }).fill("100.25");
  await page.getByText("₹1,203.00 a year").waitFor();
  await button(page, "Publish…").click();
  await page.getByRole("dialog").getByText("From a day").click();
  const tomorrow = indiaCalendar(later(new Date(), { days: 1 }))
    .toISOString()
    .slice(0, 10);
  await page.getByLabel("In force from").fill(tomorrow);
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page
    .getByText(/Card \d+ comes into force on/)
    .first()
    .waitFor();
  const { latest } = await rates();
  expect(latest).toMatchObject({ state: "coming" });
  expect(latest.content.groups.flatMap(({ types }) => types).find(({ name }) => name === "Router")?.yearly).toBe(
    "1203.00",
  );
  expect(await findBarriers(page)).toEqual([]);
  await button(page, `Withdraw card ${latest.number}`).click();
  await page.getByText(`Card ${latest.number} is withdrawn.`).waitFor();
  await button(page, "Discard draft").click();
  const question = page.getByRole("dialog", { name: "Discard the draft" });
  await button(page, "Cancel").click();
  await question.waitFor({ state: "hidden" });
  await bar(page).getByText("Draft, saved by").waitFor();
  await button(page, "Discard draft").press("Enter");
  expect(await findDialogBarriers(page)).toEqual([]);
  await question.getByRole("button", { name: "Discard draft" }).press("Enter");
  await page.getByText("The draft is discarded.").waitFor();
  // On a button that does nothing by then, so that a second Enter does no harm.
  await expect.poll(() => bar(page).locator("[aria-disabled='true']:focus").count()).toBe(1);
  await bar(page).getByText("As card").waitFor();
});

it("Who is overtaken by another administrator is told, and loses nothing typed nor anything of theirs", async () => {
  const { page } = await openCard(admin);
  await price(page, "Firewall").fill("43210.5");
  await price(page, "Hypervisor").fill("11111");
  await named(page, "Oracle").fill("Oracle Database");
  await page.getByRole("textbox", { name: "GST" }).fill("6");
  const { latest } = await rates();
  const content = changed(
    latest.content,
    withType("Hypervisor", { yearly: "999.00" }),
    withType("MySQL", { yearly: "888.00" }),
    withNewType("Databases", "Mongo", "777.00"),
  );
  const theirs = { id: latest.id, content: { ...content, gstPercent: 12 } };
  expect((await server.call("admin/rates/save-draft", theirs, other.token)).status).toBe(200);

  await button(page, "Save draft").click();
  await bar(page)
    .getByText(/Rohan Das. has saved the draft meanwhile\. What you typed is still here\./)
    .waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await button(page, "Bring in the changes, keep mine").click();
  await page.getByText("Meanwhile somebody else saved the yearly price ₹999.00").waitFor();
  await page.getByText("Meanwhile somebody else saved a GST of 12%").waitFor();
  expect(await page.getByRole("textbox", { name: "GST" }).inputValue()).toBe("6%");
  expect(await findBarriers(page)).toEqual([]);
  await button(page, "Save draft").click();
  await bar(page)
    .getByText(/Draft, saved by .Meera Iyer/)
    .waitFor();
  const { draft } = await rates();
  const yearly = new Map(
    draft?.content.groups.flatMap(({ types }) => types.map((type) => [type.name, type.yearly] as const)),
  );
  expect(["Firewall", "Hypervisor", "MySQL", "Mongo"].map((name) => yearly.get(name))).toEqual([
    "43210.50",
    "11111.00",
    "888.00",
    "777.00",
  ]);
  expect(yearly.has("Oracle Database")).toBe(true);

  page.on("dialog", (dialog) => void dialog.dismiss());
  await price(page, "Firewall").fill("1");
  await page.getByRole("link", { name: "My User" }).click();
  expect(await price(page, "Firewall").inputValue()).toBe("₹1.00");
});

it("A child administrator finds the card in the menu and reads it", async () => {
  const { page, complaints } = await openSignedIn(browser, server, adminChild, wide);
  await page.goto(`${server.url}/admin/dashboard`);
  await page.getByRole("link", { name: "Rate card" }).click();
  await price(page, "Firewall").waitFor();
  expect(await price(page, "Firewall").getAttribute("readonly")).not.toBeNull();
  expect(await page.getByRole("button", { name: /^(Save draft|Publish…|More for|Add a|Withdraw)/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

const openEstimator = async (page: Page) => {
  const catalogue = page.waitForResponse((answer) => answer.url().endsWith("/api/catalogue"));
  await openQuiet(page, `${server.url}/estimator`);
  await catalogue;
};

it("The estimator sells a new type, shows a renamed one by its new name, and tells of one that is retired, before or while it is counted", async () => {
  const { page, complaints } = await openPage(browser);
  await publishCard(server, admin, withType("NDR", { retired: false }));
  await openEstimator(page);
  await page.getByRole("button", { name: "Network & Security Solutions" }).click();
  await page.getByRole("spinbutton", { name: "NDR", exact: true }).fill("3");
  // The counted devices are priced before the next card is published.
  await whenQuiet(page, async () => {
    await page.getByRole("spinbutton", { name: "PAM", exact: true }).fill("2");
    await button(page, "Remove PAM").waitFor();
    await page.getByText("Total a year").waitFor();
  });
  await publishCard(server, admin, (content) =>
    changed(
      content,
      withType("NDR", { retired: true }),
      withType("PAM", { name: "Privileged access" }),
      withType("NBAD", { retired: false }),
      withNewType("Server", "Blade"),
    ),
  );
  await openEstimator(page);
  await page.getByText("No longer offered").waitFor();
  await page.getByText("NDR (3)").waitFor();
  await button(page, "Remove Privileged access").waitFor();
  await page.getByText("Total a year").waitFor();
  await page.getByRole("spinbutton", { name: "Blade", exact: true }).fill("1");
  await page.getByText("₹1,92,000.00").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await button(page, "Remove from my selection").click();
  await page.getByText("No longer offered").waitFor({ state: "hidden" });
  expect(complaints).toEqual([]);

  // Retires a type while its devices are being entered.
  await page.getByRole("button", { name: "Network & Security Solutions" }).click();
  const nbad = page.getByRole("spinbutton", { name: "NBAD", exact: true });
  await nbad.waitFor();
  await publishCard(server, admin, withType("NBAD", { retired: true }));
  await nbad.fill("4");
  await page.getByText("NBAD (4)").waitFor();
  expect(await nbad.count()).toBe(0);
});
