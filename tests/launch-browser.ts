import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { platform } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

const root = resolve(import.meta.dirname, "..");

/** The browser that comes inside the npm package; where it can't run, the system's Chrome. */
export async function launchBrowser(more: string[] = []): Promise<Browser> {
  if (platform() !== "linux") return chromium.launch({ channel: "chrome", args: more });
  const options = {
    executablePath: await unpackBrowser(),
    // Root may not use Chromium's own sandbox; the pages it opens here are ours.
    args: ["--no-sandbox", "--disable-gpu", ...more],
  };
  // It was seen to crash before any page was there, which is no fault of what is tested.
  return chromium.launch(options).catch(() => chromium.launch(options));
}

/**
 * Where the packaged browser is. It is unpacked aside and put in its place as a whole, so that nobody starts a half of it:
 * several processes may come here at once, and any of them may be killed.
 */
export async function unpackBrowser(): Promise<string> {
  const manifest = readFileSync(join(root, "node_modules/@sparticuz/chromium/package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const caches = join(root, "node_modules", ".cache");
  const folder = join(caches, `chromium-${version}`);
  const program = join(folder, "chromium");
  if (existsSync(program)) return program;
  mkdirSync(caches, { recursive: true });
  const aside = mkdtempSync(`${folder}-`);
  const unpack = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
  // Its own process: the package unpacks into the folder for temporary files, which belongs to a whole process.
  const options = { cwd: root, env: { ...process.env, TMPDIR: aside } };
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", unpack], options);
  try {
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(program)) throw error;
  }
  return program;
}
