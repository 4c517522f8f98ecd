import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockDataFolder } from "./lock-data-folder.ts";
import { startOf } from "./running-process.ts";

let folder: string;
let others: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "prahari-lock-"));
  others = [];
});
afterEach(() => {
  for (const other of others) other.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

it("A folder that a living process holds is refused, and free again once it lets go", () => {
  const holder = start("sleep", "600");
  writeLock(holder.pid, startOf(holder.pid ?? 0));
  expect(() => lockDataFolder(folder)).toThrow(
    `Another copy (process ${holder.pid}) already runs with the data folder ${folder}.`,
  );
  rmSync(join(folder, "prahari.pid"));
  lockDataFolder(folder)();
  expect(readdirSync(folder)).toEqual([]);
});

it("A number that was given to another program since does not hold it, whatever that program is called", () => {
  // A single process without a shell: a shell's child would live on and hold the run's output open.
  const stranger = start(process.execPath, "-e", "setInterval(() => {}, 1000)", "server/main.ts");
  writeLock(stranger.pid, "before this one began");
  expect(lockDataFolder(folder)).not.toThrow();
});

it.each(["", "nonsense", "0\n", "-4000000\n"])("A lock that says %j holds nothing", (text) => {
  writeFileSync(join(folder, "prahari.pid"), text);
  expect(lockDataFolder(folder)).not.toThrow();
});

it("Nothing is left of a lock for which the disk has no room", ({ skip }) => {
  skip(!existsSync("/dev/full"), "only Linux has a disk that is always full");
  symlinkSync("/dev/full", join(folder, `prahari.pid.${process.pid}`));
  expect(() => lockDataFolder(folder)).toThrow("ENOSPC");
  expect(readdirSync(folder)).toEqual([]);
});

it("Of many that come at once upon the lock of a dead process, one gets the folder", async () => {
  const dead = start("true");
  await once(dead, "exit");
  writeLock(dead.pid, "whenever");
  const path = join(import.meta.dirname, "lock-data-folder.ts");
  const script = `
    const { lockDataFolder } = await import(${JSON.stringify(path)});
    while (!(await import("node:fs")).existsSync(${JSON.stringify(join(folder, "go"))}));
    try { lockDataFolder(${JSON.stringify(folder)}); console.log("mine"); } catch { console.log("refused"); }
    setInterval(() => {}, 1000);`;
  const answers = Array.from({ length: 5 }, async () => {
    const other = start(process.execPath, "--input-type=module", "-e", script);
    const [said] = (await once(other.stdout ?? other, "data")) as [Buffer];
    return said.toString().trim();
  });
  await new Promise((later) => setTimeout(later, 1000));
  writeFileSync(join(folder, "go"), "");
  expect((await Promise.all(answers)).toSorted()).toEqual(["mine", "refused", "refused", "refused", "refused"]);
  expect(existsSync(join(folder, "prahari.pid"))).toBe(true);
});

function writeLock(pid: number | undefined, started: string | null): void {
  writeFileSync(join(folder, "prahari.pid"), `${pid}\n${started}\n`);
}

function start(program: string, ...args: string[]): ChildProcess {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  others.push(child);
  return child;
}
