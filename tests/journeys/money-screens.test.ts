import { eq } from "drizzle-orm";
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import { transfers } from "../../server/database/schema/index.ts";
import { sellerIs } from "../billing.ts";
import { leaveBrowser, openPage, sharedBrowser } from "../browser.ts";
import { fullAccounts } from "../full-account.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import { findBarriers, findBarriersAtBothWidths, follow, hasFocus, signInHere, wide } from "../portal-page.ts";
import { bankOfTests, newUtr, transferBuyer, today } from "../transfers.ts";

/** A partner's screens are the administrator's contracts screen with less on it. */
const screens = {
  user: ["billing", "payments-due", "orderhistory", "contract"],
  admin: ["receivables", "reconcile", "contracts", "registers", "orderData"],
} as const;

let server: TestServer;
let browser: Browser;
/** Used by one person after the other, and not reused elsewhere, because its font size is changed. */
let page: Page;
let complaints: string[];
let settings: CDPSession;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  ({ page, complaints } = await openPage(browser));
  settings = await page.context().newCDPSession(page);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

interface Way {
  width: number;
  colorScheme?: "dark";
  media?: "print";
  /** The browser's font size; its default is 16. */
  textPixels?: number;
}
const ways: Record<string, Way> = {
  "in the dark on a phone": { width: 390, colorScheme: "dark" },
  "with text twice as large": { width: 1280, textPixels: 32 },
  "on paper": { width: 794, media: "print" },
};

/** Opens a person's screen on a wide window in the light scheme, whatever was set before. */
async function open(who: Member, path: string): Promise<void> {
  await page.setViewportSize(wide.viewport);
  await page.emulateMedia({ colorScheme: "light", media: null });
  await settings.send("Page.setFontSizes", { fontSizes: { standard: 16 } });
  await page.goto(`${server.url}/robots.txt`);
  await signInHere(page, who);
  await page.goto(server.url + path);
  await page.locator("main h1").waitFor();
}

async function barriersOf(who: Record<keyof typeof screens, Member>): Promise<string[]> {
  const found: string[] = [];
  for (const [area, paths] of Object.entries(screens) as [keyof typeof screens, readonly string[]][]) {
    await open(who[area], `/${area}/${paths[0]}`);
    for (const path of paths) {
      expect(await follow(page, `/${area}/${path}`, `/${area}/${path}`)).toBe(`/${area}/${path}`);
      for (const [way, { width, colorScheme = "light", media = null, textPixels = 16 }] of Object.entries(ways)) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme, media });
        await settings.send("Page.setFontSizes", { fontSizes: { standard: textPixels } });
        expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(`${textPixels}px`);
        const all = [...(await findBarriers(page)), ...complaints.splice(0)];
        found.push(...all.map((each) => `${area}/${path} ${way}: ${each}`));
      }
    }
  }
  return found;
}

it("The screens of money are free of barriers where there is nothing yet", async () => {
  const who = {
    user: await member(server, "user"),
    admin: await member(server, "admin"),
  };
  expect(await barriersOf(who)).toEqual([]);
}, 600_000);

it("The screens of money are free of barriers where there is much", async () => {
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
  const who = await fullAccounts(server);
  const { choose, person } = await transferBuyer(server);
  const { body } = await choose({ deducts: { section: "194J", percent: 10 } });
  const came = { utr: newUtr(), received_on: today(server), payer: "Periyar", amount: "118.00", pays: body.document };
  await server.call("admin/transfers/record", came, who.admin.token);
  await server.call("admin/transfers/record", { ...came, utr: newUtr(), pays: null }, who.admin.token);
  expect(await barriersOf({ ...who, user: person })).toEqual([]);
}, 600_000);

it("Transfers that wait are counted, read page by page by keyboard, and found", async () => {
  const admin = await member(server, "admin");
  const utrs = Array.from({ length: limits.listLimitDefault + 10 }, newUtr);
  await server.services.database.delete(transfers).where(eq(transfers.state, "seen"));
  await server.services.database
    .insert(transfers)
    .values(utrs.map((utr) => ({ utr, state: "seen" as const, amountPaise: 100_00, receivedOn: "2026-01-02" })));
  await open(admin, "/admin/receivables");
  const section = page.getByRole("region", { name: "Transfers without a match" });
  const entries = section.getByRole("list", { name: "Transfers without a match" }).getByRole("listitem");
  await section.getByText("50 of 60").waitFor();
  expect(await entries.count()).toBe(50);
  await section.getByRole("button", { name: "Load more transfers" }).press("Enter");
  await section.getByText("60 of 60").waitFor();
  expect(await entries.count()).toBe(60);
  expect(await section.getByRole("button", { name: "Load more transfers" }).count()).toBe(0);
  await section.getByRole("searchbox", { name: "Search transfers" }).fill(utrs[0] ?? "");
  await section.getByText("1 of 1").waitFor();
  expect(await entries.allTextContents()).toEqual([expect.stringContaining(utrs[0] ?? "")]);
  await section.getByRole("searchbox", { name: "Search transfers" }).fill("nobody");
  await section.getByText("Nothing was found. Try other words.").waitFor();
  expect([...(await findBarriers(page)), ...complaints]).toEqual([]);
});

it("A transfer that is no customer's is set aside with a reason by keyboard, and put back from among all", async () => {
  const admin = await member(server, "admin");
  const utr = newUtr();
  await server.services.database.delete(transfers).where(eq(transfers.state, "seen"));
  const came = { utr, received_on: today(server), payer: "Bank of Tests", amount: "412.00", pays: null };
  await server.call("admin/transfers/record", came, admin.token);
  await open(admin, "/admin/receivables");
  const entries = page.getByRole("main").getByRole("listitem").filter({ hasText: utr });
  await page.getByRole("button", { name: `Not from a customer … ${utr}` }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Not from a customer" });
  await expect.poll(hasFocus(dialog.getByLabel("Reason"))).toBe(true);
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.keyboard.type("Interest of the quarter");
  await dialog.getByRole("button", { name: "Set aside" }).press("Enter");
  await page.getByText("Every transfer is matched.").waitFor();
  await page.getByLabel("Show all transfers").press("Space");
  await entries.getByText("Why: Interest of the quarter").waitFor();
  await page.reload();
  await entries.getByText("Not from a customer", { exact: true }).waitFor();
  expect([...(await findBarriersAtBothWidths(page)), ...complaints]).toEqual([]);
  await page.getByRole("button", { name: `Put back ${utr}` }).press("Enter");
  await entries.getByText("Not matched yet").waitFor();
  await expect.poll(hasFocus(page.getByRole("button", { name: `Match ${utr}` }))).toBe(true);
});
