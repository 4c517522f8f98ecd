import { rmSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../server/database/database.ts";
import { behindMsMax } from "../../server/database/replica.ts";
import { customer, quoteRequest } from "../factories.ts";
import { type Mailbox, startMailbox, type TestServer } from "../harness.ts";
import { type Member, member, organisation } from "../people.ts";
import { type RoundRobin, startRoundRobin } from "../round-robin.ts";
import { post, settleAtSandbox } from "../sandbox.ts";
import { startBucket, type StandInBucket } from "../stand-in-bucket.ts";
import { type DatabaseServer, missing, startPgBouncer, startPrimary, startReplicaOf } from "./database-servers.ts";
import { clientOf } from "./product-client.ts";
import { makeDataDir, type RunningProduct, startProduct, startRefused } from "./running-product.ts";

const tokenSecret = "a token secret of thirty-two characters";
/** Fewer than the clients of the two copies: each connection is shared. */
const lent = 6;
const dataDirs = [makeDataDir(), makeDataDir()];

let primary: DatabaseServer;
let replica: DatabaseServer;
let pooler: DatabaseServer;
let onPrimary: Client;
let onReplica: Client;
let database: Database;
let mailbox: Mailbox;
let bucket: StandInBucket;
let proxy: RoundRobin;
let env: Record<string, string>;
let copies: RunningProduct[] = [];
/** Calls through the proxy: the two copies answer in turn. */
let product: Pick<TestServer, "call" | "mailbox">;
let admin: Member;

describe.skipIf(missing)(
  `behind PgBouncer in transaction mode, with a replica${missing ? `: no ${missing} here` : ""}`,
  () => {
    beforeAll(async () => {
      [mailbox, bucket, proxy, primary] = await Promise.all([
        startMailbox(),
        startBucket(),
        startRoundRobin(),
        startPrimary(),
      ]);
      onPrimary = await connect(primary, "postgres", "postgres");
      for (const statement of ["create role soc login", "create database soc owner soc", ...limits])
        // oxlint-disable-next-line no-await-in-loop -- the second one needs the first
        await onPrimary.query(statement);
      replica = await startReplicaOf(primary);
      onReplica = await connect(replica, "postgres", "postgres");
      pooler = await startPgBouncer(
        { soc: { port: primary.port, name: "soc" }, soc_to_read: { port: replica.port, name: "soc" } },
        lent,
      );
      env = {
        DATABASE_URL: addressOf(pooler, "soc"),
        DATABASE_DIRECT_URL: addressOf(primary, "soc"),
        DATABASE_READ_URL: addressOf(pooler, "soc_to_read"),
        PUBLIC_URL: proxy.url,
        TRUST_PROXY: "1",
        ALLOW_SANDBOX: "1",
        TOKEN_SECRET: tokenSecret,
        SMTP_URL: mailbox.url,
        MAIL_FROM: "Prahari <soc@prahari.example>",
        LOG_LEVEL: "info",
        S3_ENDPOINT: bucket.s3.endpoint ?? "",
        S3_BUCKET: bucket.s3.bucket,
        S3_ACCESS_KEY_ID: "copy-1",
        S3_SECRET_ACCESS_KEY: bucket.s3.secretAccessKey,
      };
      // oxlint-disable-next-line no-await-in-loop -- one after the other: a core that starts two at once is slow to greet
      for (const dataDir of dataDirs) copies.push(await startProduct({ ...env, DATA_DIR: dataDir }));
      proxy.copies.push(...copies.map(({ url }) => url));
      product = clientOf(proxy.url, mailbox);
      database = openDatabase(addressOf(primary, "soc"), { max: 2 });
      admin = await member({ services: { database, now: () => new Date(), env: { tokenSecret } } }, "admin");
    });
    afterAll(async () => {
      await Promise.all(copies.map((copy) => copy.end("SIGTERM")));
      await Promise.all([database.$client.close(500), onPrimary.end(), onReplica.end()]);
      await pooler.stop();
      await Promise.all([mailbox.stop(), bucket.stop(), proxy.stop(), primary.stop(), replica.stop()]);
      for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
    });

    it("An estimate is mailed, its sender signs in and buys it, with each step on another copy", async () => {
      const { email, token } = await customer(product);
      await product.call("estimator", quoteRequest({ userEmail: email }), token);
      await mailbox.take(email, /proposal/);
      const [quote] = (await product.call("user/get-estimation", {}, token)).body.estimation;
      const form = await product.call(
        "user/orders",
        { email, quote_id: quote?.id ?? "", amount: quote?.total_cost ?? "", name: "Asha Rao", phone: "+919876543210" },
        token,
      );
      const { action, fields } = await settleAtSandbox(form.body, "success");
      expect((await post(action, fields)).status).toBe(303);
      await mailbox.take(email, /invoice/);
      const { paymentDetails } = (await product.call("user/get-payment-by-email", {}, token)).body;
      expect(paymentDetails.map(({ status }) => status)).toEqual(["success"]);
    });

    it("A hundred calls at once share few connections of the database, and each is answered", async () => {
      const { token } = await customer(product);
      const calls = Array.from({ length: 50 }, () => [
        product.call("user/get-estimation", {}, token),
        product.call("admin/getUserByAdmin", { role: "user" }, admin.token),
      ]).flat();
      expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
      const { rows } = await onPrimary.query<{ used: number }>(
        "select count(*)::int as used from pg_stat_activity where usename = 'soc' and application_name in ('prahari', 'prahari-jobs')",
      );
      // Two are this test's own.
      expect(rows[0]?.used).toBeLessThanOrEqual(lent + 2);
    });

    it("What one copy publishes is on the pages of the other at once", async () => {
      const pagesOfAll = () => Promise.all(copies.map(async ({ url }) => (await fetch(`${url}/buyers-guide`)).text()));
      const haveIt = async () => (await pagesOfAll()).map((page) => page.includes("Certificate 12345"));
      expect(await haveIt()).toEqual([false, false]);
      const certificate = {
        name: "ISO/IEC 27001:2022",
        issuer: "A certification body",
        statement: "Certificate 12345",
      };
      const proof = { ...certificate, kind: "certificate" as const, validUntil: null, link: null };
      expect((await product.call("admin/settings/proofs/add", proof, admin.token)).status).toBe(201);
      // A page that missed the notification would stay for a minute, longer than this waits.
      await expect.poll(haveIt).toEqual([true, true]);
    });

    it("A search whose caller has left ends on the replica, too", async () => {
      const waiting = async () =>
        (await onReplica.query("select from pg_stat_activity where usename = 'soc' and wait_event_type = 'Lock'"))
          .rowCount;
      // A replica can't take this lock: it gets it by replaying the primary's.
      await onPrimarysDatabase(async (locker) => {
        await locker.query("begin; lock table orders in access exclusive mode");
        await expect.poll(isReplayed).toBe(true);
        const leaving = new AbortController();
        const left = fetch(`${copies[0]?.url}/api/admin/getPaymentDetailsByStatus`, {
          method: "POST",
          headers: { authorization: `Bearer ${admin.token}`, "content-type": "application/json" },
          body: JSON.stringify({ status: "success", search: "zz" }),
          signal: leaving.signal,
        });
        await expect.poll(waiting).toBe(1);
        leaving.abort();
        await expect(left).rejects.toThrow("aborted");
        await expect.poll(waiting, { timeout: 2000 }).toBe(0);
      });
    });

    it("Administrators' searches read from the replica, and from the primary once it is too far behind or gone", async () => {
      const finds = async (name: string) => {
        const { status, body } = await product.call(
          "admin/getUserByAdmin",
          { role: "user", search: name },
          admin.token,
        );
        expect(status).toBe(200);
        return body.users.length;
      };
      const add = async (name: string) => {
        const books = { services: { database, now: () => new Date(), env: { tokenSecret } } };
        await member(books, "user", { organisationId: await organisation(books, "user", name) });
      };
      await add("Godavari Mills");
      await expect.poll(() => finds("Godavari Mills")).toBe(1);
      await onReplica.query("select pg_wal_replay_pause()");
      await add("Narmada Mills");
      expect(await finds("Narmada Mills")).toBe(0);
      const told = (where: string) =>
        Math.min(...copies.map((copy) => copy.said().split(`heavy reads go to the ${where}`).length - 1));
      await expect.poll(() => told("primary"), { timeout: behindMsMax + 10_000 }).toBe(1);
      expect(await finds("Narmada Mills")).toBe(1);
      await onReplica.query("select pg_wal_replay_resume()");
      await expect.poll(() => told("replica")).toBe(2);
      await replica.stop();
      expect(await finds("Narmada Mills")).toBe(1);
      expect(await finds("Godavari Mills")).toBe(1);
    });

    it("A start through the pooler without the direct address is refused with a sentence that names it", async () => {
      const { DATABASE_DIRECT_URL: _direct, ...without } = env;
      const { code, said } = await startRefused({ ...without, DATA_DIR: dataDirs[0] ?? "" });
      expect(said).toContain("set DATABASE_DIRECT_URL");
      expect(code).toBe(1);
    });
  },
);

/** Settings that a connection can't make through the pooler. */
const limits = [
  "alter role soc set statement_timeout = '60s'",
  "alter role soc set idle_in_transaction_session_timeout = '2min'",
];

const addressOf = ({ port }: DatabaseServer, name: string, user = "soc") =>
  `postgres://${user}@127.0.0.1:${port}/${name}`;

async function connect(server: DatabaseServer, name: string, user: string): Promise<Client> {
  const client = new Client({ connectionString: addressOf(server, name, user) });
  // The replica is stopped while it is connected.
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function onPrimarysDatabase(work: (client: Client) => Promise<void>): Promise<void> {
  const client = await connect(primary, "soc", "postgres");
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Whether the replica has replayed the primary's lock. */
async function isReplayed(): Promise<boolean> {
  const { rowCount } = await onReplica.query("select from pg_locks where mode = 'AccessExclusiveLock' and granted");
  return (rowCount ?? 0) > 0;
}
