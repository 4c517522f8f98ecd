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

/** Screen size for journeys that do a job: a phone, or with JOBS_AT=wide a wide screen, which takes no longer. */
export const jobScreen = process.env["JOBS_AT"] === "wide" ? wide : phone;

/** A page of a signed-in person: its local storage holds the session as a sign-in leaves it. */
export async function openSignedIn(
  browser: Browser,
  server: Pick<TestServer, "url">,
  { token, email }: Pick<Member, "token" | "email">,
  options: BrowserContextOptions = wide,
): Promise<WatchedPage> {
  return openPage(browser, { ...options, ...signedIn(server, { token, email }) });
}

/** Signs a page in through its local storage, without an event. */
export const signInHere = (page: Page, { token, email }: Pick<Member, "token" | "email">): Promise<void> =>
  page.evaluate((kept) => Object.entries(kept).forEach(([name, value]) => localStorage.setItem(name, value)), {
    isAuthenticated: "true",
    token,
    email,
  });

/**
 * Signs a page in with the event that the browser sends for a sign-in in another tab: the page continues as that
 * person.
 */
export async function signInElsewhere(page: Page, person: Pick<Member, "token" | "email">): Promise<void> {
  await signInHere(page, person);
  await page.evaluate(() => dispatchEvent(new StorageEvent("storage", { key: "token" })));
}

/** Presses a button after the session has ended, waits for the sign-in page, and restores the session. */
export async function endSessionAt(
  page: Page,
  { services: { database } }: Pick<TestServer, "services">,
  { id }: Pick<Member, "id">,
  pressed: Locator,
): Promise<void> {
  // Another call of the screen may notice the ended session first and remove the button. A locator would then wait for
  // it, and press the one that is there after the next sign-in.
  const button = await pressed.elementHandle();
  const ended = await database.delete(sessions).where(eq(sessions.personId, id)).returning();
  try {
    await Promise.race([button?.click().catch(() => undefined), page.waitForURL(/\/login\?next=/)]);
    await page.waitForURL(/\/login\?next=/);
    await page.getByText(messages.sessionEnded).waitFor();
  } finally {
    await database.insert(sessions).values(ended);
  }
}

/** The value of a dialog's field after closing the dialog with Escape and opening it again. */
export async function typedAfterEscape(page: Page, open: Locator, field: Locator): Promise<string> {
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "hidden" });
  await open.click();
  return field.inputValue();
}

const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** What axe finds on the page as it is now, and where; and whether the page scrolls sideways. */
export async function findBarriers(page: Page): Promise<string[]> {
  const sideways = await findSideways(page);
  const found = (await lookOver(page)) ?? (await bringAxe(page));
  return [...found, ...sideways];
}

/** Whether the page scrolls sideways, once it has settled. */
export async function findSideways(page: Page): Promise<string[]> {
  // Movement after a change of width or colour scheme, such as the side navigation's, is not a barrier; nor is what is
  // faint until it is that of the present filter or draft.
  const isSettled = () => {
    if (document.querySelector("main [aria-busy='true']:not([aria-label='Loading'])")) return false;
    const { scrollWidth, clientWidth, dataset } = document.documentElement;
    const scheme = matchMedia("screen and (prefers-color-scheme: dark)").matches ? "dark" : "light";
    // Pages outside the site, such as the sandbox's, have no colour scheme.
    return scrollWidth <= clientWidth && (dataset["mantineColorScheme"] ?? scheme) === scheme;
  };
  await page.waitForFunction(isSettled).catch(() => {});
  return (await sidewaysPixels(page)) > 0 ? [`scrolls sideways: ${page.url()}`] : [];
}

/**
 * The barriers on a phone and on a wide screen, in the page's present state, so that a walk has to be walked once only,
 * on a phone, where there is least room. Restores the page's width.
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
 * The barriers in an open dialog on a phone, where there is least room, and whether it fits on a wide screen. Its
 * content is the same there, and the page behind it is checked by itself, so a second full check would find nothing
 * more.
 */
export async function findDialogBarriers(page: Page): Promise<string[]> {
  await page.setViewportSize(wide.viewport);
  const sideways = await findSideways(page);
  await page.setViewportSize(phone.viewport);
  return [...sideways.map((barrier) => `at ${wide.viewport.width} px: ${barrier}`), ...(await findBarriers(page))];
}

/** Open dialogs and panels with content beyond their right edge, on a phone and on a wide screen. */
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

/** Asks whether a control has the focus, for `expect.poll`. */
export const hasFocus = (control: Locator) => () => control.evaluate((element) => element === document.activeElement);

/** Whether a button is red, as one is that takes something away. */
export const isRed = (button: Locator) =>
  button.evaluate((element) => {
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? []).map(
      Number,
    );
    return red > green + blue;
  });

/** Whether every word of a button is fully visible. */
export const showsItsWords = (button: Locator) =>
  button.evaluate((element) =>
    [...element.querySelectorAll("span")].every((part) => part.scrollWidth <= part.clientWidth),
  );

/** How many pixels of the page lie beyond its right edge. */
export const sidewaysPixels = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Buttons whose words overflow. */
export const cutButtons = (page: Page) =>
  page
    .locator("main .mantine-Button-label")
    .evaluateAll((labels) =>
      labels.filter((label) => label.scrollWidth > label.clientWidth + 1).map(({ textContent }) => textContent),
    );

/** How many pixels of its widest table overflow the table's frame. */
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

/** What axe finds; null if axe is not loaded in the page yet. */
const lookOver = (page: Page) =>
  page.evaluate(async () => {
    const { axe } = window as unknown as { axe?: { run(options: object): Promise<AxeResult> } };
    if (!axe) return null;
    // Two frames, so that changes are drawn; then waits for colour transitions.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.all(transitions.map(({ finished }) => finished.catch(() => {})));
    // Reporting passes and reading the style sheets again would double the time.
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

/** Navigates within the page. Answers the final path once a screen is shown; waits for the expected one. */
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

/** Goes to a screen: within the page if that shows a portal already, otherwise by loading it. */
export async function goTo(page: Page, server: Pick<TestServer, "url">, path: string): Promise<void> {
  if (/^\/(admin|user|partner)\//.test(new URL(page.url()).pathname))
    await follow(page, path, new URL(path, server.url).pathname);
  else await page.goto(server.url + path);
}

/** React Router exposes this on the window. */
interface Router {
  navigate(to: string): Promise<void>;
}

/** The page's layout shift since it was opened, as a share of 1; includes shifts within half a second of an input. */
export const shiftOf = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "layout-shift", buffered: true });
    const shifts = observer.takeRecords() as unknown as { value: number }[];
    return shifts.reduce((sum, { value }) => sum + value, 0);
  });
