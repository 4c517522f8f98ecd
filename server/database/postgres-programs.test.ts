import { spawnSync } from "node:child_process";
import { cpSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findPrograms, makeMissingLinks } from "./postgres-programs.ts";

it("PostgreSQL's programs run also where npm ran no script that links their libraries", async () => {
  const { folder, majorVersion } = await findPrograms({});
  const copy = mkdtempSync(join(tmpdir(), "prahari-programs-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  const withoutLinks = (path: string) => !lstatSync(path).isSymbolicLink() && !/\/share$|\.a$/.test(path);
  cpSync(dirname(folder), copy, { recursive: true, filter: withoutLinks });
  const version = () => spawnSync(join(copy, "bin", "initdb"), ["--version"], { encoding: "utf8" });
  expect(version().status).not.toBe(0);
  for (let start = 0; start < 2; start++) makeMissingLinks(copy);
  expect(version().stdout).toMatch(new RegExp(`^initdb \\(PostgreSQL\\) ${majorVersion}\\.`));
});
