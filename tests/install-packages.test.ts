import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { install, withSitePackages } from "../scripts/packages.mjs";

const version = "1.0.0";
/** A lock file in npm's format, for a small product. */
const locked = {
  "": { dependencies: { "of-server": version }, devDependencies: { "of-tests": version } },
  app: { dependencies: { "of-server": version, "of-site": version } },
  "node_modules/app": { resolved: "app", link: true },
  "node_modules/of-server": { version, dependencies: { part: version }, optionalDependencies: { elsewhere: version } },
  "node_modules/of-server/node_modules/part": { version },
  "node_modules/elsewhere": { version, optional: true },
  "node_modules/of-site": { version, dependencies: { "@site/part": version } },
  "node_modules/@site/part": { version },
  "node_modules/of-tests": { version, dev: true },
};
const ofRun = ["node_modules/of-server", "node_modules/of-server/node_modules/part"];
const ofSite = ["node_modules/@site/part", "node_modules/app", "node_modules/of-site"];
const paths = { run: ofRun, site: [...ofSite, ...ofRun], tests: [...ofSite, ...ofRun, "node_modules/of-tests"] };

it.each(["run", "site", "tests"] as const)(
  "What %s needs is installed once, whatever the shell says",
  async (extent) => {
    vi.stubEnv("NODE_ENV", "production");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { act, asked, there } = makeProject();
    for (let time = 0; time < 2; time++) await act((runNpm) => install(extent, runNpm));
    expect(asked).toHaveLength(1);
    expect(there().toSorted()).toEqual(paths[extent].toSorted());
  },
);

it("A package that was removed, or that the lock file has in another version, is installed", async () => {
  const { act, asked, folder } = makeProject();
  await act((runNpm) => install("run", runNpm));
  rmSync(join(folder, "node_modules/of-server/node_modules/part"), { recursive: true });
  await act((runNpm) => install("run", runNpm));
  expect(asked).toHaveLength(2);
  writeLock(folder, { ...locked, "node_modules/of-server": { ...locked["node_modules/of-server"], version: "1.0.1" } });
  await act((runNpm) => install("run", runNpm));
  expect(asked).toHaveLength(3);
});

it("A start keeps what the tests have brought up to date with the rest", async () => {
  const { act, there, folder } = makeProject();
  await act((runNpm) => install("tests", runNpm));
  writeLock(folder, { ...locked, "node_modules/of-server": { ...locked["node_modules/of-server"], version: "1.0.1" } });
  await act((runNpm) => install("run", runNpm));
  expect(there()).toContain("node_modules/of-tests");
});

it("What the site is built with comes for a build and is gone after it, with its folders and links", async () => {
  const { act, asked, there, folder } = makeProject();
  await act((runNpm) => install("run", runNpm));
  for (let build = 1; build <= 2; build++) {
    await act((runNpm) => withSitePackages(() => expect(there()).toContain("node_modules/of-site"), runNpm));
    expect(there().toSorted()).toEqual(ofRun);
    const left = ["@site", "of-site", "app", ".bin/of-site"].filter((name) =>
      existsSync(join(folder, "node_modules", name)),
    );
    expect(left).toEqual([]);
    expect(existsSync(join(folder, "node_modules/.bin/of-server"))).toBe(true);
    await act((runNpm) => install("run", runNpm));
    expect(asked).toHaveLength(1 + build);
  }
});

it.each(["site", "tests"] as const)("Where %s has brought it before, it stays", async (extent) => {
  const { act, asked, there } = makeProject();
  await act((runNpm) => install(extent, runNpm));
  await act((runNpm) => withSitePackages(() => {}, runNpm));
  expect(asked).toHaveLength(1);
  expect(there().toSorted()).toEqual(paths[extent].toSorted());
});

/** A folder with the lock file, and an npm that installs what the real one would. */
function makeProject() {
  const folder = mkdtempSync(join(tmpdir(), "prahari-packages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeLock(folder, locked);
  mkdirSync(join(folder, "app"));
  const asked: string[][] = [];
  const npm = (args: string[]) => {
    asked.push(args);
    bring(args);
  };
  return {
    folder,
    asked,
    /** The installed packages, from npm's record. */
    there: () =>
      Object.keys(readLock(join(folder, "node_modules/.package-lock.json"))).filter((path) => path !== "app"),
    /** Runs in the product's folder, as `scripts/run.mjs` does. */
    async act(work: (runNpm: typeof npm) => Promise<void>) {
      const before = process.cwd();
      process.chdir(folder);
      try {
        await work(npm);
      } finally {
        process.chdir(before);
      }
    },
  };
}

/** Installs as npm does: development packages and workspaces by its options, nothing for other platforms. */
function bring(args: string[]): void {
  const packages = readLock("package-lock.json");
  const isProduction = process.env["NODE_ENV"] === "production" && !args.includes("--include=dev");
  const omitsDevelopment = args.includes("--omit=dev") || isProduction;
  const brought = Object.entries(packages).filter(
    ([path, { dev, optional }]) =>
      path !== "" &&
      !(dev && omitsDevelopment) &&
      !(ofSite.concat("app").includes(path) && args.includes("--workspaces=false")) &&
      !optional,
  );
  rmSync("node_modules", { recursive: true, force: true });
  mkdirSync("node_modules/.bin", { recursive: true });
  for (const [path, { link }] of brought) {
    mkdirSync(link ? dirname(path) : path, { recursive: true });
    if (link) symlinkSync("../app", path);
    else if (dirname(path) === "node_modules")
      symlinkSync(`../${basename(path)}`, join("node_modules/.bin", basename(path)));
  }
  writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: Object.fromEntries(brought) }));
}

interface Locked {
  version?: string;
  dependencies?: Record<string, string>;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
}
type Packages = Record<string, Locked>;

function writeLock(folder: string, packages: Packages): void {
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages }));
}

function readLock(path: string): Packages {
  return (JSON.parse(readFileSync(path, "utf8")) as { packages: Packages }).packages;
}
