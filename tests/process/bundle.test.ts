import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeDataDir, startRefused } from "./running-product.ts";

/** Makes locking the data folder fail in an unforeseen way. */
const breaksTheLock = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { linkSync, copyFileSync } = fs;
  const broken = (whole) => (from, to, ...rest) => {
    if (to.endsWith("prahari.pid")) throw new Error("The disk is on fire");
    whole(from, to, ...rest);
  };
  Object.assign(fs, { linkSync: broken(linkSync), copyFileSync: broken(copyFileSync) });
  syncBuiltinESMExports();`;

it("An error of the bundled server names the file and the line of its source", async () => {
  const dataDir = makeDataDir();
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const preload = `--import=data:text/javascript,${encodeURIComponent(breaksTheLock)}`;
  const { code, said } = await startRefused({ DATA_DIR: dataDir, NODE_OPTIONS: preload });
  expect(code).toBe(1);
  const file = join("server", "database", "lock-data-folder.ts");
  const line =
    readFileSync(file, "utf8")
      .split("\n")
      .findIndex((text) => text.includes("copyFileSync(from, to")) + 1;
  expect(said).toContain(`${file}:${line}:`);
});

it("Both bundles are plain letters: one beyond them, in a tagged template, would double what a file takes in memory", () => {
  const files = ["build/product/main.js", ...globSync("build/server/*.js")];
  const found = files.flatMap((file) => readFileSync(file, "utf8").match(/.{0,40}[^\0-\x7f].{0,40}/g) ?? []);
  expect([files.length, found]).toEqual([2, []]);
});
