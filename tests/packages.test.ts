import { existsSync, globSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packagesFor, resolvePackage } from "../scripts/packages.mjs";

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}
interface Locked extends Partial<Manifest> {
  optional?: boolean;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const root = read("package.json") as Manifest;
const site = read("app/package.json") as Manifest;
const locked = (read("package-lock.json") as { packages: Record<string, Locked> }).packages;
const largestMegabytes = 500;

describe("What a start installs", () => {
  const run = packagesFor(locked, "run");

  it("weighs less than 500 MB, with what the site is built with gone again", () => {
    const bytes = [...run].map(bytesUnder).reduce((sum, each) => sum + each, 0);
    expect(bytes / 1024 ** 2).toBeGreaterThan(100);
    expect(bytes / 1024 ** 2).toBeLessThan(largestMegabytes);
  });
  it("has every package that the server's source names", () => {
    const lacking = packagesNamedIn("{server,contract}/**/*.{ts,mjs}").filter((name) => !(name in root.dependencies));
    expect(lacking).toEqual([]);
  });
  it("may run its script of installation on each platform, without which npm 12 leaves Node and PostgreSQL unfinished", () => {
    const scripted = [...run].filter((path) => locked[path]?.hasInstallScript);
    expect(scripted.length).toBeGreaterThan(7);
    const named = Object.keys(root.allowScripts ?? {});
    expect(scripted.filter((path) => !named.includes(path.replace(/^.*node_modules\//, "")))).toEqual([]);
  });
  it("has nothing that only the tests need, and less than the build of the site", () => {
    const development = [...run].filter((path) => "dev" in (locked[path] ?? {}));
    expect(development).toEqual([]);
    expect(run).not.toContain("node_modules/vite");
    const withSite = packagesFor(locked, "site");
    expect([...run].filter((path) => !withSite.has(path))).toEqual([]);
    expect(withSite).toContain("node_modules/vite");
  });
});

it("The site is built with what app/package.json names, at the versions of the server's", () => {
  const named = packagesNamedIn("{app,contract}/**/*.{ts,tsx}").concat("vite", "@react-router/dev");
  expect(named.filter((name) => !(name in site.dependencies))).toEqual([]);
  const shared = Object.entries(root.dependencies).filter(([name]) => name in site.dependencies);
  expect(Object.fromEntries(shared)).toEqual(
    Object.fromEntries(shared.map(([name]) => [name, site.dependencies[name]])),
  );
});

describe("The lock file", () => {
  it("has every package that any platform needs, without which `npm ci` installs nothing at all", () => {
    const lacking = Object.entries(locked).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => resolvePackage(locked, path, name) === null)
        .map((name) => `${name} of ${path}`),
    );
    expect(lacking).toEqual([]);
  });
  it("tells the platform of each native package by its name", () => {
    const natives = Object.entries(locked).filter(([path]) =>
      /-(linux|darwin|win32)-|\/(linux|darwin|win32)-/.test(path),
    );
    expect(natives.length).toBeGreaterThan(100);
    const others = natives.filter(([path, { os = [], cpu = [], libc = ["glibc"] }]) => {
      const isNamed = os.some((system) => cpu.some((processor) => path.includes(`${system}-${processor}`)));
      return !isNamed || path.endsWith("-musl") !== (libc[0] === "musl");
    });
    expect(others.map(([path]) => path)).toEqual([]);
  });
});

/** A package's size on disk, without the packages nested in it, which count for themselves. */
function bytesUnder(folder: string): number {
  if (!existsSync(folder)) return 0; // for another platform
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== "node_modules");
  const sizes = entries.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? bytesUnder(path) : lstatSync(path).blocks * 512;
  });
  return sizes.reduce((sum, each) => sum + each, 0);
}

function packagesNamedIn(pattern: string): string[] {
  const named = /(?:^import\b(?:[^;"]*?\bfrom)?|^export\b[^;"=]*?\bfrom|\bimport\()\s*"((?:@[^/"]+\/)?[^./"][^/"]*)/gm;
  const texts = globSync(pattern)
    .filter((file) => !/\.test\./.test(file))
    .map((file) => readFileSync(file, "utf8"));
  const names = texts.flatMap((text) => Array.from(text.matchAll(named), ([, name = ""]) => name));
  return [...new Set(names)].filter((name) => !name.startsWith("node:"));
}
