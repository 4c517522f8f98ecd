import { desc, eq } from "drizzle-orm";
import { strFromU8, unzipSync } from "fflate";
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { extractText } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sellerIs } from "../../tests/billing.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { auditEntries, organisations, sessions } from "../database/schema/index.ts";

let server: TestServer;
let folder: string;
const cin = "U72900KA2020PTC123456";
let people: Record<"user" | "partner" | "admin", Member>;
let id: string;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  await sellerIs(server, { cin });
  folder = mkdtempSync(join(tmpdir(), "dossier-"));
  const partner = await member(server, "partner");
  people = {
    partner,
    user: await member(server, "user", { partnerId: partner.organisationId }),
    admin: await member(server, "admin"),
  };
  const { user, admin } = people;
  const asked = { id: randomUUID(), email: user.email, title: "A stranger signed in", severity: "P1" as const };
  id = (await server.call("admin/incidents/open", asked, admin.token)).body.incident_id;
  const tell = (more: object) =>
    server.send("admin/incidents/tell", { id, fact_id: randomUUID(), news: "commented", ...more }, admin.token);
  await tell({ text: "=1+1, says the log" });
  await tell({ text: "Their boss is a suspect", internal: true });
  const attached = {
    id,
    file_id: randomUUID(),
    name: "../../evidence.exe",
    file: Buffer.from("%PDF-1.7 proof").toString("base64"),
  };
  await server.call("user/incidents/attach", attached, user.token);
  await server.call("user/obligations/classes", { classes: ["body corporate"], version: 0 }, user.token);
  const fact = { id, factId: randomUUID(), kind: "types" as const, value: { types: [5 as const] } };
  await server.call("user/incidents/{id}/facts", fact, user.token);
  const filing = { filingId: randomUUID(), key: "cert-in", version: 0, filedBy: user.id, reference: "CERT-7" };
  const filedAt = server.services.now().toISOString();
  await server.call("user/incidents/{id}/filings", { id, ...filing, filedAt }, user.token);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.stop();
});

type Area = keyof typeof people;
const ask = (area: Area, who = people[area]) => server.call(`${area}/incidents/dossier`, { id }, who.token);
const open = async (area: Area) => fetch(new URL((await ask(area)).body.signedUrl));
const unzipped = async (area: Area) => unzipSync(new Uint8Array(await (await open(area)).arrayBuffer()));
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const text = (entries: Record<string, Uint8Array>, name: string) => strFromU8(entries[name] ?? new Uint8Array());

it("A customer's dossier holds timeline, clocks, drafts, filings and files, each as its list says", async () => {
  const answer = await open("user");
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="\w+-dossier-I-\d{6}\.zip"$/);
  const entries = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  expect(Object.keys(entries)).toEqual(
    expect.arrayContaining(["README.txt", "timeline.pdf", "clocks.csv", "drafts/cert-in.txt", "filed/01-cert-in.txt"]),
  );
  expect(text(entries, "files/01--..-evidence.pdf")).toBe("%PDF-1.7 proof");
  expect(text(entries, "timeline.csv")).toContain(`"'=1+1, says the log"`);
  expect(text(entries, "clocks.csv")).toContain("Acknowledge,Kept,15 min");
  expect(text(entries, "filings.csv")).toContain("CERT-7");
  expect(text(entries, "regulators-clocks.csv")).toContain("filed");
  const { text: pages } = await extractText(entries["timeline.pdf"]?.slice() ?? new Uint8Array(), { mergePages: true });
  expect(pages).toContain("A stranger signed in");
  expect(pages).toContain(`CIN ${cin}`);
  const listed = text(entries, "SHA256SUMS")
    .trim()
    .split("\n")
    .map((line) => line.split("  "));
  const counted = Object.entries(entries).filter(([name]) => name !== "SHA256SUMS");
  expect(new Map(listed.map(([sum, name]) => [name, sum]))).toEqual(
    new Map(counted.map(([name, bytes]) => [name, sha256(bytes)])),
  );
});

it("Each side gets what it may know: our team its own remarks, a partner no drafts", async () => {
  const [user, partner, admin] = [await unzipped("user"), await unzipped("partner"), await unzipped("admin")];
  const hasRemark = (entries: Record<string, Uint8Array>) =>
    Object.values(entries).some((bytes) => strFromU8(bytes).includes("Their boss is a suspect"));
  expect([user, partner, admin].map(hasRemark)).toEqual([false, false, true]);
  const hasDrafts = (entries: Record<string, Uint8Array>) =>
    Object.keys(entries).some((name) => name.startsWith("drafts/") || name.startsWith("filed/"));
  expect([user, partner, admin].map(hasDrafts)).toEqual([true, false, true]);
});

it("Who took it, and the fingerprint of its list, stand in the audit log", async () => {
  const entries = await unzipped("user");
  const [entry] = await server.services.database
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.action, "make dossier"))
    .orderBy(desc(auditEntries.id))
    .limit(1);
  expect(entry).toMatchObject({ actorId: people.user.id, subject: `incident:${id}` });
  expect(entry?.detail).toMatchObject({ sha256: sha256(entries["SHA256SUMS"] ?? new Uint8Array()) });
});

it("npm run verify tells whether an unpacked one is as it was made", async () => {
  for (const [name, bytes] of Object.entries(await unzipped("user"))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  const verify = () =>
    promisify(execFile)(process.execPath, ["server/commands/verify.ts", join(folder, "SHA256SUMS")]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    );
  const whole = await verify();
  expect([whole.code, whole.stdout.includes("NO ")]).toEqual([0, false]);
  writeFileSync(join(folder, "clocks.csv"), "all kept");
  writeFileSync(join(folder, "more.txt"), "never was");
  const changed = await verify();
  expect([changed.code, changed.stdout.match(/^NO .*/gm)]).toEqual([
    1,
    ["NO   clocks.csv", "NO   more.txt: it is not in the list"],
  ]);
});

it("Its address is nobody's who may not read the incident, holds for one session, and by the rights of the moment", async () => {
  const stranger = await member(server, "user");
  expect((await ask("user", stranger)).status).toBe(404);
  const again = await member(server, "userChild", { organisationId: people.user.organisationId });
  const address = (await ask("user", again)).body.signedUrl;
  const forged = address.replace(/dossier-user-([\da-f-]{36})/, `dossier-user-${randomUUID()}`);
  expect((await fetch(forged)).status).toBe(403);
  expect((await fetch(address)).status).toBe(200);
  const { database, now } = server.services;
  await database.update(sessions).set({ revokedAt: now() }).where(eq(sessions.personId, again.id));
  expect((await fetch(address)).status).toBe(401);
  const ofPartner = (await ask("partner")).body.signedUrl;
  await database.update(organisations).set({ partnerId: null }).where(eq(organisations.id, people.user.organisationId));
  expect((await fetch(ofPartner)).status).toBe(404);
  expect((await ask("partner")).status).toBe(404);
});
