import { eq } from "drizzle-orm";
import { existsSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { customer } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { customerTools, people } from "../database/schema/index.ts";

let server: TestServer;
let owner: Awaited<ReturnType<typeof customer>>;
let organisationId: string;
beforeAll(async () => {
  server = await startTestServer();
  owner = await customer(server);
  const [person] = await server.services.database.select().from(people).where(eq(people.email, owner.email));
  organisationId = person?.organisationId ?? "";
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(customerTools);
});

const both = {
  siemUrl: "https://siem.kaveri.example/",
  siemEnabled: true,
  soarUrl: "https://soar.kaveri.example/",
  soarEnabled: true,
};
const activate = (tools: Partial<typeof both>) =>
  server.services.database.insert(customerTools).values({ organisationId, ...tools });
const tilesOf = async ({ token }: { token: string }) =>
  (await server.call("user/get-users-dashboard-url", {}, token)).body;

it("Before activation there are no tiles", async () => {
  expect(await tilesOf(owner)).toEqual([]);
});

it("Each tool that is switched on has a tile with its address, its picture and what it is for", async () => {
  await activate(both);
  const tiles = await tilesOf(owner);
  expect(tiles).toMatchObject([
    { url: both.siemUrl, message: expect.stringMatching(/^SIEM: /) },
    { url: both.soarUrl, message: expect.stringMatching(/^SOAR: /) },
  ]);
  for (const { image } of tiles) expect(existsSync(`public${image}`), image).toBe(true);
});

it.each([
  ["switched off", { ...both, siemEnabled: false }],
  ["without an address", { ...both, siemUrl: "" }],
])("A tool %s has no tile", async (_how, tools) => {
  await activate(tools);
  expect((await tilesOf(owner)).map(({ url }) => url)).toEqual([both.soarUrl]);
});

it("Another organisation sees none of them; a child user of this one sees all", async () => {
  await activate(both);
  const other = await customer(server);
  expect(await tilesOf(other)).toEqual([]);
  await server.services.database
    .update(people)
    .set({ organisationId, role: "userChild" })
    .where(eq(people.email, other.email));
  expect(await tilesOf(other)).toHaveLength(2);
});
