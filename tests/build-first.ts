import { execFileSync } from "node:child_process";
import { platform } from "node:os";
import { unpackBrowser } from "./launch-browser.ts";

/** These tests start what is built, so it is built anew when its source has changed; and a browser, unpacked before any needs it. */
export default async function prepareProduct(): Promise<void> {
  execFileSync(process.execPath, ["scripts/run.mjs", "build"], { stdio: "inherit" });
  if (platform() === "linux") await unpackBrowser();
}
