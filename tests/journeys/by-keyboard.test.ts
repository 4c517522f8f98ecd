import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { areaOf } from "../../contract/roles.ts";
import { leaveBrowser, openPage, openQuiet, sharedBrowser } from "../browser.ts";
import { fullAccounts } from "../full-account.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import type { Member } from "../people.ts";
import { follow, openSignedIn } from "../portal-page.ts";
import { portalRoutes } from "../portal-routes.ts";

const areas = ["user", "partner", "admin"] as const;

let server: TestServer;
let browser: Browser;
let people: Record<(typeof areas)[number], Member>;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  people = await fullAccounts(server);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

/** Enough places for an endless screen. */
const placesMax = 60;

/** Their buttons change the form and open nothing. */
const pagesOfOneForm = ["/admin/rate-card", "/user/estimator"];

describe.each(areas)("By the keyboard alone, someone with the role %s", (role) => {
  it("goes through each screen in reading order and always sees where they are, and comes back from each dialog", async () => {
    const { page } = await openSignedIn(browser, server, people[role]);
    await page.goto(`${server.url}/${areaOf(role)}/account-settings`);
    await page.locator("h1").waitFor();
    expect(await faultsOfWalk(page, "body"), "the frame of all screens").toEqual([]);
    const faults: string[] = [];
    for (const path of Object.keys(portalRoutes).filter((route) => portalRoutes[route]?.includes(role))) {
      const end = await follow(page, path, path);
      await page.waitForFunction(() => !document.querySelector("main [aria-busy='true']"));
      faults.push(...(await faultsOfWalk(page, "main")).map((fault) => `${end}: ${fault}`));
      if (!pagesOfOneForm.includes(path))
        faults.push(...(await faultsOfDialogs(page)).map((fault) => `${end}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
});

it("By the keyboard alone, the first stop of a screen is the way to its content, and its entry is in sight", async () => {
  const { page } = await openSignedIn(browser, server, people.admin, { viewport: { width: 1440, height: 600 } });
  for (const path of ["/admin/dashboard", "/admin/system"]) {
    await page.goto(server.url + path);
    await page.locator("h1").waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the content");
    const [entry, list] = [
      page.locator('nav [aria-current="page"]'),
      page.locator('nav div:has(> [aria-current="page"])'),
    ];
    const [at, within] = [await entry.boundingBox(), await list.boundingBox()];
    expect(at?.y).toBeGreaterThanOrEqual(within?.y ?? 600);
    expect((at?.y ?? 600) + (at?.height ?? 0)).toBeLessThanOrEqual((within?.y ?? 0) + (within?.height ?? 0));
  }
});

it("By the keyboard alone, a field that lies behind a dialog's title is scrolled out from under it", async () => {
  const { page } = await openSignedIn(browser, server, people.user, { viewport: { width: 844, height: 390 } });
  await page.goto(`${server.url}/user/myuser`);
  await page.getByRole("button", { name: "Add User" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add User" });
  await dialog.getByLabel("First name").evaluate((field) => field.scrollIntoView());
  await dialog.getByRole("button", { name: "Close" }).focus();
  await page.evaluate(beginAt, "[role=dialog]");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(lookAtFocus, "[role=dialog]")).toEqual({ isOver: false, fault: null });
});

it("By the keyboard alone, no field of a long form lies behind the bar that saves it", async () => {
  const { page } = await openSignedIn(browser, server, people.admin);
  await page.goto(`${server.url}/admin/settings`);
  await page.getByRole("button", { name: "Edit Company and contact" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Company and contact" });
  await dialog.getByRole("button", { name: "Cancel" }).waitFor();
  expect(await faultsOfWalk(page, "[role=dialog]")).toEqual([]);
});

it("By the keyboard alone, what adds a group to the rate card lies in front of the bar that saves it", async () => {
  const { page } = await openSignedIn(browser, server, people.admin);
  await openQuiet(page, `${server.url}/admin/rate-card`);
  const before = page.getByRole("button", { name: /^Add a device type/ }).last();
  // Just above the bar, as whoever comes here by keys has it.
  await before.evaluate((button) => {
    button.focus();
    scrollBy(0, button.getBoundingClientRect().bottom - innerHeight + 145);
  });
  await page.keyboard.press("Tab");
  const add = page.getByRole("button", { name: "Add a group" });
  await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true);
  const bar = await page
    .getByRole("button", { name: "Publish…" })
    .locator("xpath=ancestor::div[@role='region'][1]")
    .boundingBox();
  const { y = 0, height = 0 } = (await add.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(bar?.y ?? 0);
});

it("By the keyboard alone, a visitor who chooses a password always sees where they are", async () => {
  const { page } = await openPage(browser);
  await openQuiet(page, `${server.url}/reset-password#token=not-one`);
  expect(await faultsOfWalk(page, "main")).toEqual([]);
});

it("By the keyboard alone, whoever reports an attack goes on at the incident that it opened", async () => {
  const { page } = await openSignedIn(browser, server, people.user);
  await page.goto(`${server.url}/user/under-attack`);
  await page.getByLabel("What happens").fill("Files are being encrypted");
  await page.getByLabel("Since when").fill("Ten minutes ago");
  await page.getByRole("textbox", { name: "Whom we call" }).fill("Asha Rao");
  await page.getByRole("textbox", { name: "Whom we call" }).press("Enter");
  const room = page.getByRole("link", { name: /^Open its room/ });
  await room.waitFor();
  await expect.poll(() => room.evaluate((link) => link === document.activeElement)).toBe(true);
});

/** Tabs from the beginning of a part of the page to its end. */
async function faultsOfWalk(page: Page, part: "body" | "main" | "[role=dialog]"): Promise<string[]> {
  await page.evaluate(beginAt, part);
  const faults: string[] = [];
  for (let places = 0; places < placesMax; places++) {
    await page.keyboard.press("Tab");
    const { isOver, fault } = await page.evaluate(lookAtFocus, part);
    if (fault) faults.push(fault);
    if (isOver) return faults;
  }
  return faults;
}

/** Opens each dialog with Enter and closes it with Escape. */
async function faultsOfDialogs(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const openers = page
    .locator("main button:visible:enabled")
    .filter({ hasText: /^(Add|New|Record|Import|Invite|Upload|Ask)\b/ });
  for (const name of new Set(await openers.allTextContents())) {
    const opener = openers.filter({ hasText: name }).first();
    await opener.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    const isOpen = await dialog.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    );
    if (!isOpen) continue;
    await page
      .waitForFunction(() => document.querySelector("[role=dialog]")?.contains(document.activeElement))
      .catch(() => {});
    faults.push(...(await faultsOfWalk(page, "[role=dialog]")).map((fault) => `${name}: ${fault}`));
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" }).catch(() => faults.push(`${name}: Escape leaves it open`));
    const isBack = () => document.activeElement?.matches("main button") ?? false;
    await page.waitForFunction(isBack).catch(() => faults.push(`${name}: the focus is lost behind it`));
  }
  return faults;
}

/** Runs in the page. */
function beginAt(part: string): void {
  const seen = window as unknown as { lastFocused: Element | null; isRound: boolean };
  seen.lastFocused = null;
  const begin = document.querySelector<HTMLElement>(part);
  if (part === "[role=dialog]" || !begin) return;
  // The next Tab goes to the first control in this part.
  begin.tabIndex = -1;
  begin.focus({ preventScroll: true });
}

/** Runs in the page: whether the walk has ended, and what is wrong at its present place. */
function lookAtFocus(part: string): { isOver: boolean; fault: string | null } {
  const walk = window as unknown as { lastFocused: Element | null; first: Element | null };
  const at = document.activeElement;
  const isInDialog = part === "[role=dialog]";
  const within = document.querySelector(part);
  if (!at || at === document.body || !within?.contains(at)) {
    return { isOver: true, fault: isInDialog ? `the focus left the dialog, for ${at?.outerHTML.slice(0, 80)}` : null };
  }
  const last = walk.lastFocused;
  walk.lastFocused = at;
  if (!last) walk.first = at;
  // A date field has several tab stops of its own, which each browser marks in its own way.
  if (at === last) return { isOver: false, fault: null };
  const isOver = last !== null && at === walk.first;
  if (isOver && !isInDialog) return { isOver, fault: null };
  const told = `${at.tagName.toLowerCase()} ${at.getAttribute("aria-label") ?? at.textContent.slice(0, 30)}`;
  // A switch or check box is drawn beside its field, which takes no space itself.
  const isDrawnBeside = at.matches("input[type=checkbox], input[type=radio]");
  const drawn = (isDrawnBeside && at.closest("label, [class*='-root']")) || at;
  const { width, height, top, bottom, left, right } = drawn.getBoundingClientRect();
  const isSeen = width > 0 && height > 0 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  if (!isSeen || !drawn.checkVisibility()) return { isOver, fault: `not in sight: ${told}` };
  const onTop = document.elementFromPoint(left + width / 2, Math.min(Math.max(top + height / 2, 0), innerHeight - 1));
  const isCovered = isInDialog && onTop && !drawn.contains(onTop) && !onTop.contains(drawn) && !onTop.closest("label");
  if (isCovered) return { isOver, fault: `covered by ${onTop.textContent.slice(0, 30)}: ${told}` };
  if (isOver) return { isOver, fault: null };
  if (!at.matches(":focus-visible")) return { isOver: false, fault: `not marked: ${told}` };
  const marks = [at, at.parentElement, at.nextElementSibling, at.parentElement?.parentElement].filter((element) => {
    if (!element) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
  });
  const isField = at.matches("input, select, textarea, [contenteditable]");
  if (marks.length === 0 && !isField) return { isOver: false, fault: `no outline: ${told}` };
  const isCutOff = (mark: Element | null | undefined) => {
    if (!mark) return false;
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(mark);
    const beside = outlineStyle === "none" ? 0 : Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    const ring = mark.getBoundingClientRect();
    for (let around = mark.parentElement; around && around !== document.body; around = around.parentElement) {
      const edge = around.getBoundingClientRect();
      const isCut = ring.left - beside < edge.left && ring.right + beside > edge.right;
      if (isCut && beside > 0 && getComputedStyle(around).overflowX !== "visible") return true;
    }
    return false;
  };
  if (marks.length > 0 && marks.every(isCutOff)) return { isOver: false, fault: `outline cut off: ${told}` };
  if (last && last.isConnected && !isInDialog) {
    const isBefore = (last.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
    if (!isBefore) return { isOver: false, fault: `before what came before it: ${told}` };
  }
  return { isOver: false, fault: null };
}
