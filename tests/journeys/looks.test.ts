import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sellerIs } from "../billing.ts";
import { leaveBrowser, openQuiet, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertQuote } from "../paid-order.ts";
import { type Member, member } from "../people.ts";
import {
  cutButtons,
  follow,
  openSignedIn,
  phone,
  sheetOverflow,
  sidewaysPixels,
  spillsOf,
  wide,
} from "../portal-page.ts";
import { bankOfTests, bankStatement, newUtr, transferBuyer, today } from "../transfers.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
let customer: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin");
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
  const deducting = await transferBuyer(server);
  customer = deducting.person;
  const { body } = await deducting.choose({ deducts: { section: "194J", percent: 10 } });
  // More than is due: leaves an invoice with a certificate to come, and a credit.
  const came = { utr: newUtr(), received_on: today(server), payer: "Periyar", amount: "99999.00", pays: body.document };
  await server.call("admin/transfers/record", came, admin.token);
  const open = await insertQuote(server, customer, { totalPaise: 33_98_541_60 });
  const { estimation } = (await server.call("user/get-estimation", {}, customer.token)).body;
  const amount = estimation.find(({ id }) => id === open.id)?.total_cost ?? "";
  await deducting.choose({ quote_id: open.id, amount });
  await insertQuote(server, customer, { totalPaise: 33_98_541_60 });
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const narrow = { viewport: { width: 360, height: 740 } };

it.each(["light", "dark"] as const)(
  "Which choice is chosen is seen in the %s scheme, and nothing moves when it changes",
  async (colorScheme) => {
    const { page } = await openSignedIn(browser, server, admin, { ...wide, colorScheme });
    await openQuiet(page, `${server.url}/admin/actions`);
    const shown = page.getByRole("group", { name: "Show" });
    const [open, done] = [shown.getByRole("button", { name: "Open" }), shown.getByRole("button", { name: "Done" })];
    const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(contrast(await edgeOf(open), canvas)).toBeGreaterThanOrEqual(3);
    expect(contrast(await edgeOf(done), canvas)).toBeLessThan(3);
    const places = async () => [await open.boundingBox(), await done.boundingBox()];
    const before = await places();
    await done.click();
    await page.locator("[aria-pressed=true]", { hasText: "Done" }).waitFor();
    expect(await places()).toEqual(before);
    expect(contrast(await edgeOf(done), canvas)).toBeGreaterThanOrEqual(3);
  },
);

it("Where the system chooses the colours, the chosen button and the page that is shown stand out", async () => {
  const { page } = await openSignedIn(browser, server, admin, { ...wide, forcedColors: "active" });
  await openQuiet(page, `${server.url}/admin/actions`);
  const shown = page.getByRole("group", { name: "Show" });
  const navigation = page.getByRole("navigation", { name: "Area" });
  const link = (name: string) => navigation.getByRole("link", { name });
  for (const [chosen, other] of [
    [shown.getByRole("button", { name: "Open" }), shown.getByRole("button", { name: "Done" })],
    [link("Actions"), link("Manage Customer")],
  ] as const)
    expect(contrast(await groundOf(chosen), await groundOf(other))).toBeGreaterThanOrEqual(3);
});

it("With letters twice as large the screens of money and the dashboards fit on a narrow phone, whoever made them larger", async () => {
  for (const isBrowsers of [false, true]) {
    for (const [who, paths] of [
      [customer, ["user/payments-due", "user/myquote", "user/dashboard"]],
      [admin, ["admin/receivables", "admin/actions", "admin/dashboard"]],
    ] as const) {
      const { page, leave } = await openSignedIn(browser, server, who, narrow);
      const settings = await page.context().newCDPSession(page);
      if (isBrowsers) await settings.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
      for (const path of paths) {
        await openQuiet(page, `${server.url}/${path}`);
        // Enlarges the page's own root size, which media queries of the width do not react to.
        if (!isBrowsers) await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
        for (const width of [360, 390]) {
          await page.setViewportSize({ width, height: 740 });
          expect
            .soft([path, isBrowsers, width, await sidewaysPixels(page), await cutButtons(page), await beyondEdge(page)])
            .toEqual([path, isBrowsers, width, 0, [], []]);
        }
      }
      await settings.send("Page.setFontSizes", { fontSizes: { standard: 16 } });
      await leave();
    }
  }
});

it("With letters twice as large the sum of a proposal stays in one piece", async () => {
  const { page } = await openSignedIn(browser, server, customer, narrow);
  await openQuiet(page, `${server.url}/user/myquote`);
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  await page
    .getByRole("button", { name: /^Accept or decline/ })
    .first()
    .click();
  const sum = page.getByRole("dialog").getByText(/^₹/).first();
  await sum.waitFor();
  expect(await linesOf(sum)).toBe(1);
});

it("A dialog is printed alone, in dark letters on white, without what can only be pressed", async () => {
  const { page } = await openSignedIn(browser, server, admin, { ...wide, colorScheme: "dark" });
  await openQuiet(page, `${server.url}/admin/receivables`);
  await page.getByRole("button", { name: "Record transfer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Who paid").fill("Periyar");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await page.getByRole("heading", { level: 1, includeHidden: true }).isVisible()).toBe(false);
  expect(await page.locator(".mantine-Modal-overlay").isVisible()).toBe(false);
  for (const button of await dialog.getByRole("button", { includeHidden: true }).all())
    expect(await button.isVisible()).toBe(false);
  const field = dialog.getByLabel("Who paid");
  expect(await field.isVisible()).toBe(true);
  expect(await page.evaluate(() => document.documentElement.dataset["mantineColorScheme"])).toBe("light");
  for (const part of [field, dialog.getByRole("heading").first()])
    expect(contrast(await colourOf(part), "rgb(255, 255, 255)")).toBeGreaterThan(7);
  expect(await field.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe("rgb(255, 255, 255)");
  expect((await dialog.boundingBox())?.y).toBe(0);
});

it("Paper has neither the scrim of what is open nor what a toast says", async () => {
  const { page } = await openSignedIn(browser, server, admin);
  const scrim = page.locator(".mantine-Drawer-overlay");
  const onPaper = async (part: Locator) => {
    await part.waitFor();
    await page.emulateMedia({ media: "print" });
    const isThere = await part.isVisible();
    await page.emulateMedia({ media: "screen" });
    return isThere;
  };
  await openQuiet(page, `${server.url}/admin/customerList?open=${encodeURIComponent(customer.email)}`);
  expect.soft(await onPaper(scrim)).toBe(false);
  await openQuiet(page, `${server.url}/admin/account-settings?show=mails`);
  await page.getByRole("switch").first().click();
  expect.soft(await onPaper(page.locator("[data-sonner-toast]").first())).toBe(false);
  await page.getByRole("button", { name: /^Notices/ }).click();
  expect.soft(await onPaper(scrim)).toBe(false);
  expect.soft(await onPaper(page.getByRole("dialog", { name: "Notices" }))).toBe(false);
});

it("Payments due are printed without the fields of the statement of account", async () => {
  const { page } = await openSignedIn(browser, server, customer, { ...wide, colorScheme: "dark" });
  await openQuiet(page, `${server.url}/user/payments-due`);
  await page.getByLabel("From", { exact: true }).waitFor();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await page.getByText("What is open").isVisible()).toBe(true);
  for (const hidden of [page.getByText("Statement of account"), page.getByLabel("From", { exact: true })])
    expect(await hidden.isVisible()).toBe(false);
});

it("A long word in a name narrows its column before it cuts what can be done", async () => {
  const word = "Bharatiyavidyututpadananigamaprivatelimitedsouthernregion";
  const organizationName = `${word} Nigam of Roads and Bridges and of the Substations of the Malabar Coast`.slice(
    0,
    119,
  );
  const user = await member(server, "user", { organizationName });
  await insertQuote(server, user, { organizationName, totalPaise: 33_98_541_60, message: "Rolling mills. ".repeat(9) });
  const { page } = await openSignedIn(browser, server, user, { viewport: { width: 1024, height: 900 } });
  await openQuiet(page, `${server.url}/user/myquote`);
  for (const width of [800, 1024, 1152, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft([width, await sheetOverflow(page), await spillsOf(page)]).toEqual([width, 0, []]);
  }
});

it("What can be done about a receivable stands on one line at 1024 pixels, and its order's link under the figure", async () => {
  const { page } = await openSignedIn(browser, server, admin, { viewport: { width: 1024, height: 900 } });
  await openQuiet(page, `${server.url}/admin/receivables`);
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const label of await page.locator("td .mantine-Button-label").all()) expect.soft(await linesOf(label)).toBe(1);
    expect.soft([await sheetOverflow(page), await spillsOf(page)]).toEqual([0, []]);
    const link = page.getByRole("button", { name: /^Order of/ }).first();
    const cell = link.locator("xpath=..");
    const [at, within] = [await link.boundingBox(), await cell.boundingBox()];
    expect.soft(Math.round((at?.x ?? 0) + (at?.width ?? 0))).toBe(Math.round((within?.x ?? 0) + (within?.width ?? 0)));
  }
});

it("What a toast says leaves what the screen offers at its top in sight", async () => {
  const { page } = await openSignedIn(browser, server, admin);
  await openQuiet(page, `${server.url}/admin/receivables`);
  const button = page.getByRole("button", { name: "Record transfer" });
  await button.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Bank reference (UTR)").fill(newUtr());
  await dialog.getByLabel("Amount in rupees").fill("118");
  await dialog.getByLabel("Who paid").fill("Periyar");
  await dialog.getByRole("button", { name: "Record" }).click();
  const toast = page.locator("[data-sonner-toast][data-mounted=true]");
  await toast.waitFor();
  await dialog.waitFor({ state: "hidden" });
  for (const covered of [button, page.getByRole("button", { name: "Bank statement" })])
    expect(meet(await toast.boundingBox(), await covered.boundingBox())).toBe(false);
  // On other lists that of the export stands as high.
  const { y = 0, height = 0 } = (await toast.boundingBox()) ?? {};
  await follow(page, "/admin/customerList", "/admin/customerList");
  const exporting = await page.getByRole("button", { name: "Export CSV" }).boundingBox();
  expect(y + height).toBeLessThanOrEqual(exporting?.y ?? 0);
});

it("What a toast says leaves the title of an open panel or dialog in sight, and the button beside the screen's own", async () => {
  const { page } = await openSignedIn(browser, server, admin);
  await openQuiet(page, `${server.url}/admin/estimateOrder`);
  const toast = page.locator("[data-sonner-toast][data-mounted=true][data-front=true]");
  const panel = page.getByRole("dialog");
  await page.getByRole("button", { name: "Open", exact: false }).first().click();
  const title = panel.getByRole("heading", { level: 2 }).first();
  for (const { viewport } of [phone, wide]) {
    await page.setViewportSize(viewport);
    await panel.getByLabel("Note", { exact: true }).fill("Called.");
    await panel.getByRole("button", { name: "Add note" }).click();
    // Under the pointer it stays as long as the machine takes.
    await toast.hover();
    expect(meet(await toast.boundingBox(), await title.boundingBox()), String(viewport.width)).toBe(false);
    await toast.getByRole("button").click();
    await toast.waitFor({ state: "detached" });
  }
  await page.setViewportSize({ width: 768, height: 900 });
  await panel.getByLabel("Note", { exact: true }).fill("Called again.");
  await panel.getByRole("button", { name: "Add note" }).click();
  await toast.hover();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "hidden" });
  await follow(page, "/admin/incidents", "/admin/incidents");
  const open = page.getByRole("button", { name: "Open an incident" });
  await open.waitFor();
  expect(meet(await toast.boundingBox(), await open.boundingBox())).toBe(false);
  await toast.getByRole("button").click();
  await page.setViewportSize(wide.viewport);
  await follow(page, "/admin/rate-card", "/admin/rate-card");
  await page.getByLabel("Price of Prod Server a year").fill("15600");
  await page.getByRole("button", { name: "Save draft" }).click();
  await toast.getByText("The draft is saved.").hover();
  await page.getByRole("button", { name: "Publish…" }).press("Enter");
  const asks = page.getByRole("heading", { name: "Publish the rate card" });
  await asks.waitFor();
  expect(meet(await toast.boundingBox(), await asks.boundingBox())).toBe(false);
  await page.setViewportSize({ width: 768, height: 900 });
  await toast.hover();
  const close = page.getByRole("dialog").getByRole("button", { name: "Close" });
  expect(meet(await toast.boundingBox(), await close.boundingBox())).toBe(false);
});

it("A statement's preview says which sum is that of its new transfers", async () => {
  const { page } = await openSignedIn(browser, server, admin);
  await openQuiet(page, `${server.url}/admin/receivables`);
  const known = newUtr();
  const came = { utr: known, received_on: today(server), payer: "Periyar", amount: "100.00", pays: null };
  await server.call("admin/transfers/record", came, admin.token);
  await page.getByRole("button", { name: "Bank statement" }).click();
  const rows = [
    { utr: known, credit: "100.00" },
    { utr: newUtr(), credit: "118.00" },
    { utr: newUtr(), credit: "200.00" },
  ];
  await page.locator("input[type=file]").setInputFiles({
    name: "statement.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(bankStatement(rows), "base64"),
  });
  const says = page.getByRole("dialog").getByText(/new transfer/);
  await says.waitFor();
  expect(await says.textContent()).toBe(
    "2 new transfers of ₹318.00 in all. None says what it pays. 1 is here already.",
  );
});

it("A statement that was corrected is read again when it is chosen again under its name", async ({
  onTestFinished,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "prahari-statement-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "statement.csv");
  const { page } = await openSignedIn(browser, server, admin);
  await openQuiet(page, `${server.url}/admin/receivables`);
  await page.getByRole("button", { name: "Bank statement" }).click();
  const dialog = page.getByRole("dialog");
  for (const [credit, says] of [
    ["1o0", "Nothing can be imported until the file is correct."],
    ["100.00", "1 new transfer of ₹100.00."],
  ] as const) {
    writeFileSync(file, Buffer.from(bankStatement([{ utr: newUtr(), credit }]), "base64"));
    await dialog.locator("input[type=file]").setInputFiles(file);
    await dialog.getByText(says).waitFor();
  }
  expect(await dialog.getByRole("button", { name: "Import" }).isEnabled()).toBe(true);
});

/** The visible colour of the border around an element; without a border, that of the page. */
const edgeOf = (part: Locator) =>
  part.evaluate((element) => {
    const { borderTopColor, borderTopWidth } = getComputedStyle(element);
    const isSeen = Number.parseFloat(borderTopWidth) >= 1 && borderTopColor !== "rgba(0, 0, 0, 0)";
    return isSeen ? borderTopColor : getComputedStyle(document.body).backgroundColor;
  });

const groundOf = (part: Locator) =>
  part.evaluate((element) => {
    const { backgroundColor } = getComputedStyle(element);
    return backgroundColor === "rgba(0, 0, 0, 0)" ? getComputedStyle(document.body).backgroundColor : backgroundColor;
  });

const colourOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).color);

/** The contrast of two opaque colours by WCAG's formula. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** How many lines an element's text takes. */
const linesOf = (part: Locator) =>
  part.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });

/** Controls that reach beyond the window or their card. */
const beyondEdge = (page: Page) =>
  page.locator("header :is(a, button), main :is(button, input)").evaluateAll((parts) =>
    parts
      .filter((part) => part.checkVisibility())
      .filter((part) => {
        const card = part.closest("section")?.getBoundingClientRect();
        return part.getBoundingClientRect().right > Math.min(innerWidth, card?.right ?? innerWidth) + 1;
      })
      .map((part) => part.getAttribute("aria-label") ?? part.textContent),
  );

type Box = { x: number; y: number; width: number; height: number } | null;
const meet = (one: Box, other: Box) =>
  one !== null &&
  other !== null &&
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
