import chromiumBinary from "@sparticuz/chromium";
import { existsSync } from "node:fs";
import { platform } from "node:os";
import { type Browser, chromium } from "playwright-core";

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
