import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { giveBilling, letterOfSeller, sellerIs } from "../billing.ts";
import {
  beginByKeys,
  holdBack,
  leaveBrowser,
  openPage,
  openQuiet,
  sharedBrowser,
  type WatchedPage,
} from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { member } from "../people.ts";
import { openSignedIn, phone, showsItsWords, sidewaysPixels } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const devices = (page: Page, name: string) => page.getByRole("spinbutton", { name, exact: true });
const send = (page: Page) => page.getByRole("button", { name: "Send my estimate" });

const totalInBar = (page: Page) => page.getByRole("link", { name: "Review" }).locator("xpath=preceding-sibling::*[1]");
/** The text beside a name in the price panel. */
const lineOf = (page: Page, name: string | RegExp) =>
  page
    .getByRole("region", { name: "Selected devices" })
    .getByText(name, { exact: true })
    .locator("xpath=following-sibling::*[1]");
const linesOf = (text: Locator) =>
  text.evaluate((element) => Math.round(element.clientHeight / parseFloat(getComputedStyle(element).lineHeight)));
const paiseOf = async (amount: Locator) =>
  Number((await amount.innerText()).replace("−", "-").replaceAll(/[₹,.]/g, ""));

async function fillForm(page: Page): Promise<void> {
  await devices(page, "Prod Server").fill("3");
  for (const [name, text] of [
    ["Name", "Asha Rao"],
    ["Email", "asha@example.in"],
    ["Organization name", "Kaveri Textiles"],
    ["Phone number", "9876543210"],
    ["Number of users", "12"],
    ["Message", "Two plants."],
  ] as const)
    await field(page, name).fill(text);
  // Uses a locator, because a set-up hook may not poll.
  await send(page).and(page.locator(":enabled")).waitFor();
}

describe("On one page, filled in once and left without devices by each test,", () => {
  let opened: WatchedPage;
  beforeAll(async () => {
    opened = await openPage(browser);
    await openQuiet(opened.page, `${server.url}/estimator`);
    await send(opened.page).and(opened.page.locator(":disabled")).waitFor();
    await fillForm(opened.page);
    await devices(opened.page, "Prod Server").fill("0");
  });
  afterAll(() => opened?.leave());

  it.each([
    ["Number of users", "abc", "Please enter a number"],
    ["Number of users", "0", "Please enter a number of 1 or more"],
    ["Number of users", "-4", "Please enter a number of 1 or more"],
    ["Number of users", "1000001", "Please enter a number of 10,00,000 or less"],
    ["Email", "bad", messages.emailInvalid],
    ["Phone number", "987", messages.phoneExample],
    ["Name", "  ", messages.requiredFields],
  ])(
    "The quote form holds back while %s is %j, says so once the field is left, and goes on when it is right",
    async (name, bad, fault) => {
      const { page, complaints } = opened;
      expect(await send(page).isDisabled()).toBe(true);
      await devices(page, "Prod Server").fill("3");
      await expect.poll(() => send(page).isEnabled()).toBe(true);
      const right = await field(page, name).inputValue();
      await field(page, name).fill(bad);
      await expect.poll(() => send(page).isDisabled()).toBe(true);
      await page.getByText(messages.fillToEnable).waitFor();
      expect(await page.getByText(fault, { exact: true }).count()).toBe(0);
      await field(page, name).blur();
      await page.getByText(fault, { exact: true }).waitFor();
      await field(page, name).fill(right);
      await page.getByText(fault, { exact: true }).waitFor({ state: "hidden" });
      expect(await send(page).isEnabled()).toBe(true);
      await devices(page, "Prod Server").fill("0");
      expect(await send(page).isDisabled()).toBe(true);
      expect(complaints).toEqual([]);
    },
  );

  it("The devices show what one costs beside its slider", async () => {
    const { page } = opened;
    await page
      .getByText(/^₹[\d,]+ a year per device$/)
      .first()
      .waitFor();
    expect(await page.getByText("Sample rates: they are for demonstration").count()).toBe(1);
  });

  it("Devices added by hand are taken out again by a number of 0, whatever the case of their name", async () => {
    const { page } = opened;
    await page.getByRole("button", { name: "Custom Devices" }).click();
    const add = async (name: string, number: string) => {
      await page.getByLabel("Device type").fill(name);
      await devices(page, "Number of devices").fill(number);
      await page.getByRole("button", { name: "Add", exact: true }).click();
    };
    await add("SCADA gateway", "0");
    const number = devices(page, "Number of devices");
    await expect.poll(() => number.evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await number.getAttribute("aria-invalid")).toBe("true");
    const told = page.locator(`[id="${await number.getAttribute("aria-describedby")}"]`);
    expect(await told.textContent()).toBe("Please choose a number of 1 or more.");
    expect(await page.getByLabel("Device type").getAttribute("aria-invalid")).not.toBe("true");
    await add("SCADA gateway", "4");
    const remove = page.getByRole("button", { name: "Remove SCADA gateway" });
    await remove.waitFor();
    await add("scada GATEWAY ", "0");
    await expect.poll(() => remove.count()).toBe(0);
  });

  it("A device that is taken out by keyboard leaves the focus to the next one, and the last one to the heading", async () => {
    const { page } = opened;
    for (const name of ["Prod Server", "Hypervisor"]) await devices(page, name).fill("2");
    const focused = () => page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
    await beginByKeys(page);
    await page.getByRole("button", { name: "Remove Prod Server" }).press("Enter");
    await expect.poll(focused).toBe("Remove Hypervisor");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("Selected devices");
  });

  it("The devices selected are all in the table, or it says how many more there are; they stay after sending until cleared", async () => {
    const { page, complaints } = opened;
    await page.getByRole("button", { name: "Databases" }).click();
    for (const name of ["Prod Server", "Non-Prod Server", "Hypervisor", "Web Servers", "Email Servers"])
      await devices(page, name).fill("2");
    for (const name of ["Oracle", "MySQL", "MSSQL"]) await devices(page, name).fill("1");
    const rows = page.getByRole("table", { name: "Selected devices" }).getByRole("row");
    expect(await rows.count()).toBe(1 + 6);
    await page.getByRole("button", { name: "Show 2 more" }).click();
    expect(await rows.count()).toBe(1 + 8);
    await fillForm(page);
    await field(page, "Name").evaluate((box) => box.scrollIntoView({ block: "end" }));
    await field(page, "Name").press("Enter");
    const sent = page.getByRole("heading", { name: /^Your estimate has the number Q-\d{6}$/ });
    await sent.waitFor();
    // What comes next is in sight below it, and the toast above it.
    await expect.poll(async () => (await sent.boundingBox())?.y).toBeLessThan(200);
    const toast = await page.locator("[data-sonner-toast][data-mounted=true]").boundingBox();
    expect((await sent.boundingBox())?.y).toBeGreaterThanOrEqual((toast?.y ?? 900) + (toast?.height ?? 0));
    expect(await rows.count()).toBe(1 + 8);
    await page.getByRole("button", { name: "Clear the devices" }).click();
    await page.getByText("Nothing selected yet.").waitFor();
    expect(await field(page, "Name").inputValue()).toBe("");
    expect(complaints).toEqual([]);
  });

  describe("The quote form", () => {
    it("that was sent tells its number, also where the script of the answer can't be had, and says so", async () => {
      const { page } = await openPage(browser);
      await openQuiet(page, `${server.url}/estimator`);
      await fillForm(page);
      await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
      await send(page).click();
      await page.getByText(/^Your estimate has the number Q-\d{6}\. Its proposal comes by e-mail/).waitFor();
      await page.getByRole("alert").getByText("Please reload the page and try again.").waitFor();
      await page.unrouteAll();
      await page.reload();
      await expect.poll(() => devices(page, "Prod Server").inputValue()).toBe("3");
    });

    it("keeps what was typed before the page's script came", async () => {
      const { page } = await openPage(browser);
      const go = await holdBack(page, "**/assets/*.js");
      await page.goto(`${server.url}/estimator`, { waitUntil: "commit" });
      await devices(page, "Prod Server").fill("20");
      await field(page, "Name").fill("Asha Rao");
      await field(page, "Phone number").fill("9876543210");
      await field(page, "Message").fill("Two plants.");
      await field(page, "Name").press("Enter");
      go();
      await page.getByRole("table", { name: "Selected devices" }).getByRole("cell", { name: "20" }).waitFor();
      await field(page, "Email").fill("asha@example.in");
      await field(page, "Organization name").fill("Kaveri Textiles");
      await field(page, "Number of users").fill("12");
      await expect.poll(() => send(page).isEnabled()).toBe(true);
      expect(await field(page, "Name").inputValue()).toBe("Asha Rao");
      expect(page.url()).toBe(`${server.url}/estimator`);
    });

    it("tells a customer whose profile can't be loaded, and offers to try again", async () => {
      const { page } = await openSignedIn(browser, server, await member(server, "user"));
      await page.route("**/api/user/me", (route) => route.abort());
      await page.goto(`${server.url}/user/estimator`);
      await page.getByRole("alert").getByText(messages.profileFailed).waitFor();
      await page.unroute("**/api/user/me");
      await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => field(page, "Name").inputValue()).toBe("Asha Rao");
    });
  });

  describe("On one page of a phone, whose sums are rounded to the rupee,", () => {
    let opened: WatchedPage;
    beforeAll(async () => {
      await sellerIs(server, { roundToRupee: true });
      opened = await openPage(browser, phone);
      await openQuiet(opened.page, `${server.url}/estimator`);
    });
    afterAll(async () => {
      await sellerIs(server, {});
      await opened?.leave();
    });

    it("The message's field has room for three lines, and grows with its text to eight", async () => {
      const { page } = opened;
      const message = field(page, "Message");
      const heights: number[] = [];
      for (const lines of [1, 3, 6, 8, 30]) {
        await message.fill(Array.from({ length: lines }, (_, line) => `Plant ${line}`).join("\n"));
        heights.push((await message.boundingBox())?.height ?? 0);
      }
      const [one = 0, three = 0, six = 0, eight = 0, thirty = 0] = heights;
      expect(three).toBeCloseTo(one, 0);
      expect((eight - six) / 2).toBeCloseTo((six - three) / 3, 0);
      expect(six - three).toBeGreaterThan(60);
      expect(thirty).toBeCloseTo(eight, 0);
    });

    it("The devices come to the total that is said twice, less what it is rounded by", async () => {
      const { page } = opened;
      await devices(page, "Prod Server").fill("101");
      await lineOf(page, "Round-off").waitFor();
      const total = await paiseOf(lineOf(page, "Total a year"));
      let sum = 0;
      for (const name of ["Devices", /^Volume discount/, /^GST/, "Round-off"]) sum += await paiseOf(lineOf(page, name));
      expect(sum).toBe(total);
      expect(total % 100).toBe(0);
      expect(await paiseOf(totalInBar(page))).toBe(total);
    });

    it("The way from the total to the devices stays uncovered once a field is left", async () => {
      const { page } = opened;
      const review = page.getByRole("link", { name: "Review" });
      await devices(page, "Prod Server").fill("101");
      for (const field of [devices(page, "Prod Server"), page.getByRole("slider").first()]) {
        await field.focus();
        await review.click({ trial: true });
      }
      await page.getByRole("slider").first().blur();
      await review.click({ trial: true });
      expect(await page.getByRole("navigation", { name: "Quick actions" }).isVisible()).toBe(false);
      await devices(page, "Prod Server").fill("0");
      await devices(page, "Prod Server").blur();
      await page.getByRole("navigation", { name: "Quick actions" }).waitFor();
    });

    it("The devices are totalled above the phone's lower edge in one line and with the whole way to them, in letters twice as large too, but not on paper", async () => {
      const { page } = opened;
      await page.addStyleTag({ content: "html { font-size: 200% }" });
      await devices(page, "Prod Server").fill("500");
      const review = page.getByRole("link", { name: "Review" });
      const total = totalInBar(page);
      await expect.poll(() => total.textContent()).toMatch(/^₹[\d,]+\.\d\d$/);
      expect(await linesOf(total)).toBe(1);
      expect(await showsItsWords(review)).toBe(true);
      for (const name of ["Devices", /^Volume discount/, /^GST/, "Total a year"])
        expect(await linesOf(lineOf(page, name)), String(name)).toBe(1);
      expect(await sidewaysPixels(page)).toBe(0);
      await page.emulateMedia({ media: "print" });
      expect(await review.isVisible()).toBe(false);
    });
  });

  describe("The devices", () => {
    it("come to the total of who looks, who may be charged no tax", async () => {
      await sellerIs(server, { undertaking: letterOfSeller });
      const buyer = await member(server, "user");
      await giveBilling(server, buyer.email, {
        billingKind: "abroad",
        billingCountry: "AE",
        billingState: null,
        pinCode: null,
      });
      const { page } = await openSignedIn(browser, server, buyer, phone);
      await openQuiet(page, `${server.url}/user/estimator`);
      await devices(page, "Prod Server").fill("3");
      await page.getByText("No GST: a supply outside India").waitFor();
      const total = await paiseOf(lineOf(page, "Total a year"));
      expect(total).toBe(await paiseOf(lineOf(page, "Devices")));
      expect(await paiseOf(totalInBar(page))).toBe(total);
      await sellerIs(server, {});
    });
  });
});
