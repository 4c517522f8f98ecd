import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, it, onTestFinished, vi } from "vitest";
import { databaseUrl } from "../../tests/global-setup.ts";
import { migrateDatabase } from "../database/database.ts";
import { connect } from "./connect.ts";

const name = `connect_${randomUUID().replaceAll("-", "")}`;
const url = databaseUrl(inject("postgresUrl"), name);

let server: Client;
beforeAll(async () => {
  server = new Client({ connectionString: inject("postgresUrl") });
  await server.connect();
  await server.query(`create database ${name} template ${inject("templateDatabase")}`);
});
afterAll(async () => {
  await server.query(`drop database ${name} with (force)`);
  await server.end();
});

it.each([
  ["A backup", async () => (await connect(url, "backup")).end()],
  ["A start", () => migrateDatabase(url)],
])("%s, which waits without a limit, finds out that the database's machine has vanished", async (_who, act) => {
  const asked = vi.spyOn(Socket.prototype, "setKeepAlive");
  onTestFinished(() => asked.mockRestore());
  await act();
  expect(asked).toHaveBeenCalledWith(true, 10_000);
});
