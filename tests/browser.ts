import chromiumBinary from "@sparticuz/chromium";
import { existsSync } from "node:fs";
import { platform } from "node:os";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** The browser that comes inside the npm package; where it can't run, the system's Chrome. */
export async function launchBrowser(more: string[] = []): Promise<Browser> {
  if (platform() !== "linux") return chromium.launch({ channel: "chrome", args: more });
  const executablePath = await chromiumBinary.executablePath();
  if (!existsSync(executablePath)) throw new Error("The packaged browser could not be unpacked");
  // Root may not use Chromium's own sandbox; the pages it opens here are ours.
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", ...more],
  });
}

export interface WatchedPage {
  page: Page;
  /** What the console and the page complained of; a journey ends with none. */
  complaints: string[];
}

/** A page of a visitor of its own, whose complaints are kept. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
  return { page, complaints };
}

/** Answers nothing at these addresses until what it gives is called. */
export async function holdBack(page: Page, addresses: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
