import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { System } from "../../contract/system.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { noteBackup } from "../backup/note-backup.ts";
import { heavyConnections } from "../database/heavy-reads.ts";
import { auditEntries } from "../database/schema/index.ts";
import { makeSelfSigned } from "../outside/documents/self-signed.ts";
import { openFileStore } from "../outside/files/open-file-store.ts";
import { smtpTransport } from "../outside/mail/smtp-transport.ts";

// Its job queues are not processed: what is put into them stays there.
let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
});
afterAll(() => server.stop());

/** Waits before reading, because an answer is reused for two seconds. */
async function read(who = admin, meanwhile = () => {}) {
  await new Promise((done) => setTimeout(done, 2050));
  meanwhile();
  const { status, body } = await server.call("admin/system", {}, who.token);
  expect(status).toBe(200);
  return body;
}
const partOf = ({ parts }: System, name: System["parts"][number]["name"]) => parts.find((part) => part.name === name);
const factsOf = (system: System, name: System["parts"][number]["name"]) =>
  Object.fromEntries(partOf(system, name)?.facts.map((fact) => [fact.name, fact.value]) ?? []);

async function failedJob(queue = "send-mail") {
  const id = randomUUID();
  await server.services.database.$client.query(
    `insert into jobs.job (id, name, data, state, retry_limit, retry_count, completed_on, output)
      values ($1, $2, '{"mailId": "none"}', 'failed', 2, 2, now(), '{"message": "ECONNREFUSED"}')`,
    [id, queue],
  );
  return id;
}
const retry = (id: string, who = admin, queue = "send-mail") =>
  server.call("admin/system/retry-job", { queue, id }, who.token);

describe("The system screen", () => {
  it("tells versions, size, connections, migrations and where documents and mail go", async () => {
    const system = await read();
    expect(system.parts.map(({ name }) => name)).toEqual(["product", "database", "jobs", "files", "mail", "backup"]);
    expect(factsOf(system, "product")).toMatchObject({ "Node.js": process.versions.node });
    const { Size, Connections, Migrations, PostgreSQL } = factsOf(system, "database");
    expect([Size, Connections, PostgreSQL]).toEqual([
      expect.stringMatching(/^[\d.]+ [KMG]B$/),
      expect.stringMatching(/^\d+ of \d+$/),
      expect.stringMatching(/^\d+/),
    ]);
    expect(new Set(Migrations?.split(" of ")).size).toBe(1);
    expect(factsOf(system, "files")).toMatchObject({ Place: expect.stringContaining("files") });
    expect(factsOf(system, "mail")).toMatchObject({ Server: "127.0.0.1", "Mails that wait": "0" });
    expect(system.parts.filter(({ state }) => state === "bad")).toEqual([]);
  });

  it("tells who signs invoices, and warns before the certificate ends", async () => {
    const { env } = server.services;
    onTestFinished(() => void (env.documentSigningPem = null));
    const year = new Date().getUTCFullYear();
    env.documentSigningPem = await makeSelfSigned("Seller", new Date(Date.UTC(year - 5, 0, 1)));
    const good = await read();
    expect(partOf(good, "product")?.state).toBe("good");
    expect(factsOf(good, "product")).toMatchObject({ "Signs invoices": "CN=Seller" });
    env.documentSigningPem = await makeSelfSigned("Seller", new Date(Date.UTC(year - 11, 0, 1)));
    expect(partOf(await read(), "product")).toMatchObject({
      state: "warning",
      says: expect.stringContaining("has ended: invoices go out without a signature."),
      remedy: expect.stringContaining("DOCUMENT_SIGNING_PEM"),
    });
  });

  it("tells the depth of each queue, and what failed in it and why", async () => {
    const id = await failedJob();
    const system = await read();
    expect(system.queues?.map(({ queue }) => queue)).toContain("render-proposal");
    expect(system.failed_jobs).toContainEqual(
      expect.objectContaining({ id, queue: "send-mail", does: "Send mails", tries: 3, reason: "ECONNREFUSED" }),
    );
    expect(JSON.stringify(system)).not.toContain("mailId");
  });

  it("tells the other parts while the documents and the mail server are down, within seconds", async () => {
    // It accepts connections and never answers, like a server behind a broken network.
    const silent = createServer(() => {});
    await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
    const { port } = silent.address() as { port: number };
    const { services } = server;
    const { mail, files, env, now } = services;
    onTestFinished(() => {
      services.mail = mail;
      services.files = files;
      silent.close();
    });
    const keys = { accessKeyId: "a", secretAccessKey: "b" };
    const s3 = { bucket: "none", region: "ap-south-1", endpoint: `http://127.0.0.1:${port}`, ...keys };
    services.mail = smtpTransport(`smtp://127.0.0.1:${port}`, "Prahari <soc@prahari.example>");
    services.files = openFileStore({ ...env, s3 }, server.url, now);
    const system = await read();
    services.mail.close();
    expect(partOf(system, "files")).toMatchObject({ state: "bad", says: "No answer within 3 seconds." });
    expect(partOf(system, "files")?.remedy).toContain("S3 variables");
    expect(partOf(system, "mail")).toMatchObject({ state: "bad", says: "No answer within 3 seconds." });
    expect(partOf(system, "database")?.state).toBe("good");
    expect(system.queues).not.toBeNull();
  });

  it("says why, where a part refuses", async () => {
    const { services } = server;
    const { mail } = services;
    onTestFinished(() => {
      services.mail = mail;
    });
    services.mail = smtpTransport("smtp://127.0.0.1:9", "Prahari <soc@prahari.example>");
    expect(partOf(await read(), "mail")).toMatchObject({
      state: "bad",
      says: expect.stringContaining("ECONNREFUSED"),
      remedy: expect.stringContaining("SMTP_URL"),
    });
  });

  it.each([
    [0, "bad", "It is full, and has 0 bytes left.", "until then no document is made"],
    [5 * 1024 ** 2, "bad", "It is full, and has 5.0 MB left.", "until then no document is made"],
    [200 * 1024 ** 2, "warning", "It answers, and has 200 MB left.", "before documents can't be kept any more"],
    [2 * 1024 ** 3, "good", "It answers.", ""],
  ])("says of a disk with %i bytes left what that means for documents", async (freeBytes, state, says, remedy) => {
    const { services } = server;
    const { files } = services;
    onTestFinished(() => {
      services.files = files;
    });
    services.files = { ...files, check: () => Promise.resolve({ place: "The folder files", freeBytes }) };
    const told = partOf(await read(), "files");
    expect(told).toMatchObject({ state, says });
    expect(told?.remedy ?? "").toContain(remedy);
  });

  it("takes no connection from those who work: while heavy reads are taken up it tells what it can", async () => {
    const leave = new AbortController();
    const statement = "select pg_sleep(4.5)";
    const sleep = () => server.services.heavyReads.until(leave.signal).$client.query(statement);
    const busy: Promise<unknown>[] = [];
    const system = await read(admin, () => {
      for (let one = 0; one < heavyConnections; one++) busy.push(sleep().catch(() => null));
    });
    leave.abort();
    await Promise.all(busy);
    expect(partOf(system, "database")?.says).toBe("No answer within 3 seconds.");
    expect(system.failed_jobs).toBeNull();
    expect(partOf(system, "jobs")?.facts.map(({ name }) => name)).toContain("Waiting");
    expect(system.queues).not.toBeNull();
    expect([partOf(system, "files")?.state, partOf(system, "mail")?.state]).toEqual(["good", "good"]);
  });

  it("knows the last backup, and warns while there is none and when it is old", async () => {
    expect(partOf(await read(), "backup")).toMatchObject({
      state: "warning",
      says: expect.stringContaining("No backup"),
    });
    await noteBackup(server.databaseUrl, { tables: [{ name: "people", columns: [], rows: 7 }], files: 3 });
    const fresh = await read();
    expect(partOf(fresh, "backup")?.state).toBe("good");
    expect(factsOf(fresh, "backup")).toMatchObject({ Rows: "7", Files: "3" });
    const { now } = server.services;
    onTestFinished(() => {
      server.services.now = now;
    });
    const later = new Date(Date.now() + 8 * 24 * 3_600_000);
    server.services.now = () => later;
    const other = await member(server, "admin");
    expect(partOf(await read(other), "backup")).toMatchObject({
      state: "warning",
      says: "The last backup is 8 days old.",
    });
  });

  it("is for administrators; their child accounts see it and try nothing again", async () => {
    const id = await failedJob();
    const child = await member(server, "adminChild", { organisationId: admin.organisationId });
    expect((await read(child)).failed_jobs?.map((job) => job.id)).toContain(id);
    expect((await retry(id, child)).status).toBe(403);
    for (const role of ["user", "partner"] as const)
      expect((await server.call("admin/system", {}, (await member(server, role)).token)).status).toBe(403);
  });
});

describe("A failed job", () => {
  it("is tried again once, however many ask at once, and that is noted once", async () => {
    const id = await failedJob();
    const replies = await Promise.all(Array.from({ length: 8 }, () => retry(id)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(7);
    const { rows } = await server.services.database.$client.query("select state from jobs.job where id = $1", [id]);
    // Shown at once, whatever was read a moment ago.
    const { body } = await server.call("admin/system", {}, admin.token);
    expect(body.failed_jobs?.map((job) => job.id)).not.toContain(id);
    expect(rows).toEqual([{ state: "retry" }]);
    const noted = await server.services.database
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.action, "retry job"));
    expect(noted.filter(({ detail }) => detail["job"] === id)).toMatchObject([
      { actorId: admin.id, subject: "Send mails" },
    ]);
  });

  it("is none where the queue or the job is unknown, or it has not failed", async () => {
    expect((await retry(randomUUID())).status).toBe(409);
    expect((await retry(await failedJob(), admin, "no-such-queue")).status).toBe(409);
    expect((await retry(await failedJob(), admin, "render-invoice")).status).toBe(409);
  });
});
