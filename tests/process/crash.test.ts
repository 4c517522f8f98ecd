import { rmSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runningEmbeddedPostgresUrl } from "../../server/database/embedded.ts";
import { customer, quoteRequest } from "../factories.ts";
import { type Mailbox, startMailbox, type TestServer } from "../harness.ts";
import { readPdf } from "../read-pdf.ts";
import { post, settleAtSandbox } from "../sandbox.ts";
import { clientOf } from "./product-client.ts";
import { makeDataDir, type RunningProduct, startProduct, withoutDemo } from "./running-product.ts";

const dataDir = makeDataDir();

let mailbox: Mailbox;
let product: RunningProduct;
let client: Pick<TestServer, "call" | "mailbox">;
let estimated: Awaited<ReturnType<typeof estimateAndKill>>;
const buyers: Awaited<ReturnType<typeof payAndKill>>[] = [];

beforeAll(async () => {
  mailbox = await startMailbox();
  await start();
  estimated = await estimateAndKill();
  await start();
  for (let repeat = 0; repeat < 2; repeat++) {
    buyers.push(await payAndKill());
    await start();
  }
});
afterAll(async () => {
  await product.end("SIGTERM");
  await mailbox.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it("A proposal is there and mailed once when the server was killed right after it took the estimate", async () => {
  const { email, token } = estimated;
  const mail = await mailbox.take(email, /proposal/);
  expect(mail.attachments).toHaveLength(1);
  const { body } = await client.call("user/get-estimation", {}, token);
  expect(body.estimation).toMatchObject([{ state: "open", pdf_url: expect.any(String) }]);
  await untilNothingIsLeftToDo();
  expect(mailsTo(email, /proposal/)).toHaveLength(1);
});

it("A paid order has its invoice and its receipt once, each time the server was killed in between", async () => {
  const serials: number[] = [];
  for (const { email, token, total } of buyers) {
    const receipt = await mailbox.take(email, /invoice/);
    const { body } = await client.call("user/get-payment-by-email", {}, token);
    expect(body.paymentDetails).toMatchObject([{ status: "success", amount: total, pdf_url: expect.any(String) }]);
    expect(receipt.attachments).toHaveLength(1);
    const invoice = await readPdf(new Uint8Array(receipt.attachments[0]?.content as ArrayBuffer));
    serials.push(Number(/SOC\/\d\d-\d\d\/(\d{6})/.exec(JSON.stringify(invoice))?.[1]));
  }
  // Numbered in the order of payment, without gaps or repeats.
  expect(serials).toEqual(serials.map((_, index) => (serials[0] ?? 0) + index));
  await untilNothingIsLeftToDo();
  for (const { email } of buyers) expect(mailsTo(email, /invoice/)).toHaveLength(1);
});

async function start(): Promise<void> {
  product = await startProduct({
    ...withoutDemo,
    DATA_DIR: dataDir,
    SMTP_URL: mailbox.url,
    ...(product && { PORT: new URL(product.url).port }),
  });
  client = clientOf(product.url, mailbox);
}

async function estimateAndKill() {
  const { email, token } = await customer(client);
  const { status } = await client.call("estimator", quoteRequest({ userEmail: email }), token);
  await product.end("SIGKILL");
  expect(status).toBe(201);
  expect(mailsTo(email, /proposal/)).toEqual([]);
  return { email, token };
}

/** A new customer buys a quote; the server is killed once the browser has been told that the payment was taken. */
async function payAndKill() {
  const { email, token } = await customer(client);
  await client.call("estimator", quoteRequest({ userEmail: email }), token);
  await mailbox.take(email, /proposal/);
  const { body } = await client.call("user/get-estimation", {}, token);
  const quote = body.estimation[0];
  if (!quote) throw new Error("There is no quote");
  const order = { email, quote_id: quote.id, amount: quote.total_cost, name: "Asha Rao", phone: "+919876543210" };
  const form = await client.call("user/orders", order, token);
  const { action, fields } = await settleAtSandbox(form.body, "success");
  const { status } = await post(action, fields);
  await product.end("SIGKILL");
  expect(status).toBe(303);
  expect(mailsTo(email, /invoice/)).toEqual([]);
  return { email, token, total: quote.total_cost };
}

function mailsTo(email: string, subject: RegExp) {
  return mailbox.mails.filter(({ to, subject: about = "" }) => to?.[0]?.address === email && subject.test(about));
}

/** After this no second mail can come. */
async function untilNothingIsLeftToDo(): Promise<void> {
  const database = new Client({ connectionString: runningEmbeddedPostgresUrl(dataDir) ?? "" });
  await database.connect();
  const open = "select name from jobs.job where state in ('created', 'retry', 'active') and name not like '\\_%'";
  await expect.poll(async () => (await database.query(open)).rows).toEqual([]);
  await database.end();
}
