import { eq } from "drizzle-orm";
import { readFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { messages } from "../contract/messages.ts";
import { sessions } from "../server/database/schema/index.ts";
import { openPage, type WatchedPage } from "./browser.ts";
import type { TestServer } from "./harness.ts";
import type { Member } from "./people.ts";
import { signedIn } from "./signed-in.ts";

export const wide = { viewport: { width: 1440, height: 900 } } satisfies BrowserContextOptions;
export const phone = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
} satisfies BrowserContextOptions;

/** Where a job is walked through: on a phone, or with JOBS_AT=wide on a wide screen, which takes the suite no longer. */
export const jobScreen = process.env["JOBS_AT"] === "wide" ? wide : phone;

/** A page of somebody who is signed in already: the session lies in local storage, as the sign-in leaves it. */
export async function openSignedIn(
  browser: Browser,
  server: Pick<TestServer, "url">,
  { token, email }: Pick<Member, "token" | "email">,
  options: BrowserContextOptions = wide,
): Promise<WatchedPage> {
  return openPage(browser, { ...options, ...signedIn(server, { token, email }) });
}

/** Lets a page be signed in from now on, as another tab's sign-in does. */
export const signInHere = (page: Page, { token, email }: Pick<Member, "token" | "email">): Promise<void> =>
  page.evaluate((kept) => Object.entries(kept).forEach(([name, value]) => localStorage.setItem(name, value)), {
    isAuthenticated: "true",
    token,
    email,
  });

/** The same, told to the page as the browser tells it of a sign-in in another tab: it goes on as whom it hears of. */
export async function signInElsewhere(page: Page, person: Pick<Member, "token" | "email">): Promise<void> {
  await signInHere(page, person);
  await page.evaluate(() => dispatchEvent(new StorageEvent("storage", { key: "token" })));
}

/** Presses with a session that has ended meanwhile; it is there again afterwards. */
export async function endSessionAt(
  page: Page,
  { services: { database } }: Pick<TestServer, "services">,
  { id }: Pick<Member, "id">,
  pressed: Locator,
): Promise<void> {
  const ended = await database.delete(sessions).where(eq(sessions.personId, id)).returning();
  try {
    // Another call of the screen may find the session gone before this one does, and take the button away.
    await Promise.race([pressed.click().catch(() => undefined), page.waitForURL(/\/login\?next=/)]);
    await page.waitForURL(/\/login\?next=/);
    await page.getByText(messages.sessionEnded).waitFor();
  } finally {
    await database.insert(sessions).values(ended);
  }
}

/** What a field of a dialog holds once the dialog was closed by Escape and opened again. */
export async function typedAfterEscape(page: Page, open: Locator, field: Locator): Promise<string> {
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "hidden" });
  await open.click();
  return field.inputValue();
}

const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** What axe finds on the page as it is now, with where; and whether it scrolls sideways. */
export async function findBarriers(page: Page): Promise<string[]> {
  const sideways = await findSideways(page);
  const found = (await lookOver(page)) ?? (await bringAxe(page));
  return [...found, ...sideways];
}

/** Whether the page scrolls sideways, once it has settled. */
export async function findSideways(page: Page): Promise<string[]> {
  // What still moves after a change of the width or the scheme, as the side navigation does, is no barrier.
  const isSettled = () => {
    const { scrollWidth, clientWidth, dataset } = document.documentElement;
    const scheme = matchMedia("screen and (prefers-color-scheme: dark)").matches ? "dark" : "light";
    // Pages outside the site, such as the sandbox's, have no scheme to go over to.
    return scrollWidth <= clientWidth && (dataset["mantineColorScheme"] ?? scheme) === scheme;
  };
  await page.waitForFunction(isSettled).catch(() => {});
  return (await sidewaysPixels(page)) > 0 ? [`scrolls sideways: ${page.url()}`] : [];
}

/**
 * What there is on a phone and on a wide screen, in the state the page is in: a walk is walked once, on a phone where there
 * is least room. The page is as wide afterwards as before.
 */
export async function findBarriersAtBothWidths(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const { viewport } of [wide, phone]) {
    await page.setViewportSize(viewport);
    for (const barrier of await findBarriers(page)) found.push(`at ${viewport.width} px: ${barrier}`);
  }
  if (before) await page.setViewportSize(before);
  return found;
}

/**
 * What there is of barriers in an open dialog on a phone, where there is least room, and whether it has its room on a wide
 * screen. What is in it is the same there, and what is behind it is looked at by itself: a second look would find nothing else.
 */
export async function findDialogBarriers(page: Page): Promise<string[]> {
  await page.setViewportSize(wide.viewport);
  const sideways = await findSideways(page);
  await page.setViewportSize(phone.viewport);
  return [...sideways.map((barrier) => `at ${wide.viewport.width} px: ${barrier}`), ...(await findBarriers(page))];
}

/** The open dialogs and panels of which a part lies beyond their right edge, on a phone and on a wide screen. */
export async function findSpills(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const { viewport } of [wide, phone]) {
    await page.setViewportSize(viewport);
    const spills = await page.getByRole("dialog").evaluateAll(async (dialogs) => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const within = dialogs.flatMap((dialog) => [dialog, ...dialog.querySelectorAll("*:not(input, textarea)")]);
      return within
        .filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== "visible")
        .map((part) => part.textContent.slice(0, 60));
    });
    found.push(...spills.map((text) => `spills at ${viewport.width} px: ${text}`));
  }
  if (before) await page.setViewportSize(before);
  return found;
}

/** Whether each word of a button is in sight as a whole. */
export const showsItsWords = (button: Locator) =>
  button.evaluate((element) =>
    [...element.querySelectorAll("span")].every((part) => part.scrollWidth <= part.clientWidth),
  );

/** How much of the page lies beyond its right edge. */
export const sidewaysPixels = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Buttons whose words run out of their place. */
export const cutButtons = (page: Page) =>
  page
    .locator("main .mantine-Button-label")
    .evaluateAll((labels) =>
      labels.filter((label) => label.scrollWidth > label.clientWidth + 1).map(({ textContent }) => textContent),
    );

/** How much of its tables their frames would have to scroll sideways. */
export const sheetOverflow = (page: Page) =>
  page
    .getByRole("table")
    .evaluateAll((tables) =>
      Math.max(...tables.map(({ parentElement: sheet }) => (sheet ? sheet.scrollWidth - sheet.clientWidth : 0))),
    );

/** Buttons and badges that reach out of their cells. */
export const spillsOf = (page: Page) =>
  page
    .locator("td")
    .evaluateAll((cells) =>
      cells.flatMap((cell) =>
        [...cell.querySelectorAll("button, a, span")]
          .filter((part) => part.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1)
          .map((part) => `${cell.getAttribute("data-label") ?? "Actions"}: ${part.textContent}`),
      ),
    );

/** What axe finds; null where it was not brought to the page yet. */
const lookOver = (page: Page) =>
  page.evaluate(async () => {
    const { axe } = window as unknown as { axe?: { run(options: object): Promise<AxeResult> } };
    if (!axe) return null;
    // Two frames, so that what was changed is drawn, and what goes over to other colours has arrived.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.all(transitions.map(({ finished }) => finished.catch(() => {})));
    // What is told of passes, and the style sheets read anew, take as long as all the rest.
    const { violations } = await axe.run({
      reporter: "no-passes",
      resultTypes: ["violations"],
      preload: { assets: ["media"] },
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  });

async function bringAxe(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await lookOver(page);
  if (!found) throw new Error(`axe could not be brought to ${page.url()}`);
  return found;
}

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** Follows a link to an address within the page. Answers where it ends, once a screen is there; waits for the end expected. */
export async function follow(page: Page, path: string, expected: string): Promise<string> {
  await page.evaluate((to) => {
    const { __reactRouterDataRouter: router } = window as unknown as { __reactRouterDataRouter: Router };
    return router.navigate(to);
  }, path);
  const isThere = (end: string) =>
    location.pathname === end &&
    document.querySelector("h1") !== null &&
    document.querySelector("main [aria-busy='true'][aria-label='Loading']") === null;
  await page.waitForFunction(isThere, expected).catch(() => {});
  return page.evaluate(() => location.pathname);
}

/** Brings a screen: within the page where one of a portal is there already, and else by loading it. */
export async function goTo(page: Page, server: Pick<TestServer, "url">, path: string): Promise<void> {
  if (/^\/(admin|user|partner)\//.test(new URL(page.url()).pathname))
    await follow(page, path, new URL(path, server.url).pathname);
  else await page.goto(server.url + path);
}

/** React Router's own, which it leaves on the window. */
interface Router {
  navigate(to: string): Promise<void>;
}

/** How much of what is in sight has moved since the page was opened, of 1; what an input brings about within half a second, too. */
export const shiftOf = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "layout-shift", buffered: true });
    const shifts = observer.takeRecords() as unknown as { value: number }[];
    return shifts.reduce((sum, { value }) => sum + value, 0);
  });
