import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runningEmbeddedPostgresUrl } from "../../server/database/embedded.ts";
import { customer, quoteRequest } from "../factories.ts";
import { type Mailbox, startMailbox } from "../harness.ts";
import { clientOf } from "./product-client.ts";
import { hashRows } from "./hash-rows.ts";
import { makeDataDir, type RunningProduct, startProduct, surroundings } from "./running-product.ts";

const oldData = makeDataDir();
const newData = makeDataDir();
const folder = mkdtempSync(join(tmpdir(), "prahari-backups-"));
let mailbox: Mailbox;
const products: RunningProduct[] = [];
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(async () => {
  for (const product of products) await product.end("SIGTERM");
  await mailbox.stop();
  for (const left of [oldData, newData, folder]) rmSync(left, { recursive: true, force: true });
});

it("A product that runs moves to another machine by backup and restore: rows, files and sessions", async () => {
  const begun = await start(oldData);
  const { email, token } = await customer(begun.client);
  await begun.client.call("estimator", quoteRequest({ userEmail: email }), token);
  await mailbox.take(email, /proposal/);
  await untilAllIsSent(oldData);
  // A start seals what the audit log holds: the moved product finds nothing to seal, and changes no row.
  expect(await products.pop()?.end("SIGTERM")).toBe(0);
  await start(oldData);
  await untilAllIsSealed(oldData);

  // The backup leaves an entry of its own, which is not in it.
  const rows = await rowsOf(oldData);
  const backedUp = await run("backup", ["backup.tar.gz"], oldData);
  expect(backedUp.said).toMatch(/\/backup\.tar\.gz holds \d+ rows of \d+ tables and \d+ files\./);
  expect(await run("restore", ["backup.tar.gz", "--force"], oldData)).toEqual({
    code: 1,
    said: expect.stringMatching(/Another copy \(process \d+\) already runs with the data folder/),
  });
  expect(await run("restore", ["backup.tar.gz"], newData)).toMatchObject({ code: 0 });
  expect(existsSync(join(newData, "postgres", "postmaster.pid"))).toBe(false);

  const moved = await start(newData);
  expect(await rowsOf(newData)).toEqual(rows);
  expect(filesOf(newData)).toEqual(filesOf(oldData));
  const me = await moved.client.call("user/me", {}, token);
  expect([me.status, me.body.user.email]).toEqual([200, email]);
  const { body } = await moved.client.call("user/get-estimation", {}, token);
  const fileName = String(body.estimation[0]?.pdf_url);
  const { signedUrl } = (await moved.client.call("user/get-signed-url", { fileName }, token)).body;
  expect(Buffer.from(await (await fetch(signedUrl)).arrayBuffer())).toEqual(
    readFileSync(join(oldData, "files", fileName)),
  );
  // And life goes on.
  await moved.client.call("estimator", quoteRequest({ userEmail: email }), token);
  await mailbox.take(email, /proposal/);
});

async function start(dataDir: string) {
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: "Prahari <soc@prahari.example>" };
  const product = await startProduct({ DATA_DIR: dataDir, ...mail });
  products.push(product);
  return { product, client: clientOf(product.url, mailbox) };
}

/** A command as it is given from the folder with the backups. */
function run(name: string, args: string[], dataDir: string) {
  const env = { ...surroundings, DATA_DIR: dataDir, INIT_CWD: folder };
  return new Promise<{ code: number; said: string }>((done) => {
    execFile("node", ["scripts/run.mjs", name, ...args], { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, said: `${stdout}${stderr}`.trim() }),
    );
  });
}

async function ask(dataDir: string, query: string): Promise<Record<string, unknown>[]> {
  return withClient(dataDir, async (client) => (await client.query<Record<string, unknown>>(query)).rows);
}

/** Engines are asked each minute by whoever runs: when they were asked changes, how much is kept of them does not. */
const rowsOf = (dataDir: string) =>
  withClient(dataDir, (client) => hashRows(client, (table) => table.startsWith("engine_")));

async function withClient<Answer>(dataDir: string, use: (client: Client) => Promise<Answer>): Promise<Answer> {
  const client = new Client({ connectionString: runningEmbeddedPostgresUrl(dataDir) ?? "" });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function untilAllIsSealed(dataDir: string): Promise<void> {
  await expect.poll(() => ask(dataDir, "select id from audit_entries where number is null")).toEqual([]);
}

async function untilAllIsSent(dataDir: string): Promise<void> {
  const open = "select name from jobs.job where state in ('created', 'retry', 'active') and name not like '\\_%'";
  await expect.poll(() => ask(dataDir, open)).toEqual([]);
}

function filesOf(dataDir: string): Record<string, string> {
  const store = join(dataDir, "files");
  const names = readdirSync(store).toSorted();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(store, name), "base64")]));
}
