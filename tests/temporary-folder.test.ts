import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { expect, test } from "vitest";

/** The temporary folder that a test run would use, given this TMPDIR. */
function folderOfARun(given?: string): string {
  const { TMPDIR: _own, ...surroundings } = process.env;
  const print = `import { keepTemporaryFilesInMemory } from "./tests/temporary-folder.ts";
    keepTemporaryFilesInMemory(); console.log(process.env.TMPDIR)`;
  const env = { ...surroundings, ...(given && { TMPDIR: given }) };
  return execFileSync(process.execPath, ["--input-type=module", "--eval", print], { env, encoding: "utf8" }).trim();
}

test("files of a run stay where they were told to be", () => {
  expect(folderOfARun("/var/tmp")).toBe("/var/tmp");
});

test.skipIf(!process.env["TMPDIR"]?.startsWith("/dev/shm/"))(
  "files of a run in memory go with it, and those of one that was killed with the next",
  () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const ofKilledRun = `/dev/shm/prahari-tests-${pid}`;
    mkdirSync(`${ofKilledRun}/prahari-data-x`, { recursive: true });
    const folder = folderOfARun();
    expect(folder).toMatch(/^\/dev\/shm\/prahari-tests-\d+$/);
    expect([folder, ofKilledRun, process.env["TMPDIR"] ?? ""].map(existsSync)).toEqual([false, false, true]);
  },
);
