import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { chmodSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import nodeOptions from "../../scripts/node-options.json" with { type: "json" };
import { freePort } from "../../server/database/postmaster.ts";
import { endWithThisProcess } from "../../server/process/end-with-this-process.mjs";

/**
 * The variables that the product's programs need from the tests' environment. Compiled code is cached for all of them,
 * as for npm's scripts.
 */
export const surroundings = {
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  NODE_COMPILE_CACHE: resolve("node_modules/.cache/node"),
};

/** The server command of `npm start`. */
const serverCommand = ["node_modules/.bin/node", ...nodeOptions.arguments, nodeOptions.program];

/** A product without sample data: filling the demo makes a first start three times as long. */
export const withoutDemo = {
  DEMO: "0",
  ALLOW_SANDBOX: "1",
  SMTP_URL: "smtp://127.0.0.1:1",
  MAIL_FROM: "Prahari <soc@prahari.example>",
};

export interface RunningProduct {
  url: string;
  /** Its output so far, on stdout and stderr. */
  said(): string;
  process: ChildProcess;
  /** Sends the signal. Answers the exit code, or the signal that ended the process. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/**
 * Starts the server as a process of its own and waits until it is ready.
 * @throws with its output when it does not get ready
 */
export async function startProduct(
  env: Record<string, string>,
  command = serverCommand,
  options: Pick<SpawnOptions, "cwd" | "uid" | "gid"> = {},
): Promise<RunningProduct> {
  const port = env["PORT"] ?? String(await freePort());
  const { child, said } = spawnProduct({ ...env, PORT: port }, command, options);
  await untilReady({ child, said });
  return {
    url: `http://localhost:${port}`,
    said,
    process: child,
    end: (signal) =>
      new Promise((done) => {
        child.once("exit", (code, ended) => done(code ?? ended));
        child.kill(signal);
      }),
  };
}

/**
 * Waits until a process reports that it is ready.
 * @throws with its output when it does not get ready
 */
export async function untilReady({ child, said }: ReturnType<typeof spawnProduct>): Promise<void> {
  await new Promise<void>((ready, fail) => {
    const look = () => said().includes("Prahari is ready on") && ready();
    child.stdout?.on("data", look);
    child.once("error", fail);
    child.once("exit", () => fail(new Error(`It ended before it was ready: ${said()}`)));
  });
}

/** Runs a server that is expected to refuse to start. Answers its exit code and output. */
export function startRefused(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const { child, said } = spawnProduct(env);
  return new Promise((done) => child.once("exit", (code) => done({ code, said: said() })));
}

/** Starts a process of the server without waiting. */
export function spawnProduct(
  variables: Record<string, string>,
  command = serverCommand,
  options: Pick<SpawnOptions, "cwd" | "uid" | "gid"> = {},
) {
  const env = {
    ...surroundings,
    LOG_LEVEL: "silent",
    ...(command === serverCommand && nodeOptions.environment),
    ...variables,
  };
  const [program = "", ...args] = command;
  // A test run that is killed leaves no product behind.
  const begin = () => spawn(program, args, { ...options, env, stdio: ["ignore", "pipe", "pipe"] });
  const child = endWithThisProcess("SIGTERM", begin);
  let text = "";
  for (const output of [child.stdout, child.stderr]) output.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return { child, said: () => text };
}

/** A data folder that PostgreSQL's user may enter when the tests run as root. */
export function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "prahari-process-"));
  chmodSync(dataDir, 0o755);
  return dataDir;
}

/** Whether users other than its owner may enter a folder and all those above it. */
export function othersMayEnter(folder: string): boolean {
  const may = (statSync(folder).mode & 0o001) !== 0;
  return may && (folder === dirname(folder) || othersMayEnter(dirname(folder)));
}
