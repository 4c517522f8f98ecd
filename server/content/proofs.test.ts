import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contentMessages } from "../../contract/content-messages.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { proofs } from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false, pages: true });
  admin = await member(server, "admin");
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(proofs);
});

const certificate = (over: object = {}) => ({
  kind: "certificate",
  name: "ISO/IEC 27001:2022",
  issuer: "A certification body",
  statement: "Certificate 12345",
  validUntil: null,
  link: null,
  ...over,
});
const ask = (name: string, body: object, { token }: Member = admin) =>
  server.send(`admin/settings/proofs/${name}`, body, token);
const add = async (over: object = {}) => String((await ask("add", certificate(over))).body["id"]);
const all = async () => (await server.call("admin/settings/proofs", {}, admin.token)).body.proofs;
const shown = async () => (await server.call("proofs", {})).body.map(({ name }) => name);
const page = async () => (await fetch(`${server.url}/buyers-guide`)).text();
const today = () => new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10);

describe("Certificates and references", () => {
  it("have a place on the public page only while there is one, which follows each change", async () => {
    await expect.poll(page).not.toContain('id="proofs"');
    const id = await add({ validUntil: "2099-03-31", link: "https://example.in/certificate.pdf" });
    await expect.poll(page).toContain("Our certificates");
    const words = (await page()).replaceAll(/<!--.*?-->|<[^>]*>/g, "").replaceAll("\u00A0", " ");
    expect(words).toContain("Certificate 12345. Issued by A certification body, valid until 31 Mar 2099.");
    expect(await page()).toContain('href="https://example.in/certificate.pdf"');
    await ask("add", certificate({ kind: "reference", name: "Kaveri Textiles", statement: "They called at once." }));
    await expect.poll(page).toContain("Our certificates and references");
    expect(await page()).toContain("They called at once.");
    await ask("change", { ...certificate({ name: "ISO/IEC 42001" }), id, version: 1 });
    await expect.poll(page).toContain("ISO/IEC 42001");
    for (const { id: each, version } of await all()) await ask("remove", { id: each, version });
    await expect.poll(page).not.toContain('id="proofs"');
  });

  it("are shown through their last day in India, and kept for administrators afterwards", async () => {
    const yesterday = new Date(Date.parse(today()) - 86_400_000).toISOString().slice(0, 10);
    await add({ name: "Good today", validUntil: today() });
    await add({ name: "Expired", validUntil: yesterday });
    expect(await shown()).toEqual(["Good today"]);
    expect((await all()).map(({ name, expired }) => [name, expired])).toEqual([
      ["Good today", false],
      ["Expired", true],
    ]);
    expect(await page()).not.toContain("Expired");
  });

  it("are said to be on the site only where they are", async () => {
    const past = certificate({ validUntil: "2024-01-31" });
    const { body } = await ask("add", past);
    expect(body.message).toBe(contentMessages.proofExpired);
    const change = async (over: object) => (await ask("change", { ...past, id: body["id"], ...over })).body.message;
    expect(await change({ version: 1 })).toBe(contentMessages.proofExpired);
    expect(await change({ version: 2, validUntil: today() })).toBe(messages.proofChanged);
  });

  it("stand in the order that they are put into", async () => {
    const ids = [await add({ name: "One" }), await add({ name: "Two" }), await add({ name: "Three" })];
    expect(await shown()).toEqual(["One", "Two", "Three"]);
    expect((await ask("order", { ids: ids.toReversed() })).status).toBe(200);
    expect(await shown()).toEqual(["Three", "Two", "One"]);
    for (const wrong of [ids.slice(1), [...ids, randomUUID()], [ids[0], ids[0], ids[1]]])
      expect((await ask("order", { ids: wrong })).status).toBe(409);
    expect(await shown()).toEqual(["Three", "Two", "One"]);
  });

  it("tell the second of two editors, and lose nothing", async () => {
    const id = await add();
    const change = (name: string) => ask("change", { ...certificate({ name }), id, version: 1 });
    const answers = await Promise.all([change("First"), change("Second")]);
    const [refused, ...others] = answers.filter(({ status }) => status !== 200);
    expect([refused?.status, refused?.body.error, others]).toEqual([409, contentMessages.proofMeanwhile, []]);
    expect((await ask("remove", { id, version: 1 })).status).toBe(409);
    expect((await ask("remove", { id, version: 2 })).status).toBe(200);
    expect((await ask("remove", { id, version: 2 })).status).toBe(404);
  });

  it.each([
    ["javascript:alert(1)", "link"],
    ["http://example.in", "link"],
    ["https://user:secret@example.in", "link"],
    ["2026-02-30", "validUntil"],
    ["", "statement"],
    ["x".repeat(limits.proofStatementLengthMax + 1), "statement"],
    ["award", "kind"],
  ])("refuse %.40s as their %s", async (value, field) => {
    const { status, body } = await ask("add", certificate({ [field]: value }));
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
  });

  it("end at so many, however many add at once", async () => {
    const { database } = server.services;
    const { kind: _kind, ...words } = certificate();
    await database
      .insert(proofs)
      .values(
        Array.from({ length: limits.proofsMax - 1 }, (_, place) => ({ ...words, kind: "certificate" as const, place })),
      );
    const answers = await Promise.all([1, 2, 3].map(() => ask("add", certificate())));
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
    expect(await database.$count(proofs)).toBe(limits.proofsMax);
  });

  it("leave what was there before and after each change in the audit log", async () => {
    const id = await add({ name: "Before" });
    await ask("change", { ...certificate({ name: "After" }), id, version: 1 });
    const { entries } = (await server.call("admin/audit", { subject: `proof:${id}` }, admin.token)).body;
    expect(entries.map(({ action, subject_name }) => [action, subject_name])).toEqual([
      ["change proof", "After"],
      ["add proof", "After"],
    ]);
    expect(entries[0]?.facts).toContainEqual({ name: "Name", before: "Before", value: "After" });
    expect(await server.services.database.$count(proofs, eq(proofs.id, id))).toBe(1);
  });
});
