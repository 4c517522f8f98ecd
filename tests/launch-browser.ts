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
    // Chromium's sandbox does not work as root; the pages opened here are ours.
    args: ["--no-sandbox", "--disable-gpu", ...more],
  };
  // It sometimes crashes before any page is open, which is not the fault of the code under test.
  return chromium.launch(options).catch(() => chromium.launch(options));
}

/**
 * The path of the packaged browser. It is unpacked into another folder and then moved into place, so that nobody starts
 * half of it: several processes may come here at once, and any of them may be killed.
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
  // In a process of its own: the package unpacks into the temporary folder, which is set for a whole process.
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
