import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isAlive } from "../server/database/running-process.ts";

it.each(["build", "start"])(
  "Where there is no npm, '%s' says so and fails: an upgrade must not go on to what is not built",
  (name) => {
    const folder = makeClone();
    const { status, stderr } = spawnSync(join(folder, "bin", "node"), ["scripts/run.mjs", name], {
      cwd: folder,
      env: { PATH: join(folder, "bin") },
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, "npm was not found: please install it, and start this again.\n"]);
  },
);

describe("An installation ends with the start that began it", () => {
  it.each(["SIGTERM", "SIGKILL"] as const)("when that gets %s", async (signal) => {
    const { start, installation } = startInstalling(["scripts/run.mjs", "start"], {});
    const pid = await installation();
    start.kill(signal);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
  it("when the npm of that is killed, which tells it nothing", async () => {
    const asNpm = `child_process.spawn(process.execPath, ["scripts/run.mjs", "start"], { stdio: "ignore" })`;
    const { start, installation } = startInstalling(["-e", asNpm], { npm_lifecycle_event: "start" });
    const pid = await installation();
    start.kill("SIGKILL");
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

/**
 * Starts in a clone whose npm runs for longer than a test; `installation` waits until that npm runs and answers its
 * process id.
 */
function startInstalling(args: string[], variables: Record<string, string>) {
  const folder = makeClone();
  const [npm, note] = [join(folder, "bin", "npm"), join(folder, "npm.pid")];
  writeFileSync(npm, `#!/bin/sh\necho $$ > "${note}"\nexec sleep 300\n`, { mode: 0o755 });
  const start = spawn(join(folder, "bin", "node"), args, {
    cwd: folder,
    env: { PATH: `${join(folder, "bin")}:/usr/bin:/bin`, ...variables },
    stdio: "ignore",
  });
  const noted = () => (existsSync(note) ? Number(readFileSync(note, "utf8")) : 0);
  onTestFinished(() => {
    start.kill("SIGKILL");
    if (noted() && isAlive(noted())) process.kill(noted(), "SIGKILL");
  });
  const installation = async () => {
    await expect.poll(noted).toBeGreaterThan(0);
    return noted();
  };
  return { start, installation };
}

/**
 * A clone without installed packages, with a folder of programs that has Node alone, as some systems' packages of it
 * do.
 */
function makeClone(): string {
  const folder = mkdtempSync(join(tmpdir(), "prahari-clone-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["scripts", "package.json", "package-lock.json", "app/package.json", "server/process"])
    cpSync(name, join(folder, name), { recursive: true });
  mkdirSync(join(folder, "bin"));
  symlinkSync(process.execPath, join(folder, "bin", "node"));
  return folder;
}
