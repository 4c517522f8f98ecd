import { eq } from "drizzle-orm";
import { randomBytes, randomUUID } from "node:crypto";
import { chmod, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { customer, quoteRequest } from "../../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../../tests/harness.ts";
import { readPdf } from "../../../tests/read-pdf.ts";
import { startBucket } from "../../../tests/stand-in-bucket.ts";
import { invoices, orders, people, quotes } from "../../database/schema/index.ts";
import type { InvoiceContent } from "../../database/schema/index.ts";
import { summariseError } from "../../failures/describe-error.ts";
import { isOutage } from "../../failures/outage.ts";
import { openFileStore } from "./open-file-store.ts";

let server: TestServer;
let owner: Awaited<ReturnType<typeof customer>>;
let stranger: Awaited<ReturnType<typeof customer>>;
beforeAll(async () => {
  server = await startTestServer();
  owner = await customer(server);
  stranger = await customer(server);
});
afterAll(() => server.stop());

/** The owner's quote with its proposal in the store. */
async function proposal() {
  const { body } = await server.call("estimator", quoteRequest(), owner.token);
  await server.mailbox.take(owner.email, /proposal/i);
  return { quoteId: body.quoteId, file: `proposal-${body.quoteId}.pdf` };
}
const signedUrl = async (fileName: string, token = owner.token) =>
  server.call("user/get-signed-url", { fileName }, token);

describe("A signed address", () => {
  test("gives the proposal to whoever holds it, as a PDF that is kept nowhere and framed by our own pages only", async () => {
    const { file } = await proposal();
    const { status, body } = await signedUrl(file);
    expect(status).toBe(200);
    expect(body.signedUrl).toContain(`${server.url}/api/files/${file}?`);
    const answer = await fetch(body.signedUrl);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": expect.stringMatching(/^inline; filename="Prahari-proposal-Q-\d{6}\.pdf"$/),
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": "frame-ancestors 'self'",
    });
    expect((await readPdf(await answer.bytes())).title).toMatch(/^Proposal Q-\d{6}$/);
  });

  test("is refused once it has expired, after five minutes and not before", async () => {
    const { file } = await proposal();
    const { body } = await signedUrl(file);
    server.passTime(limits.signedUrlMinutes * 60 - 5);
    expect((await fetch(body.signedUrl)).status).toBe(200);
    server.passTime(10);
    const late = await fetch(body.signedUrl);
    expect(late.status).toBe(403);
    expect(await late.json()).toEqual({ error: expect.stringContaining("expired"), code: "forbidden" });
  });

  test("is refused when anything about it was changed", async () => {
    const [{ file }, { file: other }] = [await proposal(), await proposal()];
    const url = new URL((await signedUrl(file)).body.signedUrl);
    const signature = url.searchParams.get("signature") ?? "";
    const changed = (change: (copy: URL) => void) => {
      const copy = new URL(url);
      change(copy);
      return fetch(copy);
    };
    const refused = [
      await changed((copy) => copy.searchParams.set("expires", String(Number(copy.searchParams.get("expires")) + 60))),
      await changed((copy) => copy.searchParams.set("expires", "x")),
      await changed((copy) => copy.searchParams.delete("expires")),
      await changed((copy) =>
        copy.searchParams.set(
          "signature",
          signature.replace(/^./, (first) => (first === "A" ? "B" : "A")),
        ),
      ),
      await changed((copy) => copy.searchParams.set("signature", signature.slice(1))),
      await changed((copy) => copy.searchParams.set("signature", "é".repeat(signature.length))),
      await changed((copy) => copy.searchParams.delete("signature")),
      await changed((copy) => copy.searchParams.set("as", "another-name.pdf")),
      await changed((copy) => copy.searchParams.delete("as")),
      await changed((copy) => (copy.pathname = `/api/files/${other}`)),
    ];
    expect(refused.map((answer) => answer.status)).toEqual(refused.map(() => 403));
    expect((await changed(() => undefined)).status).toBe(200);
  });

  test("of a name that is not ours is absent, signed or not, wherever it points", async () => {
    await writeFile(join(server.services.env.dataDir, "secret.pdf"), "secret");
    const names = [
      "..%2Fsecret.pdf",
      "%2e%2e%2fsecret.pdf",
      "..%5csecret.pdf",
      "secret.pdf",
      `proposal-${randomUUID()}.pdf%00.png`,
      "proposal-../secret.pdf",
    ];
    for (const name of names) {
      const url = await server.services.files.signedUrl(decodeURIComponent(name), "proposal.pdf").catch(() => "");
      const query = url.slice(url.indexOf("?"));
      for (const address of [`${server.url}/api/files/${name}`, `${server.url}/api/files/${name}${query}`])
        expect([address, (await fetch(address)).status]).toEqual([address, 404]);
    }
    const gone = await fetch(await server.services.files.signedUrl(`proposal-${randomUUID()}.pdf`, "proposal.pdf"));
    expect([gone.status, ((await gone.json()) as { code: string }).code]).toEqual([404, "not_found"]);
  });

  test("made with another installation's secret is refused", async () => {
    const { file } = await proposal();
    const { env, now } = server.services;
    const other = openFileStore({ ...env, tokenSecret: "another-secret-of-32-characters-or-more" }, server.url, now);
    expect((await fetch(await other.signedUrl(file, "proposal.pdf"))).status).toBe(403);
  });
});

describe("user/get-signed-url", () => {
  test("gives an invoice to the organisation whose order it is", async () => {
    const { quoteId } = await proposal();
    const [person] = await server.services.database.select().from(people).where(eq(people.email, owner.email));
    const [order] = await server.services.database
      .insert(orders)
      .values({
        quoteId,
        organisationId: person?.organisationId ?? "",
        buyerId: person?.id ?? "",
        billTo: {} as InvoiceContent["billTo"],
        amountPaise: 1,
      })
      .returning();
    const file = `invoice-${randomUUID()}.pdf`;
    await server.services.database.insert(invoices).values({
      orderId: order?.id ?? "",
      financialYear: "26-27",
      serial: 900_001,
      number: "SOC/26-27/900001",
      content: {} as InvoiceContent,
      issuedAt: new Date(),
      file,
    });
    await server.services.files.write(file, new Uint8Array([37, 80, 68, 70]));
    expect(await (await fetch((await signedUrl(file)).body.signedUrl)).text()).toBe("%PDF");
    expect((await signedUrl(file, stranger.token)).status).toBe(404);
  });

  test("answers the same for another organisation's file, one that is not there and one that is no file of ours", async () => {
    const { file } = await proposal();
    const answers = [
      await signedUrl(file, stranger.token),
      await signedUrl(`proposal-${randomUUID()}.pdf`),
      await signedUrl("../token-secret"),
      await signedUrl("' or 1=1 --"),
    ];
    for (const { status, body } of answers)
      expect([status, body]).toEqual([404, { error: "This file was not found.", code: "not_found" }]);
  });

  test("gives a visitor's proposal to nobody, until the quote is somebody's", async () => {
    const { body } = await server.call(
      "estimator",
      quoteRequest({ userEmail: `visitor-${randomUUID().slice(0, 8)}@example.in` }),
    );
    const ready = async () =>
      (await server.services.database.select().from(quotes).where(eq(quotes.id, body.quoteId)))[0]?.proposalFile;
    await expect.poll(ready).toBe(`proposal-${body.quoteId}.pdf`);
    expect((await signedUrl(`proposal-${body.quoteId}.pdf`)).status).toBe(404);
  });

  test("refuses who is not signed in and a name that is missing or too long", async () => {
    expect((await server.send("user/get-signed-url", { fileName: "x" })).status).toBe(401);
    expect((await server.send("user/get-signed-url", { fileName: "x" }, null)).status).toBe(401);
    expect((await server.send("user/get-signed-url", {}, owner.token)).status).toBe(422);
    expect((await server.send("user/get-signed-url", { fileName: "x".repeat(201) }, owner.token)).status).toBe(422);
  });
});

test("The folder is under DATA_DIR and holds what was written until it is removed", async () => {
  const name = `invoice-${randomUUID()}.pdf`;
  const { files, env } = server.services;
  await files.write(name, Buffer.from("first"));
  await files.write(name, Buffer.from("second"));
  expect(await readFile(join(env.dataDir, "files", name), "utf8")).toBe("second");
  expect(Buffer.from(await files.read(name)).toString()).toBe("second");
  expect((await readdir(join(env.dataDir, "files"))).filter((entry) => entry === name)).toHaveLength(1);
  await expect(files.read(`invoice-${randomUUID()}.pdf`)).rejects.toThrow("Cannot read file");
  // A repeated run removes files again that a killed run has removed already.
  for (let time = 0; time < 2; time++) await files.remove(name);
  await expect(files.read(name)).rejects.toThrow("Cannot read file");
});

test.each(["folder", "bucket"])(
  "What comes in many pieces is written to a %s as it comes, and is not there when it breaks off",
  async (kind) => {
    const { s3, kept, stop } = await startBucket();
    onTestFinished(stop);
    const { env, now, files } = server.services;
    const store = kind === "folder" ? files : openFileStore({ ...env, s3 }, server.url, now);
    const pieces = Array.from({ length: 12 }, () => randomBytes(1024 ** 2));
    const name = `data-${randomUUID()}.zip`;
    await store.writeStream(name, Readable.from(pieces, { objectMode: false }));
    const written = kind === "folder" ? await files.read(name) : kept.get(`/proposals/${name}`);
    expect(Buffer.concat(pieces).equals(written ?? new Uint8Array())).toBe(true);

    const broken = `data-${randomUUID()}.zip`;
    const breaking = Readable.from(
      (function* () {
        yield* pieces;
        throw new Error("The database is gone");
      })(),
      { objectMode: false },
    );
    await expect(store.writeStream(broken, breaking)).rejects.toThrow("The database is gone");
    await expect(store.read(broken)).rejects.toThrow("Cannot read file");
    expect((await readdir(join(env.dataDir, "files"))).filter((file) => file.endsWith(".part"))).toEqual([]);
  },
);

test("What a process that was killed had begun to write is no file, and goes with the next one that is written so", async () => {
  const { env, files } = server.services;
  const [old, living] = ["old", "living"].map((name) => join(env.dataDir, "files", `${name}.part`));
  for (const part of [old ?? "", living ?? ""]) await writeFile(part, "half");
  await utimes(old ?? "", new Date(0), new Date(0));
  const listed = [];
  for await (const each of files.list()) listed.push(each);
  expect(listed.filter((each) => each.endsWith(".part"))).toEqual([]);
  const name = `data-${randomUUID()}.zip`;
  await files.writeStream(name, Readable.from(["whole"], { objectMode: false }));
  expect(((await stat(join(env.dataDir, "files", name))).mode & 0o777).toString(8)).toBe("600");
  const left = (await readdir(join(env.dataDir, "files"))).filter((each) => each.endsWith(".part"));
  expect(left).toEqual([basename(living ?? "")]);
  await rm(living ?? "");
});

test("Nobody else on the machine can read the folder, nor one that an earlier version left open", async () => {
  const { files, env, now } = server.services;
  const folder = join(env.dataDir, "files");
  const modes = async () =>
    Promise.all([folder, join(folder, name)].map(async (path) => ((await stat(path)).mode & 0o777).toString(8)));
  const name = `invoice-${randomUUID()}.pdf`;
  await files.write(name, Buffer.from("%PDF"));
  expect(await modes()).toEqual(["700", "600"]);
  await chmod(join(folder, name), 0o644);
  await chmod(folder, 0o755);
  const reopened = openFileStore(env, server.url, now);
  expect(await modes()).toEqual(["700", "600"]);
  expect(Buffer.from(await reopened.read(name)).toString()).toBe("%PDF");
});

test("An S3-compatible store is spoken to in its protocol, signed, and gives addresses for five minutes", async () => {
  const { s3, kept, seen, stop } = await startBucket();
  const store = openFileStore({ ...server.services.env, s3 }, server.url, server.services.now);

  await store.write("proposal-1.pdf", Buffer.from("%PDF"));
  expect([...kept]).toEqual([["/proposals/proposal-1.pdf", Buffer.from("%PDF")]]);
  expect(seen[0]?.headers).toMatchObject({
    authorization: expect.stringContaining("Credential=key/"),
    "content-type": "application/pdf",
  });
  expect(Buffer.from(await store.read("proposal-1.pdf")).toString()).toBe("%PDF");
  await expect(store.read("proposal-2.pdf")).rejects.toThrow("Cannot read file");
  const address = new URL(await store.signedUrl("proposal-1.pdf", "Proposal Q-000001.pdf"));
  expect(`${address.origin}${address.pathname}`).toBe(`${s3.endpoint}/proposals/proposal-1.pdf`);
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    "X-Amz-Expires": "300",
    "response-content-disposition": 'inline; filename="Proposal-Q-000001.pdf"',
  });
  expect(await (await fetch(address)).text()).toBe("%PDF");
  for (let time = 0; time < 2; time++) await store.remove("proposal-1.pdf");
  expect(kept.size).toBe(0);
  await stop();
});

test("A store that sends a file by drops is an outage, too: mails without a file wait behind those with one", async () => {
  const bucket = await startBucket();
  onTestFinished(bucket.stop);
  const patience = { connectMs: 30_000, silentMs: 2000, tries: 2 };
  const store = openFileStore({ ...server.services.env, s3: bucket.s3 }, server.url, server.services.now, { patience });
  await store.write("proposal-1.pdf", Buffer.alloc(200_000, "x"));
  expect(await store.read("proposal-1.pdf")).toHaveLength(200_000);
  bucket.drip();
  const failure: unknown = await store.read("proposal-1.pdf").catch((error: unknown) => error);
  expect(String(failure)).toContain('Cannot read file from location "proposal-1.pdf"');
  expect(isOutage(failure)).toBe(true);
});

test("A web page is no document: where it answers for the store, nothing counts as kept, read or removed", async () => {
  const bucket = await startBucket();
  onTestFinished(bucket.stop);
  const { env, now, log } = server.services;
  const store = openFileStore({ ...env, s3: bucket.s3 }, server.url, now, { log });
  await store.write("invoice-1.pdf", Buffer.from("%PDF"));
  bucket.greet();
  const pdf = () => Buffer.from("%PDF");
  for (const act of [
    () => store.write("invoice-2.pdf", pdf()),
    () => store.writeStream("data-1.zip", Readable.from([pdf()])),
    () => store.read("invoice-1.pdf"),
    () => store.remove("invoice-1.pdf"),
    () => store.check(),
  ]) {
    const failure: unknown = await act().catch((error: unknown) => error);
    expect(summariseError(failure)).toContain("A web page came from where the file store should be");
  }
});

test("What the bucket's client warns of is a line of the log like any other", async () => {
  const bucket = await startBucket();
  const { env, now, log } = server.services;
  const toConsole = vi.spyOn(console, "warn").mockReturnValue();
  onTestFinished(async () => {
    toConsole.mockRestore();
    await bucket.stop();
  });
  const store = openFileStore({ ...env, s3: bucket.s3 }, server.url, now, { log });
  bucket.greet();
  await expect(store.writeStream("data-1.zip", Readable.from([Buffer.from("PK")]))).rejects.toThrow("Cannot write");
  expect(server.log.join("\n")).toMatch(/^\{.*"level":40.*non-retryable streaming request/m);
  expect(toConsole).not.toHaveBeenCalled();
});

test("A store that hangs is an outage like any other: whoever uploads is told so, and holds up nobody any more", async () => {
  const bucket = await startBucket();
  onTestFinished(bucket.stop);
  const { services } = server;
  const { files, env, now, gates } = services;
  onTestFinished(() => void (services.files = files));
  const patience = { connectMs: 30_000, silentMs: 200, tries: 2 };
  services.files = openFileStore({ ...env, s3: bucket.s3 }, server.url, now, { patience });
  const report = { id: randomUUID(), what: "Files are encrypted", since: "noon", call: "Asha" };
  const { body } = await server.call("user/under-attack/post", report, owner.token);
  const file = Buffer.from("%PDF-1.7 evidence").toString("base64");
  const evidence = { id: body.incident_id, file_id: randomUUID(), name: "evidence.pdf", file };
  const attach = async () => (await server.call("user/incidents/attach", evidence, owner.token)).status;
  bucket.hold();
  expect(await attach()).toBe(503);
  expect(Object.values(gates).map((gate) => gate.use().inside)).toEqual(Object.values(gates).map(() => 0));
  expect(bucket.written.filter(({ path }) => path.includes("incident-"))).toHaveLength(patience.tries);
  bucket.letGo();
  expect(await attach()).toBe(201);
});
