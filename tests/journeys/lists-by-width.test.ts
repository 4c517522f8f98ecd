import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { leads, rateLimits } from "../../server/database/schema/index.ts";
import { holdBack, launchBrowser, leaveBrowser, openQuiet, sharedBrowser, whenQuiet } from "../browser.ts";
import { contractHolder } from "../contract.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { insertOrder, insertQuote } from "../paid-order.ts";
import { member, type Member } from "../people.ts";
import {
  cutButtons,
  findBarriers,
  openSignedIn,
  phone,
  sheetOverflow,
  sidewaysPixels,
  spillsOf,
  wide,
} from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let user: Member;
let partner: Member;
let admin: Member;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin");
  partner = await member(server, "partner");
  const person = { firstName: "Venkatasubramanian", lastName: "Krishnamurthy", partnerId: partner.organisationId };
  user = await member(server, "user", { ...person, organizationName: "Bharatiya Vidyut Utpadan" });
  await insertOrder(server, user, { amountPaise: 33_98_541_60 });
  const long = { userName: "Venkatasubramanian Krishnamurthy", organizationName: "Bharatiya Vidyut Utpadan" };
  await insertQuote(server, user, {
    ...long,
    totalPaise: 33_98_541_60,
    message: "Rolling mills and offices. ".repeat(9),
  });
});
const runningIncident = async () => {
  const said = { email: user.email, severity: "P2", title: "Sign-ins to the mail of the finance department" };
  const id = crypto.randomUUID();
  const { body } = await server.send("admin/incidents/open", { ...said, id }, admin.token);
  const asked = { news: "asked", text: "Is it yours?", waits_for: "customer", reason: "Nobody else can know" };
  const tell = (news: object) =>
    server.send(
      "admin/incidents/tell",
      { id: body["incident_id"], fact_id: crypto.randomUUID(), ...news },
      admin.token,
    );
  await tell({ news: "seen" });
  await tell(asked);
};
const rulesOfAll = async () => {
  const type = { service: "Network & Security Solutions", deviceType: "Firewall" };
  const rule = { kind: "log_source", pattern: "fortigate-firewall-of-the-branches-*", place: 100, ...type };
  await server.send("admin/coverage/rules/save", rule, admin.token);
  await server.send("admin/coverage/limits/save", { ...type, minutes: 90 }, admin.token);
};
afterAll(async () => {
  await leaveBrowser(browser);
  await server.stop();
});
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const lists = [
  ["/user/myquote", () => user],
  ["/user/orderhistory", () => user],
  ["/admin/estimateOrder", () => admin],
  ["/admin/orderData", () => admin],
  ["/admin/customerList", () => admin],
  ["/partner/listuser", () => partner],
] as const;

const at = (page: Page, width: number) => page.setViewportSize({ width, height: 900 });

it.each(lists)(
  "The list at %s is a table with whole words on wide screens, cards with the same cells on a phone, and a table on paper",
  async (path, who) => {
    const { page, complaints } = await openSignedIn(browser, server, who());
    await page.goto(server.url + path);
    await page.getByRole("table").waitFor();
    const cells = await page.locator("tbody td").allTextContents();
    for (const width of [1024, 1280, 1600]) {
      await at(page, width);
      expect(await layoutOf(page)).toBe("table");
      expect(await pastHeadings(page)).toEqual([]);
      expect(await brokenWords(page)).toEqual([]);
      expect(await sheetOverflow(page)).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
    }

    await at(page, phone.viewport.width);
    expect(await layoutOf(page)).toBe("cards");
    expect(await pastEdge(page)).toEqual([]);
    expect(await page.locator("tbody td").allTextContents()).toEqual(cells);
    const rows = await page.locator("tbody tr").count();
    expect(await page.getByText("Bharatiya Vidyut Utpadan").count()).toBe(path.endsWith("orderhistory") ? 0 : 1);
    expect(await page.getByRole("row").count()).toBe(rows);
    expect(await findBarriers(page)).toEqual([]);

    await page.emulateMedia({ media: "print" });
    expect(await layoutOf(page)).toBe("table");
    expect(await page.getByRole("row").count()).toBe(rows + 1);
    for (const bar of await page.locator("header, nav, input, select, button:not(thead *)").all())
      expect(await bar.isVisible()).toBe(false);
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  },
);

it.each([
  ["/admin/coverage-rules", rulesOfAll],
  ["/admin/incidents", runningIncident],
])("What stands at %s is whole at each width of a table", async (path, fill) => {
  await fill();
  const { page } = await openSignedIn(browser, server, admin);
  await page.goto(server.url + path);
  await page.locator("tbody td").first().waitFor();
  for (const width of [1024, 1152, 1280, 1440]) {
    await at(page, width);
    expect([width, await layoutOf(page), await sheetOverflow(page), await brokenWords(page)]).toEqual([
      width,
      "table",
      0,
      [],
    ]);
    expect(await spillsOf(page)).toEqual([]);
  }
});

it("Between a phone and a small laptop no list has to be scrolled sideways", async () => {
  const { person } = await contractHolder(server);
  for (const [who, paths] of [
    [admin, ["contracts", "notices", "estimateOrder"]],
    [person, ["coverage"]],
    [user, ["myquote"]],
  ] as const) {
    const { page, leave } = await openSignedIn(browser, server, who);
    for (const path of paths) {
      await openQuiet(page, `${server.url}/${who === admin ? "admin" : "user"}/${path}`);
      for (const width of [720, 740, 960, 1000]) {
        await at(page, width);
        expect.soft([path, width, await sheetOverflow(page)]).toEqual([path, width, 0]);
      }
    }
    await leave();
  }
});

it("The longest names of a lead leave its list the width of the screen", async () => {
  const [firstName, lastName] = ["Venkata".repeat(9).slice(0, 60), "Krishna".repeat(9).slice(0, 60)];
  const maker = await member(server, "partner", { firstName, lastName });
  const owner = await member(server, "admin", { firstName, lastName, organisationId: admin.organisationId });
  const names = { userName: `${firstName} ${lastName}`, organizationName: "Bharatiya".repeat(14).slice(0, 120) };
  const made = { partnerId: maker.organisationId, madeBy: maker.id, requestKey: crypto.randomUUID() };
  const { id } = await insertQuote(server, user, { ...names, ...made, totalPaise: 33_98_541_60 });
  const next = { nextStep: "Telephone".repeat(9), nextStepOn: "2026-01-04" };
  await server.services.database
    .update(leads)
    .set({ ownerId: owner.id, state: "proposal_sent", ...next })
    .where(eq(leads.quoteId, id));
  const { page } = await openSignedIn(browser, server, admin);
  await openQuiet(page, `${server.url}/admin/estimateOrder`);
  await page.getByText(names.organizationName).first().waitFor();
  for (const width of [720, 960, 1024, 1152, 1280, 1440]) {
    await at(page, width);
    expect.soft([width, await sheetOverflow(page)]).toEqual([width, 0]);
  }
});

it("The longest state of a contract leaves its button in sight", async () => {
  await contractHolder(server);
  const { page } = await openSignedIn(browser, server, admin);
  await openQuiet(page, `${server.url}/admin/contracts`);
  await page.locator("tbody [data-tone]").evaluateAll((badges) => {
    for (const badge of badges) badge.textContent = "Running, renewal to be paid";
  });
  for (const width of [960, 1024, 1152, 1280]) {
    await at(page, width);
    expect.soft([width, await sheetOverflow(page)]).toEqual([width, 0]);
  }
});

it("A chart has the name of each month and its table, which paper shows unasked and on white", async () => {
  const { page } = await openSignedIn(browser, server, partner, { ...phone, colorScheme: "dark" });
  await page.goto(`${server.url}/partner/dashboard`);
  await page.locator("figure").first().scrollIntoViewIfNeeded();
  await page.locator(".recharts-bar-rectangle path").first().waitFor();
  const months = page.locator("figure").first().locator(".recharts-xAxis .recharts-cartesian-axis-tick");
  expect(await months.count()).toBe(12);
  const figures = page.getByRole("table", { name: "Order value by month" });
  expect(await figures.isVisible()).toBe(false);
  await page.getByText("Show as a table").last().click();
  expect(await figures.getByRole("row").count()).toBe(13);
  expect(await findBarriers(page)).toEqual([]);

  await page.emulateMedia({ media: "print" });
  await page.getByRole("table", { name: "Orders by month" }).waitFor();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
  expect(await sidewaysPixels(page)).toBe(0);
  const drawing = await page.locator(".recharts-surface").first().boundingBox();
  expect(drawing?.width).toBeGreaterThan(200);
  expect(drawing?.height).toBeGreaterThan(80);
});

it("At 768 pixels the open navigation leaves the page in sight, which closes it", async () => {
  const { page } = await openSignedIn(browser, server, admin, { viewport: { width: 768, height: 900 } });
  await page.goto(`${server.url}/admin/customerList`);
  await page.getByRole("table").waitFor();
  await page.getByRole("button", { name: "Navigation", exact: true }).click();
  const navigation = page.getByRole("navigation", { name: "Area" });
  await navigation.getByText("Manage Customer").waitFor();
  expect((await navigation.boundingBox())?.width).toBeLessThan(400);
  expect(await findBarriers(page)).toEqual([]);
  await page.mouse.click(700, 500);
  await navigation.waitFor({ state: "hidden" });
});

it("Letters of twice the size have the room of a phone sooner, and nothing runs out of its place", async () => {
  const large = await launchBrowser(["--blink-settings=defaultFontSize=32"]);
  const { page, leave } = await openSignedIn(large, server, admin, { viewport: { width: 1024, height: 900 } });
  for (const path of ["/admin/customerList", "/admin/estimateOrder", "/admin/rate-card"]) {
    await openQuiet(page, server.url + path);
    expect(await page.getByRole("navigation", { name: "Area" }).isVisible()).toBe(false);
    expect(await sidewaysPixels(page)).toBe(0);
  }
  await runningIncident();
  await at(page, phone.viewport.width);
  const narrow = ["incidents", "service-levels", "estimateOrder", "customerList", "addmyuser", "announcements"];
  for (const path of narrow) {
    await openQuiet(page, `${server.url}/admin/${path}`);
    expect([path, await sidewaysPixels(page)]).toEqual([path, 0]);
  }
  await leave();
  await large.close();
});

it("A page whose letters are one and a half times as large fits on a narrow phone", async () => {
  const narrow = { ...phone, viewport: { width: 360, height: 740 } };
  const { person: customer } = await contractHolder(server);
  for (const [who, path] of [
    [customer, "/user/onboarding"],
    [admin, "/admin/announcements"],
  ] as const) {
    const { page, leave } = await openSignedIn(browser, server, who, narrow);
    const go = await holdBack(page, "**/assets/*.js");
    await page.goto(server.url + path, { waitUntil: "domcontentloaded" });
    const fits = async () => {
      // Enlarges the page's own root size, which media queries of the width do not react to.
      await page.evaluate(() => (document.documentElement.style.fontSize = "150%"));
      expect([path, await sidewaysPixels(page)]).toEqual([path, 0]);
    };
    await fits();
    await whenQuiet(page, async () => go());
    await fits();
    await leave();
  }
});

it("With letters twice as large no screen moves sideways on a phone, and no word of a button is cut", async () => {
  await runningIncident();
  const { page } = await openSignedIn(browser, server, admin, phone);
  const settings = await page.context().newCDPSession(page);
  await settings.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
  const paths = [
    "dashboard",
    "addmyuser",
    "actions",
    "rate-card",
    "receivables",
    "announcements",
    "audit",
    "registers",
  ];
  for (const path of [...paths, "incidents"]) {
    await openQuiet(page, `${server.url}/admin/${path}`);
    expect([path, await sidewaysPixels(page), await cutButtons(page)]).toEqual([path, 0, []]);
  }
});

it("With letters twice as large what a price is and what is contracted can be read", async () => {
  const { person } = await contractHolder(server);
  const cut = (page: Page, parts: string) =>
    page
      .locator(parts)
      .evaluateAll((all) => all.filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.textContent));
  const large = async (who: Member, path: string, options: BrowserContextOptions) => {
    const { page } = await openSignedIn(browser, server, who, options);
    const settings = await page.context().newCDPSession(page);
    await settings.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
    await openQuiet(page, server.url + path);
    return page;
  };
  const card = await large(admin, "/admin/rate-card", phone);
  expect.soft(await cut(card, "main input:is([aria-label^=Unit], [aria-label^=Price])")).toEqual([]);
  const board = await large(admin, "/admin/estimateOrder?show=board", phone);
  expect.soft(await sidewaysPixels(board)).toBe(0);
  const contract = await large(person, "/user/contract", wide);
  // A contract's longest state label.
  const beyondPlace = await contract.locator("main dd [data-tone]").evaluateAll((badges) =>
    badges.map((badge) => {
      badge.textContent = "Running, renewal quoted";
      const place = badge.closest("dd")?.getBoundingClientRect().right ?? 0;
      return Math.max(0, badge.getBoundingClientRect().right - place);
    }),
  );
  expect.soft(beyondPlace).toEqual([0]);
});

/** The layout of rows: cells side by side under headings, or each with its name, as cards. */
const layoutOf = (page: Page) =>
  page.evaluate(() => {
    const heading = document.querySelector("thead th");
    const name = getComputedStyle(document.querySelector("tbody td[data-label]") ?? document.body, "::before").content;
    return heading?.checkVisibility() && name === "none" ? "table" : name !== "none" ? "cards" : "neither";
  });

/** Words of cells that are split over two lines; a line may end only where a hyphen or an address allows it. */
const brokenWords = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector("table") ?? document.body, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    while (walker.nextNode()) {
      const text = walker.currentNode;
      for (const { 0: word, index } of (text.nodeValue ?? "").matchAll(/[^\s@.-]+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
    }
    return broken;
  });

/** End-aligned cells that do not end where their heading does. */
const pastHeadings = (page: Page) =>
  page.evaluate(() => {
    const endOf = (cell: Element) => Math.round(cell.getBoundingClientRect().right);
    return [...document.querySelectorAll<HTMLTableCellElement>("tbody td[data-at-end]")]
      .filter((cell) => endOf(cell) !== endOf(cell.closest("table")!.querySelectorAll("th")[cell.cellIndex]!))
      .map((cell) => cell.innerText);
  });

/** Named cells that do not start at the edge of their card. */
const pastEdge = (page: Page) =>
  page.evaluate(() => {
    const startOf = (cell: Element) => Math.round(cell.getBoundingClientRect().left);
    return [...document.querySelectorAll<HTMLTableCellElement>("tbody td[data-label]")]
      .filter((cell) => startOf(cell) !== startOf(cell.parentElement!.firstElementChild!))
      .map((cell) => cell.innerText);
  });
