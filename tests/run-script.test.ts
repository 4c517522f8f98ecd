import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

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

/** A clone in which nothing is installed yet, with a folder of programs that has Node alone, as some systems' packages of it do. */
function makeClone(): string {
  const folder = mkdtempSync(join(tmpdir(), "prahari-clone-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["scripts", "package.json", "package-lock.json", "app/package.json", "server/process"])
    cpSync(name, join(folder, name), { recursive: true });
  mkdirSync(join(folder, "bin"));
  symlinkSync(process.execPath, join(folder, "bin", "node"));
  return folder;
}
