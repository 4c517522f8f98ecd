import { expect, it } from "vitest";
import { reasonOf } from "./program-reason.ts";

const full = '2026-11-30 02:25:23.336 UTC [12916] FATAL:  could not extend file "base/1/2691": No space left on device';

it.each([
  [
    "initdb on a full disk",
    [
      full,
      "2026-11-30 02:25:23.336 UTC [12916] HINT:  Check free disk space.",
      "2026-11-30 02:25:23.336 UTC [12916] PANIC:  cannot abort transaction 1, it was already committed",
      "child process exited with exit code 134",
      'initdb: removing contents of data directory "/data/postgres.unfinished"',
    ],
    full,
  ],
  [
    "initdb that can't write a file itself",
    [
      'initdb: error: could not write file "/data/postgres.unfinished/postgresql.conf": No space left on device',
      'initdb: removing contents of data directory "/data/postgres.unfinished"',
    ],
    'initdb: error: could not write file "/data/postgres.unfinished/postgresql.conf": No space left on device',
  ],
  ["a program that names no error", ["Something", "went wrong"], "went wrong"],
])("The reason of %s is named", (_, said, reason) => {
  expect(reasonOf(Object.assign(new Error("Command failed"), { stderr: Buffer.from(`${said.join("\n")}\n`) }))).toBe(
    reason,
  );
});

it("A program that could not be run has its error's text for a reason", () => {
  expect(reasonOf(new Error("spawn initdb ENOENT"))).toBe("Error: spawn initdb ENOENT");
});
