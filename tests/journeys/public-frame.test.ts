import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { ensureContent } from "../../server/content/shipped-content.ts";
import { holdBack, leaveBrowser, openPage, sharedBrowser, untilTakenOver, whenQuiet } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { findBarriers, phone, sidewaysPixels } from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  await ensureContent(server.services.database);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

const article = "/blog/ransomware-drill-in-one-afternoon";
const publicPaths = [
  "/",
  "/ServiceDelivery",
  "/LogInjection",
  "/GCPSecurity",
  "/estimator",
  "/buyers-guide",
  "/about",
  "/blog",
  article,
  "/contact",
  "/privacy-policy",
  "/login",
  "/forgot-password",
  "/reset-password",
  "/accept-invite",
  "/confirm-email",
];
/** The navigation entry that is marked as the current page. */
const currentOn: Record<string, readonly [navigation: string, entry: string]> = {
  "/": ["Main", "Home"],
  "/ServiceDelivery": ["Main", "Service Delivery"],
  "/LogInjection": ["Main", "Supported log Types"],
  "/GCPSecurity": ["Main", "Compliance Certifications"],
  "/estimator": ["Main", "Estimator"],
  "/buyers-guide": ["Service", "Buyer’s guide"],
  "/about": ["Company", "About"],
  "/blog": ["Company", "Blog"],
  [article]: ["Company", "Blog"],
  "/contact": ["Company", "Contact"],
  "/privacy-policy": ["Legal", "Privacy Policy"],
};
const bar = (page: Page) => page.getByRole("navigation", { name: "Quick actions" });

/** A field of the page; the quick actions hide while it has the focus. */
const fieldOn: Record<string, string> = { "/login": "Email", "/LogInjection": "Search", "/": "Devices to watch" };
/** The quick actions that are left where the page itself is one of them. */
const leftOn: Record<string, string[]> = {
  "/contact": ["Demo", "Get Quote"],
  "/estimator": ["Demo", "Request Demo"],
};

it("The quick actions hide while a field has focus, without script too", async () => {
  const { page } = await openPage(browser, { ...phone, javaScriptEnabled: false });
  for (const [path, label] of Object.entries(fieldOn)) {
    await page.goto(server.url + path);
    expect(await barWhile(page, label), path).toEqual(hidesThen);
  }
});

/** Whether the quick actions are visible before, while and after a field has the focus. */
async function barWhile(page: Page, label: string) {
  const before = await bar(page).isVisible();
  await page.getByLabel(label, { exact: true }).first().focus();
  const meanwhile = await bar(page).isVisible();
  await page.getByRole("link", { name: "home page" }).focus();
  return { before, meanwhile, after: await bar(page).isVisible() };
}
const hidesThen = { before: true, meanwhile: false, after: true };

it("A page is printed in dark letters in the dark scheme too, without the quick actions", async () => {
  const { page } = await openPage(browser);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(server.url);
  const colour = () => page.evaluate(() => getComputedStyle(document.body).color);
  expect(await colour()).toBe("rgb(238, 242, 249)");
  expect(await bar(page).isVisible()).toBe(true);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await colour()).toBe("rgb(16, 24, 40)");
  expect(await bar(page).isVisible()).toBe(false);
});

it("The facts of neighbouring compliance cards begin on one line", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/GCPSecurity`);
  const rows = await page.locator("[data-kind][data-region]").evaluateAll((cards) => {
    const tops = new Map<number, Set<number>>();
    for (const card of cards) {
      const row = Math.round(card.getBoundingClientRect().top);
      const facts = Math.round(card.querySelector("dl")?.getBoundingClientRect().top ?? 0);
      tops.set(row, (tops.get(row) ?? new Set()).add(facts));
    }
    return [...tops.values()].map(({ size }) => size);
  });
  expect(rows.length).toBeGreaterThan(3);
  expect(new Set(rows)).toEqual(new Set([1]));
});

// One page for all checks, because opening pages takes most of the time of these tests.
it.each(publicPaths)(
  "%s is in order in both schemes, at every width, with large letters, before its script and after, and on a phone ends above the quick actions",
  async (path) => {
    const { page, complaints } = await openPage(browser);
    const release = await holdBack(page, "**/assets/*.js");
    await page.goto(server.url + path, { waitUntil: "domcontentloaded" });
    const [navigation = "Main", entry] = currentOn[path] ?? [];
    const marked = page.getByRole("navigation", { name: navigation, exact: true }).locator("[aria-current]");
    const isInOrder = async () => {
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
      expect(await page.evaluate(brokenIds)).toEqual([]);
      await expect.poll(() => marked.allTextContents()).toEqual(entry ? [entry] : []);
    };
    await isInOrder();
    release();
    await whenQuiet(page, async () => {
      await page.keyboard.press("Shift");
      await untilTakenOver(page);
    });
    await isInOrder();
    expect(await findBarriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator(":root[data-mantine-color-scheme='dark']").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await findBarriers(page)).toEqual([]);
    await endsAboveBar(page);
    const actions = await bar(page).locator("a, button").allTextContents();
    expect(actions).toEqual(leftOn[path] ?? actions);
    expect(fieldOn[path] ? await barWhile(page, fieldOn[path]) : hidesThen).toEqual(hidesThen);
    for (const width of [1920, 1440, 1280, 1200, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await sidewaysPixels(page), `${width} px`).toBe(0);
      expect(width < 1200 ? [] : await coveredAnywhere(page), `${width} px`).toEqual([]);
    }
    await page.addStyleTag({ content: "html { font-size: 200% }" });
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const login = await page.getByRole("banner").getByRole("link", { name: "Login" }).boundingBox();
      expect(login && login.x >= 0 && login.x + login.width <= width, `Login at ${width} px`).toBe(true);
      expect(await sidewaysPixels(page), `${width} px`).toBe(0);
    }
    expect(await coveredAnywhere(page), "large letters").toEqual([]);
    expect(complaints).toEqual([]);
  },
);

/** The bar is at the bottom of a phone's window; the page's last line and every control end above it. */
async function endsAboveBar(page: Page): Promise<void> {
  const box = await bar(page).boundingBox();
  expect(box).toMatchObject({ x: 0, width: 390 });
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844);
  expect(box?.height).toBeLessThan(64);
  expect(await bar(page).evaluate((element) => getComputedStyle(element).backgroundColor)).toMatch(/^rgb\(/);
  expect(await page.evaluate(focusesBelow, "[data-quick-actions]")).toEqual([]);
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
  const end = await page.getByRole("contentinfo").locator("p").last().boundingBox();
  expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
}

describe("An article", () => {
  it("guards itself from the first key and the first right-click, before React has come", async () => {
    const { page, complaints } = await openPage(browser);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    const release = await holdBack(page, "**/assets/*.js");
    await page.goto(server.url + article, { waitUntil: "domcontentloaded" });
    await page.evaluate(() => {
      const seen: string[] = ((window as unknown as { seen: string[] }).seen = []);
      for (const type of ["copy", "keydown", "contextmenu"])
        addEventListener(type, ({ defaultPrevented }) => seen.push(`${type} ${defaultPrevented}`));
    });
    await page.getByRole("heading", { level: 1 }).selectText();
    await page.keyboard.press("Control+c");
    await page.getByRole("heading", { level: 1 }).click({ button: "right" });
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    expect(seen).toContain("keydown true");
    expect(seen).toContain("contextmenu true");
    expect(seen).not.toContain("copy false");
    release();
    await page.getByText(messages.copyingNotAllowed).waitFor();
    await page.getByText(messages.rightClickNotAllowed).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe("The buyer's guide", () => {
  it("marks its service levels as a sample, and counts the log sources that there are", async () => {
    const { page } = await openPage(browser, { ...phone, javaScriptEnabled: false });
    await page.goto(`${server.url}/buyers-guide`);
    await page.getByText("Sample", { exact: true }).waitFor();
    const { body } = await server.call("logs/count");
    expect(body.sources).toBeGreaterThan(900);
    await page.getByText(`${body.sources} log sources in ${body.categories} categories`).waitFor();
    await page.goto(`${server.url}/LogInjection`);
    await page.getByText(`${body.sources} sources whose logs we read`).waitFor();
  });
});

const coveredAnywhere = (page: Page) => page.evaluate(coveredByBar, "[data-quick-actions]");

/** Runs in the page: texts, pictures and controls that the bar covers in part, however far the page is scrolled. */
function coveredByBar(selector: string): string[] {
  const bar = document.querySelector(selector)?.getBoundingClientRect();
  if (!bar) return [];
  const { scrollHeight, clientHeight } = document.documentElement;
  const toScroll = { up: scrollY, down: scrollHeight - clientHeight - scrollY };
  const passes = ({ width, left, right, top, bottom }: DOMRect) =>
    width > 0 &&
    left < bar.right &&
    right > bar.left &&
    top - toScroll.down < bar.bottom &&
    bottom + toScroll.up > bar.top;
  const covered: string[] = [];
  for (const part of document.querySelectorAll("header, main, footer")) {
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent?.trim();
      if (!text) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      if (![...range.getClientRects()].some(passes)) continue;
      // An element that scrolls by itself counts by its frame.
      const frame = texts.currentNode.parentElement?.closest("[role=region], [role=group], .visually-hidden");
      if (!frame || passes(frame.getBoundingClientRect())) covered.push(text);
    }
    for (const element of part.querySelectorAll(
      "a, button, input, textarea, select, summary, img, svg:not([aria-hidden])",
    ))
      if (passes(element.getBoundingClientRect())) covered.push(element.outerHTML.slice(0, 80));
  }
  return covered;
}

/** Runs in the page: controls that lie under the bar while they have the focus. */
function focusesBelow(selector: string): string[] {
  const bar = document.querySelector(selector);
  const hidden: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>(
    "main :is(a, button, input, textarea, select, summary), footer a",
  )) {
    element.focus();
    if (document.activeElement !== element || !bar || getComputedStyle(bar).visibility === "hidden") continue;
    const { top, bottom, height } = element.getBoundingClientRect();
    const edge = bar.getBoundingClientRect().top;
    if (height > 0 && height < edge && (bottom > edge + 1 || top < 0)) hidden.push(element.outerHTML.slice(0, 100));
  }
  return hidden;
}

/** Runs in the page: invalid or duplicate ids, and references to missing ids. */
function brokenIds(): string[] {
  const broken: string[] = [];
  const ids = new Set<string>();
  for (const { id } of document.querySelectorAll("[id]")) {
    if (id === "" || /\s/.test(id)) broken.push(`id "${id}"`);
    if (ids.has(id)) broken.push(`twice: ${id}`);
    ids.add(id);
  }
  const references = ["for", "aria-labelledby", "aria-describedby", "headers", "commandfor", "popovertarget", "list"];
  for (const name of references)
    for (const element of document.querySelectorAll(`[${name}]`))
      for (const id of (element.getAttribute(name) ?? "").split(/\s+/).filter(Boolean))
        if (!ids.has(id)) broken.push(`${name} "${id}"`);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href*='#']")) {
    const { pathname, hash } = link;
    if (pathname === location.pathname && !ids.has(decodeURIComponent(hash.slice(1)))) broken.push(`link ${hash}`);
  }
  return broken;
}
