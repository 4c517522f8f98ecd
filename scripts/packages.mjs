// Which packages a command needs, and how they are installed and removed: those to run, to build the site, and to test.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** From the smallest set to all packages; each contains those before it. */
const extents = ["run", "site", "tests"];
const installing = {
  run: ["--omit=dev", "--workspaces=false"],
  site: ["--omit=dev"],
  // Explicit, because npm omits them where the shell has NODE_ENV=production.
  tests: ["--include=dev"],
};
/** npm writes its record of the installed packages as the last step of an installation. */
const recordPath = join("node_modules", ".package-lock.json");

/**
 * The paths of the packages that an extent needs, from the lock file: the root's dependencies and everything reached
 * from them; for the site also those of app/package.json, for the tests also the root's development dependencies.
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

/** Where Node looks for a package: beside the importing one, then in each folder further up. */
export function resolvePackage(locked, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`;
    if (path in locked) return path;
    if (folder === "") return null;
  }
}

/**
 * Installs what an extent lacks. A larger extent that is already installed, such as the tests', is updated as a whole.
 */
export async function install(extent, runNpm) {
  if (missing(extent).length === 0) return;
  const wanted = extents[Math.max(extents.indexOf(extent), extents.indexOf(extentThere()))];
  console.log("Installing the packages …");
  // Not "npm ci", which begins by deleting everything. Warnings are hidden, because Node 20 may install packages that
  // need Node 24.
  await runNpm(["install", "--no-save", "--loglevel=error", "--no-fund", "--no-audit", ...installing[wanted]]);
}

/** Runs `act` with the site's packages installed. If they were missing before, they are removed afterwards. */
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

/** The largest extent that has a package installed beyond those of the smaller ones. */
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
