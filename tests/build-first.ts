import { execFileSync } from "node:child_process";
import { platform } from "node:os";
import { unpackBrowser } from "./launch-browser.ts";

/**
 * Process and journey tests start the built product, so it is rebuilt when its source has changed; a browser is
 * unpacked before any test needs it.
 */
export default async function prepareProduct(): Promise<void> {
  execFileSync(process.execPath, ["scripts/run.mjs", "build"], { stdio: "inherit" });
  if (platform() === "linux") await unpackBrowser();
}
