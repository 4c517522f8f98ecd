import { contentMessages } from "../../contract/content-messages.ts";
import { like } from "drizzle-orm";
import { existsSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { tileIcons, type TileIcon, tileImage } from "../../contract/tile-icons.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { auditEntries, customerTools, tiles } from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
let kaveri: Member;
let narmada: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
  kaveri = await member(server, "user", { organizationName: "Kaveri Textiles" });
  narmada = await member(server, "user", { organizationName: "Narmada Foods" });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(tiles);
  await server.services.database.delete(customerTools);
});

const tile = {
  email: null as string | null,
  title: "Tickets",
  text: "ask us and follow the answer",
  icon: "ticket",
  url: "https://tickets.example.in/",
  place: 10,
  shown: true,
};
const put = (name: string, body: object, { token }: Member = admin) => server.send(`admin/tiles/${name}`, body, token);
const add = async (over: object = {}) => String((await put("add", { ...tile, ...over })).body["id"]);
const seenBy = async ({ token }: Member) =>
  (await server.call("user/get-users-dashboard-url", {}, token)).body.map(({ message }) => message);
const all = async () => (await server.call("admin/tiles", {}, admin.token)).body.tiles;

it("Tiles for all and for one customer stand after SIEM and SOAR, in the order of their number", async () => {
  await server.services.database.insert(customerTools).values({
    organisationId: kaveri.organisationId,
    siemUrl: "https://siem.kaveri.example/",
    siemEnabled: true,
  });
  await add({ title: "Second", place: 20 });
  await add({ title: "First", place: 10, email: kaveri.email });
  await add({ title: "Hidden", shown: false });
  expect(await seenBy(kaveri)).toEqual([
    "SIEM: search and investigate your logs",
    `First: ${tile.text}`,
    `Second: ${tile.text}`,
  ]);
  expect(await seenBy(narmada)).toEqual([`Second: ${tile.text}`]);
  const { database } = server.services;
  const noted = await database.select().from(auditEntries).where(like(auditEntries.subject, "tile:%"));
  expect(noted.length).toBeGreaterThan(0);
  // The audit log is never erased.
  expect(JSON.stringify(noted)).not.toContain(kaveri.email);
  expect((await all()).map(({ title, organization_name: customer }) => [title, customer])).toEqual([
    ["Hidden", null],
    ["First", "Kaveri Textiles"],
    ["Second", null],
  ]);
});

it("Each picture that can be chosen is there", () => {
  for (const icon of Object.keys(tileIcons) as TileIcon[])
    expect(existsSync(`public${tileImage(icon)}`), icon).toBe(true);
});

it.each([
  [{ url: "http://tickets.example.in/" }, "url"],
  [{ url: "javascript:alert(1)" }, "url"],
  [{ url: "" }, "url"],
  [{ icon: "../../secret" }, "icon"],
  [{ title: " " }, "title"],
  [{ place: 1.5 }, "place"],
  [{ place: -1 }, "place"],
  [{ email: "nobody" }, "email"],
])("%j is refused on its field", async (over, field) => {
  const { status, body } = await put("add", { ...tile, ...over });
  expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
});

it("A tile is for a customer that is there", async () => {
  const partner = await member(server, "partner");
  for (const email of ["nobody@example.in", partner.email, admin.email])
    expect((await put("add", { ...tile, email })).status).toBe(404);
});

it("Of two editors the second is told; what was removed is gone for both", async () => {
  const id = await add();
  const answers = await Promise.all(["One", "Two"].map((title) => put("change", { ...tile, title, id, version: 1 })));
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
  expect(answers.find(({ status }) => status === 409)?.body.error).toBe(contentMessages.tileMeanwhile);
  expect((await put("remove", { id, version: 1 })).status).toBe(409);
  expect((await put("remove", { id, version: 2 })).status).toBe(200);
  expect((await put("change", { ...tile, id, version: 2 })).status).toBe(404);
  expect(await seenBy(kaveri)).toEqual([]);
});
