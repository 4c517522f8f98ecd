import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { rules } from "../../server/protection/limiter.ts";
import { customer, quoteRequest, registration } from "../factories.ts";
import { databaseUrl } from "../global-setup.ts";
import { type Mailbox, startMailbox, type TestServer } from "../harness.ts";
import { post, settleAtSandbox } from "../sandbox.ts";
import { clientOf } from "./product-client.ts";
import { makeDataDir, type RunningProduct, startProduct } from "./running-product.ts";

const name = `side_by_side_${randomUUID().replaceAll("-", "")}`;
const dataDir = makeDataDir();

let mailbox: Mailbox;
let server: Client;
let database: Client;
let copies: RunningProduct[];
let one: Pick<TestServer, "call" | "mailbox">;
let other: Pick<TestServer, "call" | "mailbox">;

beforeAll(async () => {
  mailbox = await startMailbox();
  server = await connect(inject("postgresUrl"));
  await server.query(`create database ${name}`);
  const url = databaseUrl(inject("postgresUrl"), name);
  const env = {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    DEMO: "1",
    ALLOW_SANDBOX: "1",
    TOKEN_SECRET: "a token secret of thirty-two characters",
    SMTP_URL: mailbox.url,
    MAIL_FROM: "Prahari <soc@prahari.example>",
  };
  copies = await Promise.all([startProduct(env), startProduct(env)]);
  [one, other] = copies.map(({ url: address }) => clientOf(address, mailbox)) as [typeof one, typeof other];
  database = await connect(url);
});
afterAll(async () => {
  await Promise.all(copies.map((copy) => copy.end("SIGTERM")));
  await database.end();
  await server.query(`drop database ${name} with (force)`);
  await server.end();
  await mailbox.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it("Two copies that start at once on an empty database migrate it and fill it once", async () => {
  const { rows } = await database.query(`select
    (select count(*)::int from drizzle.__drizzle_migrations) = (select count(distinct hash)::int from drizzle.__drizzle_migrations) as migrated_once,
    (select count(*)::int from rate_cards) as rate_cards,
    (select count(*)::int from seedings where name = 'demo') as fillings,
    (select count(*) - count(distinct name) from organisations)::int as repeated_organisations,
    (select count(*) - count(distinct (user_email, created_at::date, total_paise)) from quotes)::int as repeated_quotes`);
  expect(rows).toEqual([
    { migrated_once: true, rate_cards: 1, fillings: 1, repeated_organisations: 0, repeated_quotes: 0 },
  ]);
  const proposals = "select count(*)::int as missing from quotes where proposal_file is null";
  await expect.poll(async () => (await database.query(proposals)).rows).toEqual([{ missing: 0 }]);
});

it("A session from one copy works on the other, until a sign-out on either", async () => {
  const { email, token } = await customer(one);
  expect((await other.call("user/me", undefined, token)).body.user.email).toBe(email);
  expect((await other.call("auth/logout", {}, token)).status).toBe(200);
  expect((await one.call("user/me", undefined, token)).status).toBe(401);
  expect((await other.call("user/me", undefined, token)).status).toBe(401);
});

it("A sign-in begun on one copy ends on the other, and its code works once on both together", async () => {
  const person = registration();
  await one.call("auth/register", person);
  await one.call("auth/login", person);
  const mail = await mailbox.take(person.email, /sign-in code/);
  const code = { email: person.email, otp: /\b\d{6}\b/.exec(mail.text ?? "")?.[0] ?? "" };
  const answers = await Promise.all([other, one, other, one].map((copy) => copy.call("auth/verify-otp", code)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
});

it("Tries on both copies count for one limit", async () => {
  const form = registration();
  const { points } = rules.registrationByAccount;
  const tries = Array.from({ length: points + 4 }, (_, index) => (index % 2 ? one : other).call("auth/register", form));
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(points);
  for (const copy of [one, other]) {
    const { status, headers } = await copy.call("auth/register", form);
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
  }
});

it("A payment that both copies hear of at once is invoiced and mailed once", async () => {
  const { email, token } = await customer(one);
  await other.call("estimator", quoteRequest({ userEmail: email }), token);
  await mailbox.take(email, /proposal/);
  const [quote] = (await one.call("user/get-estimation", {}, token)).body.estimation;
  if (!quote) throw new Error("There is no quote");
  const order = { email, quote_id: quote.id, amount: quote.total_cost, name: "Asha Rao", phone: "+919876543210" };
  const form = await one.call("user/orders", order, token);
  expect((await other.call("user/orders", order, token)).body).toEqual(form.body);
  const { action, fields } = await settleAtSandbox(form.body, "success");
  const returns = copies.map(({ url }) => new URL(new URL(action).pathname, url).href);
  const answers = await Promise.all([...returns, ...returns].map((address) => post(address, fields)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  await mailbox.take(email, /invoice/);
  const ofBuyer = "select number from invoices where content->'billTo'->>'email' = $1";
  const { rows } = await database.query(ofBuyer, [email]);
  expect(rows).toHaveLength(1);
  const unsent = "select event_key from mails where sent_at is null and recipient = $1";
  await expect.poll(async () => (await database.query(unsent, [email])).rows).toEqual([]);
  const subjects = mailbox.mails.filter(({ to }) => to?.[0]?.address === email).map(({ subject = "" }) => subject);
  expect(subjects.filter((subject) => /proposal/.test(subject))).toHaveLength(1);
  expect(subjects.filter((subject) => /invoice/.test(subject))).toHaveLength(1);
});

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}
