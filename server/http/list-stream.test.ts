import { eq, sql } from "drizzle-orm";
import { Hono } from "hono";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { limits } from "../../contract/limits.ts";
import { askApi } from "../../tests/ask-api.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { type Member, member } from "../../tests/people.ts";
import { auditEntries, sessions } from "../database/schema/index.ts";
import { streamList } from "./list-stream.ts";
import { listen } from "./server.ts";

// More than the connection between server and reader buffers.
const customers = 12_000;

let server: TestServer;
let admin: Member;
let partner: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  const client = new Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query(`insert into organisations (kind, name)
    select 'customer', initcap(left(md5(n::text), 12)) || ' Textiles' from generate_series(1, ${customers}) as n`);
  await client.query(`insert into people (organisation_id, role, first_name, last_name, email, phone, joined_at)
    select id, 'user', 'Asha', 'Rao', row_number() over () || '@' || left(md5(name), 8) || '.example.in',
      '+919876543210', now() from organisations where kind = 'customer'`);
  await client.end();
  admin = await member(server, "admin");
  partner = await member(server, "partner");
});
afterAll(() => server.stop());

const askForAll = (operation: string, input: object, { token }: Member) =>
  askApi(server.url, operation, input, token, { accept: "application/jsonl" });
const readLines = async (answer: Response) =>
  (await answer.text())
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { email: string });

it("A whole list comes as one record a line, in the order that was asked for, and is noted once", async () => {
  const answer = await askForAll("admin/getUserByAdmin", { role: "user", sort: "email", export: "csv" }, admin);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/jsonl"]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const emails = (await readLines(answer)).map(({ email }) => email);
  expect(emails).toHaveLength(customers);
  expect(new Set(emails).size).toBe(customers);
  const { rows } = await server.services.database.execute<{ email: string }>(
    sql`select email from people where role = 'user' order by email::text`,
  );
  expect(emails).toEqual(rows.map(({ email }) => email));
  const noted = await server.services.database
    .select({ detail: auditEntries.detail })
    .from(auditEntries)
    .where(eq(auditEntries.action, "export list"));
  expect(noted).toEqual([{ detail: { format: "csv", rows: `more than ${limits.countedMax}`, narrowedBy: ["role"] } }]);
});

it("A whole list is narrowed by a search, and holds only its own customers for a partner", async () => {
  const found = await readLines(await askForAll("admin/getUserByAdmin", { role: "user", search: "11345@" }, admin));
  expect(found.map(({ email }) => email)).toEqual([expect.stringMatching(/^11345@/)]);
  expect(await readLines(await askForAll("partner/users", {}, partner))).toEqual([]);
});

it("A call for JSON lines is refused like any other, and gets JSON from an operation that is no list", async () => {
  const refused = await askForAll("admin/getUserByAdmin", { role: "user" }, partner);
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: "forbidden" }]);
  const wrong = await askForAll("admin/getUserByAdmin", { role: "user", sort: "password" }, admin);
  expect([wrong.status, await wrong.json()]).toMatchObject([422, { code: "invalid" }]);
  const plain = await askForAll("partner/get-partner-dashboard", {}, partner);
  expect(plain.headers.get("content-type")).toContain("application/json");
});

it("A list breaks off with an error when its caller is signed out while it is sent", async () => {
  const leaving = await member(server, "admin");
  const answer = await askForAll("admin/getUserByAdmin", { role: "user" }, leaving);
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await server.services.database.delete(sessions).where(eq(sessions.personId, leaving.id));
  const readOn = async () => {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read());
  };
  await expect(readOn()).rejects.toThrow("terminated");
  const told = server.log.map((line) => JSON.parse(line) as { msg: string; requestId?: string });
  const brokeOff = told.filter(({ msg }) => msg === "a list broke off");
  expect(brokeOff.map(({ requestId }) => requestId)).toEqual([answer.headers.get("x-request-id")]);
});

it("A list that breaks off ends within a record, as by HTTP/1.0 nothing else tells it from a whole one", async () => {
  const page = { total: 2, totalIsCapped: false, records: [{ id: 1 }], nextCursor: "1" };
  const breakOff = () => Promise.reject(new Error("A list broke off"));
  const application = new Hono().get("/", (context) => context.body(streamList(page, breakOff)));
  const listener = await listen("127.0.0.1", 0);
  onTestFinished(() => listener.close(0));
  listener.serve(application);
  const socket = connect(listener.port, "127.0.0.1");
  socket.write("GET / HTTP/1.0\r\nHost: prahari\r\n\r\n");
  expect((await text(socket)).split("\r\n\r\n")[1]).toBe('{"id":1}\n{');
  await expect(fetch(`http://127.0.0.1:${listener.port}/`).then((answer) => answer.text())).rejects.toThrow(
    "terminated",
  );
});

it("A body sent in chunks without a length is applied to every page of the list", async () => {
  const seller = await member(server, "partner");
  const found = 1500;
  await server.services.database.execute(sql`
    update organisations set partner_id = ${seller.organisationId},
      name = case when chosen.n <= ${found} then 'Tapti ' else 'Narmada ' end || name
    from (select id, row_number() over () as n from organisations where kind = 'customer' limit ${2 * found}) as chosen
    where chosen.id = organisations.id`);
  const body = JSON.stringify({ search: "tapti", sort: "-email" });
  const request = {
    method: "POST",
    headers: {
      authorization: `Bearer ${seller.token}`,
      "content-type": "application/json",
      accept: "application/jsonl",
    },
    body: new Blob([body]).stream(),
    duplex: "half",
  };
  const emails = (await readLines(await fetch(`${server.url}/api/partner/users`, request))).map(({ email }) => email);
  const { rows } = await server.services.database.execute<{ email: string }>(sql`
    select email from people join organisations on organisations.id = organisation_id
    where organisations.partner_id = ${seller.organisationId} and name like 'Tapti %' order by email::text desc`);
  expect(rows).toHaveLength(found);
  expect(emails).toEqual(rows.map(({ email }) => email));
});
