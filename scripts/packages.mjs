// Which packages a command needs, and how they come and go: those that run, those the site is built with, those of the tests.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** From the least to all; each holds those before it. */
const extents = ["run", "site", "tests"];
const installing = {
  run: ["--omit=dev", "--workspaces=false"],
  site: ["--omit=dev"],
  // Said to npm, as it leaves them out where the shell has NODE_ENV=production.
  tests: ["--include=dev"],
};
/** npm writes its record of what is there as the last step of an installation. */
const recordPath = join("node_modules", ".package-lock.json");

/**
 * Answers the paths of the packages that an extent needs, by the lock file: what the root names and, from there, whatever is
 * named; with the site what app/package.json names, with the tests also what the root has for development.
 * @param {Record<string, object>} locked `packages` of the lock file
 * @param {"run" | "site" | "tests"} extent
 * @returns {Set<string>}
 */
export function packagesFor(locked, extent) {
  const roots = extent === "run" ? [""] : ["", "app"];
  const found = new Set();
  const visit = (path) => {
    const { dependencies, optionalDependencies, devDependencies } = locked[path];
    const named = {
      ...dependencies,
      ...optionalDependencies,
      ...(path === "" && extent === "tests" && devDependencies),
    };
    for (const name of Object.keys(named)) {
      const there = resolvePackage(locked, path, name);
      if (there === null || found.has(there)) continue;
      found.add(there);
      visit(there);
    }
  };
  for (const root of roots) visit(root);
  return found;
}

/** Where Node looks for a package: beside the one that asks, then further and further up. */
export function resolvePackage(locked, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`;
    if (path in locked) return path;
    if (folder === "") return null;
  }
}

/** Installs what is missing of an extent. Whoever has more, as for the tests, keeps it up to date with the rest. */
export async function install(extent, runNpm) {
  if (missing(extent).length === 0) return;
  const wanted = extents[Math.max(extents.indexOf(extent), extents.indexOf(extentThere()))];
  console.log("Installing the packages …");
  // Not "npm ci": that begins by deleting all there is. Warnings are left out, because Node 20 may install what only Node 24 runs.
  await runNpm(["install", "--no-save", "--loglevel=error", "--no-fund", "--no-audit", ...installing[wanted]]);
}

/** Does what needs the packages of the site. Where they were not there, they are not there afterwards either. */
export async function withSitePackages(act, runNpm) {
  const broughtForThis = missing("site").length > 0 && extentThere() === "run";
  await install("site", runNpm);
  await act();
  if (broughtForThis) removeSitePackages();
}

function missing(extent) {
  const [locked, there] = [readLock("package-lock.json"), readLock(recordPath)];
  const isThere = (path) => there[path]?.version === locked[path].version && existsSync(path);
  return [...packagesFor(locked, extent)].filter((path) => !locked[path].optional && !isThere(path));
}

/** The largest extent of which something is there that a smaller one does not have. */
function extentThere() {
  const [locked, there] = [readLock("package-lock.json"), readLock(recordPath)];
  const [run, site] = [packagesFor(locked, "run"), packagesFor(locked, "site")];
  const named = (path) =>
    Object.keys({ ...locked[path].dependencies, ...(path === "" && locked[path].devDependencies) });
  const isThere = (path, within) =>
    named(path).some((name) => `node_modules/${name}` in there && !within.has(`node_modules/${name}`));
  if (isThere("", site)) return "tests";
  return isThere("app", run) ? "site" : "run";
}

function removeSitePackages() {
  const run = packagesFor(readLock("package-lock.json"), "run");
  const record = JSON.parse(readFileSync(recordPath, "utf8"));
  const removed = Object.keys(record.packages).filter((path) => path.startsWith("node_modules/") && !run.has(path));
  for (const path of removed) rmSync(path, { recursive: true, force: true });
  for (const path of [...removed, "app"]) delete record.packages[path];
  for (const scope of new Set(removed.map(dirname))) removeIfEmpty(scope);
  removeDanglingLinks(join("node_modules", ".bin"));
  writeFileSync(recordPath, JSON.stringify(record, null, 2));
}

function removeIfEmpty(folder) {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}

function removeDanglingLinks(folder) {
  for (const name of readdirSync(folder))
    if (!existsSync(join(folder, name))) rmSync(join(folder, name), { force: true });
}

function readLock(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {};
}
