// Does all the set-up that a command needs, on any Node from 20 on: installs, builds, then hands over to the Node
// version of package.json.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { endWithThisProcess } from "../server/process/end-with-this-process.mjs";
import { install, withSitePackages } from "./packages.mjs";

// Without this, the process may hang at exit; scripts/node-options.json explains it.
setFlagsFromString("--no-concurrent-sparkplug");

const startedBy = { parent: process.ppid, grandparent: shellsParent(process.ppid) };
const root = fileURLToPath(new URL("..", import.meta.url));
const calledFrom = process.env.INIT_CWD ?? process.cwd();
process.chdir(root);
const binaries = join(root, "node_modules", ".bin");
const env = {
  // Keeps compiled code between starts, which halves the time of a start.
  NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"),
  ...process.env,
  PATH: `${binaries}${delimiter}${process.env.PATH}`,
};

const format = ["oxfmt", "--check"];
const lint = ["oxlint", "--type-aware", "--deny-warnings"];
// Each checker reads its share of the types anew: more checkers than cores only wait for each other.
const types = ["tsc", "--noEmit", "--checkers", String(Math.min(4, availableParallelism()))];
/** Lint and types in one pass, which reads the program once. */
const lintAndTypes = [...lint, "--type-check"];

const commands = {
  async start() {
    await build();
    const options = JSON.parse(readFileSync("scripts/node-options.json", "utf8"));
    become("node", [...options.arguments, options.program], { ...options.environment, ...env });
  },
  dev() {
    const server = { ...env, PORT: "3001", PUBLIC_URL: "http://localhost:3000" };
    launch("node", ["--watch", "--watch-preserve-output", "server/main.ts"], server);
    become("react-router", ["dev"], env);
  },
  build,
  async test() {
    await together([format, lintAndTypes, ["node", "scripts/run.mjs", "build"]]);
    if (!process.exitCode) become("vitest", ["run", ...rest], env);
  },
  /**
   * The checks for a change in progress: lint of the changed files, types of everything they affect, and the tests that
   * import a changed file.
   */
  check() {
    const changed = changedFiles();
    const tests = testsOf(changed);
    if (tests.length === 0) console.log("No test beside or of a changed file.");
    void together([
      format,
      [...lint, ...changed.filter((file) => /\.(m?ts|tsx|mjs)$/.test(file) && existsSync(file))],
      // The results of the last check, kept beside the installed packages that they depend on.
      [...types, "--incremental", "--tsBuildInfoFile", join("node_modules", ".cache", "types.tsbuildinfo")],
      ...(tests.length > 0 ? [["vitest", "run", "--project", "server", "--reporter", "dot", ...tests]] : []),
    ]);
  },
  async bench() {
    await build();
    await step("node", [join("bench", "run.ts"), ...rest]);
  },
  "admin:create": () => work("admin-create", rest),
  verify: () => work("verify", rest.map(asCalled)),
  "audit:verify": () => work("audit-verify", rest),
  "engines:reseal": () => work("engines-reseal", rest),
  backup: () => work("backup", rest.map(asCalled)),
  restore: () => work("restore", rest.map(asCalled)),
};

const [name = "", ...rest] = process.argv.slice(2);
const forDevelopment = ["dev", "test", "check", "bench"];
await install(forDevelopment.includes(name) ? "tests" : "run", (args) => step("npm", args));
await commands[name]?.();

/** Runs a command that works on the product's data. */
async function work(command, args) {
  await build(["build/product"]);
  become("node", [join("build", "product", `${command}.js`), ...args], env);
}

/** Resolves a path against the folder of the caller; npm runs scripts elsewhere. */
function asCalled(argument) {
  return argument.startsWith("-") ? argument : resolve(calledFrom, argument);
}

/** Builds the site and the server, each only when one of its sources changed. */
async function build(folders = ["build", "build/product"]) {
  // Overrides the shell's value, such as the tests': React's development build is twice as large and half as fast.
  const forProduction = { ...env, NODE_ENV: "production" };
  const parts = [
    {
      folder: "build",
      sources: [
        "app",
        "contract",
        "public",
        "scripts",
        "package-lock.json",
        "vite.config.ts",
        "react-router.config.ts",
      ],
      async make() {
        console.log("Building the site …");
        for (const part of ["client", "server"]) rmSync(join("build", part), { recursive: true, force: true });
        await step("react-router", ["build", "--logLevel", "warn"], forProduction);
        await step("node", ["scripts/compress.ts"]);
      },
    },
    {
      folder: "build/product",
      sources: ["server", "contract", "scripts/bundle-server.ts", "package-lock.json"],
      make: () => step("node", ["scripts/bundle-server.ts"], forProduction),
    },
  ];
  const stale = parts.filter((part) => folders.includes(part.folder) && !isUpToDate(part));
  if (stale.length > 0)
    await withSitePackages(
      async () => {
        for (const part of stale) await makeUpToDate(part);
      },
      (args) => step("npm", args),
    );
}

function isUpToDate({ folder, sources }) {
  const stamp = stampOf(folder);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint(sources);
}

async function makeUpToDate({ folder, sources, make }) {
  const made = fingerprint(sources);
  rmSync(stampOf(folder), { force: true });
  await make();
  mkdirSync(folder, { recursive: true });
  writeFileSync(stampOf(folder), made);
}

/** The file that records what a folder was built from. */
function stampOf(folder) {
  return join(folder, ".built");
}

function fingerprint(sources) {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(filesUnder).toSorted()) hash.update(file).update("\0").update(readFileSync(file));
  return hash.digest("hex");
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path).flatMap((entry) => filesUnder(join(path, entry)));
}

/** Runs a command to its end; if it fails, this process exits with its code. */
async function step(command, args, environment = env) {
  const child = launch(command, args, environment);
  const stopLooking = whenNpmIsGone(() => process.exit(1));
  const [code] = await once(child, "exit").catch((error) => {
    console.error(notStarted(command, error));
    process.exit(1);
  });
  if (code !== 0) process.exit(code ?? 1);
  stopLooking();
}

function notStarted(command, { code, message }) {
  if (code === "ENOENT") return `${command} was not found: please install it, and start this again.`;
  return `${command} could not be started (${message}): please see to that, and start this again.`;
}

/** Runs commands side by side, prints the output of those that fail, and sets the exit code to their number. */
async function together(all) {
  whenNpmIsGone(() => process.exit(1));
  const outcomes = await Promise.all(all.map(([command, ...args]) => outcomeOf(command, args)));
  const failed = outcomes.filter((isGood) => !isGood).length;
  if (failed > 0) process.exitCode = failed;
}

async function outcomeOf(command, args) {
  const begin = () => spawn(command, args, { env, shell: process.platform === "win32" });
  const child = endWithThisProcess("SIGTERM", begin);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const [code] = await once(child, "close");
  console.log(`${code === 0 ? "✓" : "✗"} ${[command, ...args].join(" ")}`);
  if (code !== 0) console.log(said);
  return code === 0;
}

/** Files that differ from the last commit or are new. */
function changedFiles() {
  const git = (...args) => spawnSync("git", args, { encoding: "utf8" }).stdout.split("\n").filter(Boolean);
  return [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
}

/** Test files among the changed ones, or that import one of them. Browser and process tests are left to `npm test`. */
function testsOf(changed) {
  const tests = ["contract", "app", "server", "tests"]
    .flatMap(filesUnder)
    .filter((file) => file.endsWith(".test.ts") && !/^tests.(journeys|process)/.test(file));
  const imported = (test) =>
    Array.from(readFileSync(test, "utf8").matchAll(/from "(\.[^"]+)"/g), ([, path]) => join(test, "..", path));
  return tests.filter((test) => [test, ...imported(test)].some((file) => changed.includes(file.replaceAll("\\", "/"))));
}

/** Runs the last command; passes signals on, so that Ctrl+C and SIGTERM stop it cleanly. */
function become(command, args, environment) {
  const child = launch(command, args, environment);
  // Ctrl+C reaches the child directly, as it shares the terminal; this process only has to wait for it.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  whenNpmIsGone(() => child.kill("SIGTERM"));
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

/** Starts a child that ends with this process, however this process ends. */
function launch(command, args, environment) {
  const options = { stdio: "inherit", env: environment, shell: process.platform === "win32" };
  const child = endWithThisProcess("SIGTERM", () => spawn(command, args, options));
  process.once("exit", () => child.kill("SIGTERM"));
  return child;
}

/**
 * Calls `act` when npm has ended without its script: npm passes SIGTERM only to a shell in between, and SIGKILL to
 * nobody. Answers a function that stops the watch.
 */
function whenNpmIsGone(act) {
  if (process.env.npm_lifecycle_event !== name) return () => {};
  const { parent, grandparent } = startedBy;
  const look = setInterval(() => {
    if (process.ppid === parent && shellsParent(parent) === grandparent) return;
    clearInterval(look);
    act();
  }, 500).unref();
  return () => clearInterval(look);
}

/** The parent of a shell that runs one command; null where npm started this process without one, or /proc is missing. */
function shellsParent(pid) {
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[1] !== "-c") return null;
    return /\nPPid:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? null;
  } catch {
    return null;
  }
}
