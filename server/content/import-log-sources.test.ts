import { contentLimits } from "../../contract/content-limits.ts";
import { contentMessages } from "../../contract/content-messages.ts";
import { eq } from "drizzle-orm";
import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { auditEntries, logSources } from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false, pages: true });
  admin = await member(server, "admin");
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(logSources);
  await put("add", { ...door });
});

const door = { product: "Acme Door", category: "Doors", label: "ACME_DOOR", format: "JSON" };
const put = (name: string, body: object, { token }: Member = admin) =>
  server.send(`admin/log-sources/${name}`, body, token);
const fileOf = (...lines: string[]) =>
  Buffer.from(["Product,Category,Label,Format", ...lines].join("\n")).toString("base64");
const all = async () => (await server.call("admin/log-sources", { sort: "label" }, admin.token)).body.logSources;
const publicLabels = async () => (await server.call("logs", { limit: 50 })).body.map(({ label }) => label).toSorted();
const gate = "Acme Gate,Gates,ACME_GATE,CEF";
const preview = async (body: object) =>
  (await put("preview", body)).body as Record<string, never> & { version: number };

describe("An import of log sources", () => {
  it("shows what it would change, changes nothing, and then does just that", async () => {
    await put("add", { ...door, label: "ACME_OLD", product: "Acme Old" });
    const asked = { file: fileOf("Acme Doors,Doors,ACME_DOOR,JSON", gate), retireOthers: true };
    const shown = await preview(asked);
    expect(shown).toMatchObject({
      note: null,
      counts: { rows: 2, added: 1, changed: 1, retired: 1, unchanged: 0, errors: 0 },
      added: [{ label: "ACME_GATE", product: "Acme Gate" }],
      changed: [{ label: "ACME_DOOR", changes: ["product: Acme Door → Acme Doors"] }],
      retired: [{ label: "ACME_OLD", product: "Acme Old" }],
    });
    expect(await publicLabels()).toEqual(["ACME_DOOR", "ACME_OLD"]);
    const { status, body } = await put("import", { ...asked, version: shown.version });
    expect([status, body["message"]]).toEqual([200, "Added 1, changed 1, retired 1. The public page shows it now."]);
    expect(await publicLabels()).toEqual(["ACME_DOOR", "ACME_GATE"]);
    expect((await all()).map(({ label, retired }) => [label, retired])).toEqual([
      ["ACME_DOOR", false],
      ["ACME_GATE", false],
      ["ACME_OLD", true],
    ]);
    const [entry] = await server.services.database
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.action, "import log sources"));
    expect(entry?.detail).toMatchObject({
      added: 1,
      before: { ACME_DOOR: "Acme Door, Doors, ACME_DOOR, JSON" },
      after: { ACME_DOOR: "Acme Doors, Doors, ACME_DOOR, JSON" },
    });
    const page = async () => (await fetch(`${server.url}/LogInjection`)).text();
    await expect.poll(page).toContain("Acme Gate");
    expect(await page()).not.toContain("Acme Old");
  });

  it("is refused to the second of two importers, who is told to look again", async () => {
    const [one, other] = [fileOf(gate), fileOf("Acme Lock,Locks,ACME_LOCK,CEF")];
    const { version } = await preview({ file: one });
    const answers = await Promise.all([one, other].map((file) => put("import", { file, version })));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
    expect(answers.find(({ status }) => status === 409)?.body.error).toBe(contentMessages.logSourcesMeanwhile);
    expect(await publicLabels()).toHaveLength(2);
  });

  it("is refused after any other change of the catalogue", async () => {
    const { version } = await preview({ file: fileOf(gate) });
    const id = (await all())[0]?.id;
    await put("change", { ...door, format: "CEF", id, version: 1 });
    expect((await put("import", { file: fileOf(gate), version })).status).toBe(409);
  });

  it("with a wrong row imports nothing of it", async () => {
    const file = fileOf(gate, "No label,Doors,,JSON");
    const shown = await preview({ file });
    expect(shown).toMatchObject({ counts: { errors: 1, added: 1 }, errors: [{ line: 3 }] });
    const { status, body } = await put("import", { file, version: shown.version });
    expect([status, body.error]).toEqual([422, expect.stringContaining("Nothing was imported. Line 3: label:")]);
    expect(await publicLabels()).toEqual(["ACME_DOOR"]);
  });

  it("repeated changes nothing, and brings back what was retired", async () => {
    const file = fileOf("Acme Door,Doors,ACME_DOOR,JSON");
    expect(await preview({ file })).toMatchObject({ counts: { unchanged: 1, changed: 0 } });
    const id = (await all())[0]?.id;
    expect((await put("retire", { id, version: 1, retired: true })).status).toBe(200);
    expect(await publicLabels()).toEqual([]);
    expect((await server.call("logs/count", {})).body).toEqual({ sources: 0, categories: 0 });
    expect((await server.call("logs/search", { searchQuery: "acme" })).body).toEqual([]);
    const { version } = await preview({ file });
    await put("import", { file, version });
    expect(await publicLabels()).toEqual(["ACME_DOOR"]);
  });

  it("of 20,000 rows is taken", async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `Product ${index},Many,MANY_${index},JSON`);
    const file = fileOf(...lines);
    const { version, counts } = (await preview({ file })) as unknown as { version: number; counts: object };
    expect(counts).toMatchObject({ added: 20_000 });
    expect((await put("import", { file, version })).status).toBe(200);
    expect(await server.services.database.$count(logSources)).toBe(20_001);
  });

  it("of 50 MB is refused before it has come", async () => {
    const status = await new Promise<number | undefined>((done, fail) => {
      const asking = request(
        `${server.url}/api/admin/log-sources/preview`,
        {
          method: "POST",
          headers: {
            Authorization: `Bearer ${admin.token}`,
            "Content-Type": "application/json",
            "Content-Length": 50_000_000,
          },
        },
        (answer) => {
          answer.resume();
          done(answer.statusCode);
          asking.destroy();
        },
      );
      asking.on("error", fail);
      // Only its beginning: the server must not wait for the rest.
      asking.write('{"file":"');
    });
    expect(status).toBe(413);
    const large = Buffer.alloc(contentLimits.csvBytesMax + 3, "a").toString("base64");
    expect((await put("preview", { file: large })).body.fields).toEqual({
      file: "Please choose a file of at most 4 MB",
    });
  });

  it("is no way for others to send megabytes: they are refused before their body is read", async () => {
    const customer = await member(server, "user");
    const child = await member(server, "adminChild", { organisationId: admin.organisationId });
    for (const caller of [customer, child])
      expect((await put("preview", { file: fileOf(gate) }, caller)).status).toBe(403);
  });
});

describe("A log source", () => {
  it("keeps a label of its own, whatever is done at once", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => put("add", { ...door, label: "ACME_NEW" })));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["201", "409", "409"]);
    const added = (await all()).find(({ label }) => label === "ACME_NEW");
    const { status, body } = await put("change", { ...door, id: added?.id, version: 1 });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([409, ["label"]]);
  });

  it("changed by two editors tells the second, and keeps what the first typed", async () => {
    const id = (await all())[0]?.id;
    const answers = await Promise.all(
      ["Doors A", "Doors B"].map((category) => put("change", { ...door, category, id, version: 1 })),
    );
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
    expect((await all())[0]).toMatchObject({ version: 2 });
  });

  it("that is not there is not found", async () => {
    const id = "01900000-0000-7000-8000-000000000000";
    expect((await put("retire", { id, version: 1, retired: true })).status).toBe(404);
  });
});
