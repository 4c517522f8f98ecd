import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { runningEmbeddedPostgresUrl } from "../../server/database/embedded.ts";
import { isAlive } from "../../server/database/running-process.ts";
import { endWithThisProcess } from "../../server/process/end-with-this-process.mjs";
import { quoteRequest } from "../factories.ts";
import { startMailbox } from "../harness.ts";
import { clientOf } from "./product-client.ts";
import { freePort } from "../../server/database/postmaster.ts";
import { makeDataDir, startProduct, startRefused, surroundings, withoutDemo } from "./running-product.ts";

const dataDir = makeDataDir();
const env = { ...withoutDemo, DATA_DIR: dataDir };
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe("A PostgreSQL that is killed", () => {
  it.each(["1", "2"])(
    "is there again by itself, and the product answers and works on; when that is killed, nothing goes on running, with WORKERS=%s",
    async (workers) => {
      const mailbox = await startMailbox();
      const product = await startProduct({ ...env, WORKERS: workers, SMTP_URL: mailbox.url });
      const url = runningEmbeddedPostgresUrl(dataDir);
      for (let kill = 0; kill < 2; kill++) {
        const killed = killPostmasterOf(dataDir);
        await expect.poll(() => isAlive(postmasterOf(dataDir)) && postmasterOf(dataDir) !== killed).toBe(true);
        const health = async () => (await fetch(`${product.url}/health`)).status;
        await expect.poll(health).toBe(200);
      }
      expect(product.said()).toContain("PostgreSQL had ended (SIGKILL) and was started again.");
      expect(runningEmbeddedPostgresUrl(dataDir)).toBe(url);
      const estimate = quoteRequest();
      const { status } = await clientOf(product.url, mailbox).call("estimator", estimate);
      expect(status).toBe(201);
      expect(await mailbox.take(estimate.userEmail, /proposal/)).toMatchObject({ attachments: [{}] });

      const postmaster = postmasterOf(dataDir);
      await product.end("SIGKILL");
      await untilEnded(postmaster);
      await expect(fetch(product.url)).rejects.toThrow("fetch failed");
      await mailbox.stop();
    },
  );

  it("and can't come back ends the product with a sentence, for whoever supervises it", async () => {
    const product = await startProduct(env);
    const ended = new Promise((done) => product.process.once("exit", done));
    const control = join(dataDir, "postgres", "global", "pg_control");
    renameSync(control, `${control}.aside`);
    onTestFinished(() => renameSync(`${control}.aside`, control));
    killPostmasterOf(dataDir);
    expect(await ended).toBe(1);
    expect(product.said()).toMatch(
      /PostgreSQL ended and could not be started again \(.*pg_control.*\); this copy ends too\.\n$/,
    );
  });
});

describe("Nothing goes on running", () => {
  it("when the script that started the server is killed", async () => {
    const product = await startProduct(env, ["node", "scripts/run.mjs", "start"]);
    const running = [serverOf(dataDir), postmasterOf(dataDir)];
    expect(await product.end("SIGKILL")).toBe("SIGKILL");
    for (const pid of running) await untilEnded(pid);
  });

  it.each(["SIGTERM", "SIGKILL"] as const)("when npm gets %s", async (signal) => {
    const product = await startProduct(env, ["npm", "start"]);
    const running = [serverOf(dataDir), postmasterOf(dataDir)];
    await product.end(signal);
    for (const pid of running) await untilEnded(pid);
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
  });

  it.each(["1", "2"])("after a start that failed once PostgreSQL ran, with WORKERS=%s", async (workers) => {
    // Makes the migrations fail.
    const settings = join(dataDir, "postgres", "postgresql.auto.conf");
    const before = readFileSync(settings);
    appendFileSync(settings, "default_transaction_read_only = on\n");
    onTestFinished(() => writeFileSync(settings, before));
    const { code, said } = await startRefused({ ...env, WORKERS: workers, PORT: String(await freePort()) });
    expect([code, said]).toEqual([1, expect.stringContaining("read-only transaction")]);
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
  });

  it.each(["SIGKILL", "SIGINT"] as const)("when a test run gets %s", { timeout: 600_000 }, async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), "prahari-killed-run-"));
    chmodSync(folder, 0o755);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const run = startTestRun(folder);
    const ended = new Promise((done) => run.once("exit", done));
    // The PostgreSQL of the whole run, and that of the product which a test has started.
    const databases = () => readdirSync(folder).map((name) => postmasterOf(join(folder, name)));
    await expect.poll(() => databases().filter(isAlive).length, { timeout: 400_000 }).toBe(2);
    const running = databases().filter(isAlive);
    run.kill(signal);
    await ended;
    for (const pid of running) await untilEnded(pid);
  });
});

/** A run of one test file whose first test starts a product; its folders are under this one. */
function startTestRun(folder: string): ChildProcess {
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--project",
    "product",
    "tests/process/start-and-stop.test.ts",
  ];
  const begin = () => spawn(process.execPath, args, { env: { ...surroundings, TMPDIR: folder }, stdio: "ignore" });
  return endWithThisProcess("SIGKILL", begin);
}

/** The process id of the PostgreSQL that serves a data folder; 0 when none does. */
function postmasterOf(folder: string): number {
  const pidFile = join(folder, "postgres", "postmaster.pid");
  return existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, "utf8"), 10) || 0 : 0;
}

function killPostmasterOf(folder: string): number {
  const pid = postmasterOf(folder);
  // 0 would signal our own process group.
  if (!isAlive(pid)) throw new Error("There is no PostgreSQL to kill");
  process.kill(pid, "SIGKILL");
  return pid;
}

function serverOf(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, "prahari.pid"), "utf8"), 10);
}

async function untilEnded(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(1);
  await expect.poll(() => isAlive(pid)).toBe(false);
}
