import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { Client } from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type Database, openDatabase } from "../../server/database/database.ts";
import { rules } from "../../server/protection/limiter.ts";
import { article } from "../articles.ts";
import { customer, quoteRequest, registration } from "../factories.ts";
import { databaseUrl } from "../global-setup.ts";
import { type Mailbox, startMailbox, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import { publishCard, withType } from "../rate-card.ts";
import { type RoundRobin, startRoundRobin } from "../round-robin.ts";
import { type StandInBucket, startBucket } from "../stand-in-bucket.ts";
import { clientOf } from "./product-client.ts";
import { makeDataDir, type RunningProduct, startProduct } from "./running-product.ts";

/**
 * As on three machines: each copy has its own folder and its own key to the bucket; they share database, bucket and
 * mail server.
 */
const names = ["copy-1", "copy-2", "copy-3"];
const dataDirs = names.map(() => makeDataDir());
const databaseName = `three_copies_${randomUUID().replaceAll("-", "")}`;
const tokenSecret = "a token secret of thirty-two characters";

let mailbox: Mailbox;
let bucket: StandInBucket;
let proxy: RoundRobin;
let server: Client;
let database: Database;
let copies: RunningProduct[];
/** Calls through the proxy: all copies answer in turn. */
let product: Pick<TestServer, "call" | "mailbox">;
let admin: Member;

beforeAll(async () => {
  [mailbox, bucket, proxy] = await Promise.all([startMailbox(), startBucket(), startRoundRobin()]);
  server = new Client({ connectionString: inject("postgresUrl") });
  await server.connect();
  await server.query(`create database ${databaseName} template ${inject("templateDatabase")}`);
  const url = databaseUrl(inject("postgresUrl"), databaseName);
  const env = {
    DATABASE_URL: url,
    PUBLIC_URL: proxy.url,
    TRUST_PROXY: "1",
    ALLOW_SANDBOX: "1",
    TOKEN_SECRET: tokenSecret,
    SMTP_URL: mailbox.url,
    MAIL_FROM: "Prahari <soc@prahari.example>",
    S3_ENDPOINT: bucket.s3.endpoint ?? "",
    S3_BUCKET: bucket.s3.bucket,
    S3_SECRET_ACCESS_KEY: bucket.s3.secretAccessKey,
  };
  copies = await Promise.all(
    names.map((name, index) => startProduct({ ...env, S3_ACCESS_KEY_ID: name, DATA_DIR: dataDirs[index] ?? "" })),
  );
  proxy.copies.push(...copies.map((copy) => copy.url));
  product = clientOf(proxy.url, mailbox);
  database = openDatabase(url, { max: 2 });
  admin = await member({ services: { database, now: () => new Date(), env: { tokenSecret } } }, "admin");
});
afterAll(async () => {
  bucket.letGo();
  const running = copies.filter(({ process }) => process.exitCode === null && process.signalCode === null);
  await Promise.all(running.map((copy) => copy.end("SIGTERM")));
  await database.$client.close(500);
  await server.query(`drop database ${databaseName} with (force)`);
  await server.end();
  await Promise.all([mailbox.stop(), bucket.stop(), proxy.stop()]);
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
});

it("Signs somebody in although each step is answered by another copy, and any copy then gives the proposal", async () => {
  const { email, token } = await customer(product);
  await product.call("estimator", quoteRequest({ userEmail: email }), token);
  await mailbox.take(email, /proposal/);
  for (const copy of copies) {
    const { body } = await clientOf(copy.url, mailbox).call("user/get-estimation", {}, token);
    const [quote] = body.estimation;
    const signed = await clientOf(copy.url, mailbox).call(
      "user/get-signed-url",
      { fileName: quote?.pdf_url ?? "" },
      token,
    );
    expect(await (await fetch(signed.body.signedUrl)).text()).toMatch(/^%PDF/);
  }
});

it("Wrong passwords sent to all copies at once count for one pause", async () => {
  const person = registration();
  expect((await product.call("auth/register", person)).status).toBe(201);
  const { freeTries } = rules.wrongPasswordByAccount;
  const tries = Array.from({ length: 3 * freeTries }, () =>
    product.call("auth/login", { email: person.email, password: "not the password of anybody" }),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  const expected = [...Array<number>(freeTries).fill(401), ...Array<number>(2 * freeTries).fill(429)];
  expect(statuses.toSorted((one, other) => one - other)).toEqual(expected);
});

it("A rate card that one copy publishes is what all of them price by", async () => {
  const firewall = { service: "Network & Security Solutions", deviceType: "Firewall", number: 1 };
  const pricesOfAll = async () =>
    Promise.all(
      copies.map(async ({ url }) => {
        const { body } = await clientOf(url, mailbox).call("estimator/price", { selectedDevices: [firewall] });
        return body.lines[0]?.rate;
      }),
    );
  const before = await pricesOfAll();
  expect(new Set(before).size).toBe(1);
  expect(before).not.toContain("123456.00");
  expect((await publishCard(product, admin, withType("Firewall", { yearly: "123456.00" }))).status).toBe(200);
  await expect.poll(pricesOfAll).toEqual(["123456.00", "123456.00", "123456.00"]);
});

it("What an administrator publishes on one copy is at once on the pages that the others keep in memory", async () => {
  const pagesOfAll = () => Promise.all(copies.map(async ({ url }) => (await fetch(`${url}/buyers-guide`)).text()));
  const haveIt = async () => (await pagesOfAll()).map((page) => page.includes("Certificate 12345"));
  expect(await haveIt()).toEqual([false, false, false]);
  const certificate = { name: "ISO/IEC 27001:2022", issuer: "A certification body", statement: "Certificate 12345" };
  const proof = { ...certificate, kind: "certificate" as const, validUntil: null, link: null };
  expect((await product.call("admin/settings/proofs/add", proof, admin.token)).status).toBe(201);
  // A page that missed the notification would stay for a minute, longer than this waits.
  await expect.poll(haveIt).toEqual([true, true, true]);
});

it("An article with an image that one copy took is on all of them, and a scheduled one is published once", async () => {
  const photo = await sharp({ create: { width: 1000, height: 500, channels: 3, background: "#4084f0" } })
    .jpeg()
    .toBuffer();
  const sent = await fetch(`${copies[0]?.url}/api/admin/posts/add-image`, {
    method: "POST",
    headers: { authorization: `Bearer ${admin.token}` },
    body: new Uint8Array(photo),
  });
  expect(sent.status).toBe(201);
  const { headerImg } = (await sent.json()) as { headerImg: string };
  const ofAll = (path: string) =>
    Promise.all(copies.map(async ({ url }) => (await fetch(url + path, { redirect: "manual" })).status));
  expect(await ofAll(headerImg)).toEqual([200, 200, 200]);
  const { body } = await product.call("admin/posts/add", article({ headerImg }), admin.token);
  const at = new Date(Date.now() + 3000).toISOString();
  const scheduled = await product.call("admin/posts/publish", { id: body.id, version: 1, at }, admin.token);
  expect(scheduled.status).toBe(200);
  expect(await ofAll("/blog/an-article")).toEqual([302, 302, 302]);
  await expect.poll(() => ofAll("/blog/an-article")).toEqual([200, 200, 200]);
  const { rows } = await database.$client.query(
    "select at from audit_entries where action = 'publish article' and subject = $1",
    [`article:${body.id}`],
  );
  expect(rows).toHaveLength(1);
});

it("Each estimate sent at once to all copies gets one proposal and one mail", async () => {
  const people = await sendEstimates(6);
  for (const { email } of people) await mailbox.take(email, /proposal/);
  await untilNothingIsLeftToDo();
  for (const { email, quoteId } of people) {
    expect(bucket.written.filter(({ path }) => path.includes(quoteId))).toHaveLength(1);
    expect(mailsTo(email)).toBe(1);
  }
});

it("The work of a copy that is killed in the middle of it is done by the others, once", async () => {
  bucket.hold();
  const before = bucket.written.length;
  const people = await sendEstimates(6);
  await expect.poll(() => bucket.written.length).toBeGreaterThan(before);
  const { by: killed = "" } = bucket.written[before] ?? {};
  await copies[names.indexOf(killed)]?.end("SIGKILL");
  const begun = bucket.written.filter(({ by }) => by === killed).slice(-1)[0]?.path ?? "";
  expect(bucket.kept.has(begun)).toBe(false);
  bucket.letGo();
  for (const { email } of people) await mailbox.take(email, /proposal/);
  await untilNothingIsLeftToDo();
  const finishedBy = bucket.written.findLast(({ path }) => path === begun)?.by;
  expect(names.filter((name) => name !== killed)).toContain(finishedBy);
  for (const { email, quoteId } of people) {
    expect([...bucket.kept.keys()].filter((path) => path.includes(quoteId))).toHaveLength(1);
    expect(mailsTo(email)).toBe(1);
  }
  // Nobody has to notice: the proxy skips the dead copy.
  const statuses = await Promise.all(
    names.map(async () => (await product.call("user/me", undefined, admin.token)).status),
  );
  expect(statuses).toEqual([200, 200, 200]);
});

/** Sends visitors' estimates at once, each with an e-mail of its own. */
function sendEstimates(count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const estimate = quoteRequest();
      const { status, body } = await product.call("estimator", estimate);
      expect(status).toBe(201);
      return { email: estimate.userEmail, quoteId: body.quoteId };
    }),
  );
}

const mailsTo = (email: string) =>
  mailbox.mails.filter(({ to, subject = "" }) => to?.[0]?.address === email && /proposal/.test(subject)).length;

/** After this no second mail can come. */
async function untilNothingIsLeftToDo(): Promise<void> {
  const open = "select name from jobs.job where state in ('created', 'retry', 'active') and name not like '\\_%'";
  const left = async () => (await database.$client.query(open)).rows;
  await expect.poll(left).toEqual([]);
}
