import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import type { Transaction } from "../database/database.ts";
import { unnamedFiles } from "../database/schema/index.ts";
import { sweep } from "../upkeep/jobs.ts";
import { giveUpFile, keepFile } from "./keep-file.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

const bytes = Buffer.from("%PDF-1.7");

async function stored(): Promise<string[]> {
  const names: string[] = [];
  for await (const name of server.services.files.list()) names.push(name);
  return names;
}

async function keep(name: (transaction: Transaction) => Promise<boolean>): Promise<string> {
  const file = `incident-${randomUUID()}.pdf`;
  await keepFile(server.services, file, bytes, name).catch(() => undefined);
  return file;
}

/** Makes the store refuse to remove files, until the returned function is called. */
function storeRemovesNothing(): () => void {
  const { remove } = server.services.files;
  server.services.files.remove = () => Promise.reject(new Error("The store is away"));
  return () => void (server.services.files.remove = remove);
}

it("A file that is named stays", async () => {
  const file = await keep(async () => true);
  server.passTime(2 * 86_400);
  await sweep(server.services);
  expect(await stored()).toContain(file);
});

it.each<[string, (transaction: Transaction) => Promise<boolean>]>([
  ["no record names, as it had been kept before,", async () => false],
  ["is refused at last", () => Promise.reject(new Error("Refused"))],
  [
    "meets an end of the database's session",
    async (transaction) => Boolean(await transaction.execute(sql`select pg_terminate_backend(pg_backend_pid())`)),
  ],
])("A file that %s goes at once", async (_, name) => {
  expect(await stored()).not.toContain(await keep(name));
});

it("A file that could not be removed then goes a day later, and not before", async () => {
  const storeIsBack = storeRemovesNothing();
  const file = await keep(async () => false);
  storeIsBack();
  await sweep(server.services);
  expect(await stored()).toContain(file);
  server.passTime(86_401);
  await sweep(server.services);
  expect(await stored()).not.toContain(file);
});

it("A file that can never be removed keeps no other, however many there are of them, and is seen", async () => {
  const lasting = Array.from({ length: 60 }, () => `incident-lasting-${randomUUID()}.pdf`);
  const { files, database } = server.services;
  const long = new Date(server.services.now().getTime() - 3 * 86_400_000);
  await database.insert(unnamedFiles).values(lasting.map((file) => ({ file, since: long })));
  const other = await keep(async () => true);
  await database.insert(unnamedFiles).values({ file: other, since: long });
  const { remove } = files;
  files.remove = (name) => (lasting.includes(name) ? Promise.reject(new Error("Access denied")) : remove(name));
  onTestFinished(async () => {
    files.remove = remove;
    await database.delete(unnamedFiles);
  });
  for (let round = 0; round < 2; round++) await expect(sweep(server.services)).rejects.toThrow("Access denied");
  expect(await stored()).not.toContain(other);
  // They are tried again a day later.
  expect((await database.select().from(unnamedFiles)).map(({ file }) => file).toSorted()).toEqual(lasting.toSorted());
  await sweep(server.services);
  server.passTime(86_401);
  await expect(sweep(server.services)).rejects.toThrow("Access denied");
});

it("A file that was given up goes a day later where nobody came to remove it; one that was not, as all was rolled back, stays", async () => {
  const { database } = server.services;
  const [replaced, kept] = [await keep(async () => true), await keep(async () => true)];
  await database.transaction((transaction) => giveUpFile(server.services, transaction, replaced));
  const rolledBack = database.transaction(async (transaction) => {
    await giveUpFile(server.services, transaction, kept);
    transaction.rollback();
  });
  await expect(rolledBack).rejects.toThrow("Rollback");
  server.passTime(86_401);
  await sweep(server.services);
  const names = await stored();
  expect([names.includes(replaced), names.includes(kept)]).toEqual([false, true]);
});
