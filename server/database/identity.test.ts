import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { databaseUrl } from "../../tests/global-setup.ts";
import { readDataEnv, StartRefused } from "../settings/env.ts";
import { refuseAnotherDatabase } from "./identity.ts";
import { reachDatabase, reachIdleDatabase } from "./reach-database.ts";

const [name, other] = [randomUUID(), randomUUID()].map((id) => `identity_${id.replaceAll("-", "")}`) as [
  string,
  string,
];
const [url, otherUrl] = [name, other].map((each) => databaseUrl(inject("postgresUrl"), each)) as [string, string];
/** Nobody listens at this address. */
const nowhere = "postgres://somebody@127.0.0.1:1/prahari";
const refused = new StartRefused(
  "DATABASE_DIRECT_URL leads to another database than DATABASE_URL: give it the address of the same one, past the pooler.",
);

let admin: Client;
beforeAll(async () => {
  admin = new Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  for (const each of [name, other]) await admin.query(`create database ${each}`);
});
afterAll(async () => {
  for (const each of [name, other]) await admin.query(`drop database ${each} with (force)`);
  await admin.end();
});

it("A DATABASE_DIRECT_URL of another database is refused, and one of the same by another address is not", async () => {
  await expect(refuseAnotherDatabase(otherUrl, url)).rejects.toThrow(refused);
  const byAnotherUser = new URL(url);
  byAnotherUser.searchParams.set("application_name", "elsewhere");
  await refuseAnotherDatabase(byAnotherUser.href, url);
});

it.each([reachDatabase, reachIdleDatabase])(
  "A command is refused, too: a backup would hold nothing of the product",
  async (reach) => {
    const env = (direct: string) =>
      readDataEnv({
        DATABASE_URL: url,
        DATABASE_DIRECT_URL: direct,
        DATABASE_ALLOW_CLEARTEXT: "1",
        DATA_DIR: tmpdir(),
      });
    await expect(reach(env(otherUrl))).rejects.toThrow(refused);
    expect(await reach(env(url))).toMatchObject({ url });
  },
);

it("A pooler that is away holds up no command, which does not need it", async () => {
  expect(await reachDatabase({ databaseUrl: url, pooledUrl: nowhere, dataDir: tmpdir() })).toMatchObject({ url });
});
