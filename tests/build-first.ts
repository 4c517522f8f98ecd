import { execFileSync } from "node:child_process";

/** These tests start what is built, so it is built anew when its source has changed. */
export default function buildFirst(): void {
  execFileSync(process.execPath, ["scripts/run.mjs", "build"], { stdio: "inherit" });
}
