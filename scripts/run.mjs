// Does all the set-up a command needs, on any Node from 20 on: installs, builds, then hands over to the Node of package.json.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { endWithThisProcess } from "../server/process/end-with-this-process.mjs";
import { install, withSitePackages } from "./packages.mjs";

const startedBy = { parent: process.ppid, grandparent: shellsParent(process.ppid) };
const root = fileURLToPath(new URL("..", import.meta.url));
const calledFrom = process.env.INIT_CWD ?? process.cwd();
process.chdir(root);
const binaries = join(root, "node_modules", ".bin");
const env = {
  // Compiled code is kept between starts, which halves the time one takes.
  NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"),
  ...process.env,
  PATH: `${binaries}${delimiter}${process.env.PATH}`,
};

const commands = {
  start() {
    build();
    const options = JSON.parse(readFileSync("scripts/node-options.json", "utf8"));
    become("node", [...options.arguments, options.program], { ...options.environment, ...env });
  },
  dev() {
    const server = { ...env, PORT: "3001", PUBLIC_URL: "http://localhost:3000" };
    launch("node", ["--watch", "--watch-preserve-output", "server/main.ts"], server);
    become("react-router", ["dev"], env);
  },
  build,
  test() {
    step("oxfmt", ["--check"]);
    step("oxlint", ["--type-aware", "--deny-warnings"]);
    step("tsc", ["--noEmit"]);
    build();
    become("vitest", ["run", ...rest], env);
  },
  /** What a change needs while it is being made: everything that is quick, and the tests that name a changed file. */
  check() {
    const tests = testsOfChanges();
    if (tests.length === 0) console.log("No test beside or of a changed file.");
    together([
      ["oxfmt", "--check"],
      ["oxlint", "--type-aware", "--deny-warnings"],
      ["tsc", "--noEmit"],
      ...(tests.length > 0 ? [["vitest", "run", "--project", "server", "--reporter", "dot", ...tests]] : []),
    ]);
  },
  bench() {
    build();
    for (const file of readdirSync("bench").filter((name) => name.endsWith(".bench.ts")))
      step("node", [join("bench", file), ...rest]);
  },
  "admin:create"() {
    become("node", ["server/commands/admin-create.ts", ...rest], env);
  },
  "audit:verify"() {
    become("node", ["server/commands/audit-verify.ts", ...rest], env);
  },
  backup() {
    become("node", ["server/commands/backup.ts", ...rest.map(asCalled)], env);
  },
  restore() {
    become("node", ["server/commands/restore.ts", ...rest.map(asCalled)], env);
  },
};

const [name = "", ...rest] = process.argv.slice(2);
const forDevelopment = ["dev", "test", "check", "bench"];
install(forDevelopment.includes(name) ? "tests" : "run", (args) => step("npm", args));
commands[name]?.();

/** A file as it was meant where the command was given; npm runs it elsewhere. */
function asCalled(argument) {
  return argument.startsWith("-") ? argument : resolve(calledFrom, argument);
}

/** Builds the site and the server, each when one of its sources changed. */
function build() {
  // Whatever the shell says, as the tests' does: React's development build is twice as large and half as fast.
  const forProduction = { ...env, NODE_ENV: "production" };
  const parts = [
    {
      stamp: "build/.built",
      sources: [
        "app",
        "contract",
        "public",
        "scripts",
        "package-lock.json",
        "vite.config.ts",
        "react-router.config.ts",
      ],
      make() {
        console.log("Building the site …");
        step("react-router", ["build", "--logLevel", "warn"], forProduction);
        step("node", ["scripts/compress.ts"]);
      },
    },
    {
      stamp: "build/product/.built",
      sources: ["server", "contract", "scripts/bundle-server.ts", "package-lock.json"],
      make: () => step("node", ["scripts/bundle-server.ts"], forProduction),
    },
  ];
  const stale = parts.filter((part) => !isUpToDate(part));
  if (stale.length > 0)
    withSitePackages(
      () => stale.forEach(makeUpToDate),
      (args) => step("npm", args),
    );
}

function isUpToDate({ stamp, sources }) {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint(sources);
}

function makeUpToDate({ stamp, sources, make }) {
  const made = fingerprint(sources);
  rmSync(stamp, { force: true });
  make();
  mkdirSync(join(stamp, ".."), { recursive: true });
  writeFileSync(stamp, made);
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

function step(command, args, environment = env) {
  const options = { stdio: "inherit", env: environment, shell: process.platform === "win32" };
  const { status, signal } = spawnSync(command, args, options);
  if (status !== 0) process.exit(status ?? (signal ? 1 : 0));
}

/** Runs commands side by side, shows what the failing ones wrote, and ends with their number. */
function together(all) {
  let failed = 0;
  for (const [command, ...args] of all) {
    const child = spawn(command, args, { env, shell: process.platform === "win32" });
    process.once("exit", () => child.kill("SIGTERM"));
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
    child.on("exit", (code) => {
      console.log(`${code === 0 ? "✓" : "✗"} ${command}`);
      if (code === 0) return;
      console.log(said);
      process.exitCode = ++failed;
    });
  }
}

/** Test files that changed since the last commit, or that import a file that did. Browser and process tests are left to `npm test`. */
function testsOfChanges() {
  const git = (...args) => spawnSync("git", args, { encoding: "utf8" }).stdout.split("\n").filter(Boolean);
  const changed = [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
  const tests = ["contract", "app", "server", "tests"]
    .flatMap(filesUnder)
    .filter((file) => file.endsWith(".test.ts") && !/^tests.(journeys|process)/.test(file));
  const imported = (test) =>
    Array.from(readFileSync(test, "utf8").matchAll(/from "(\.[^"]+)"/g), ([, path]) => join(test, "..", path));
  return tests.filter((test) => [test, ...imported(test)].some((file) => changed.includes(file.replaceAll("\\", "/"))));
}

/** Runs the last command; signals are passed on, so that Ctrl+C and SIGTERM stop it cleanly. */
function become(command, args, environment) {
  const child = launch(command, args, environment);
  // Ctrl+C reaches the child by itself, as it shares the terminal; this process only has to wait for it.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  whenNpmIsGone(() => child.kill("SIGTERM"));
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

/** Starts what ends with this process, however that goes. */
function launch(command, args, environment) {
  const child = spawn(command, args, { stdio: "inherit", env: environment, shell: process.platform === "win32" });
  child.once("exit", endWithThisProcess(child.pid, "SIGTERM"));
  process.once("exit", () => child.kill("SIGTERM"));
  return child;
}

/** npm may be ended without its script: it passes SIGTERM on to a shell in between, and SIGKILL to nobody. */
function whenNpmIsGone(act) {
  if (process.env.npm_lifecycle_event !== name) return;
  const { parent, grandparent } = startedBy;
  const look = setInterval(() => {
    if (process.ppid === parent && shellsParent(parent) === grandparent) return;
    clearInterval(look);
    act();
  }, 500);
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
