import { rmSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runningEmbeddedPostgresUrl } from "../../server/database/embedded.ts";
import { reverseHash } from "../../server/outside/payments/payu-hash.ts";
import { customer, quoteRequest } from "../factories.ts";
import { type Mailbox, startMailbox } from "../harness.ts";
import { post } from "../sandbox.ts";
import { captured, startStandIn, type StandIn, verified } from "../stand-in-gateway.ts";
import { clientOf } from "./product-client.ts";
import { makeDataDir, type RunningProduct, startProduct, withoutDemo } from "./running-product.ts";

const dataDir = makeDataDir();
const salt = "a salt of this test";

let mailbox: Mailbox;
let gateway: StandIn;
let product: RunningProduct;

beforeAll(async () => {
  mailbox = await startMailbox();
  gateway = await startStandIn(() => "hangs");
  product = await start();
});
afterAll(async () => {
  await product.end("SIGTERM");
  await gateway.stop();
  await mailbox.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it.each(["return", "webhook"])(
  "A payment whose server was killed while it asked the gateway, after the news by %s, is paid without any more news",
  async (way) => {
    gateway.react(() => "hangs");
    const { email, token, total, reference, answer } = await buyer();
    const told = post(`${product.url}/api/payments/${way}`, answer).catch(() => "cut off");
    await expect.poll(() => gateway.asked).toContain(reference);
    await product.end("SIGKILL");
    expect(await told).toBe("cut off");
    gateway.react((asked) => verified(asked, captured(total, `77${gateway.asked.length}`)));
    product = await start();
    const { call } = clientOf(product.url, mailbox);
    const stateNow = async () => (await call("user/get-payment-by-email", {}, token)).body.paymentDetails[0]?.status;
    await expect.poll(stateNow).toBe("success");
    await mailbox.take(email, /invoice/);
    expect(await countInvoices(email)).toBe(1);
  },
);

const start = () =>
  startProduct({
    ...withoutDemo,
    DATA_DIR: dataDir,
    SMTP_URL: mailbox.url,
    PAYU_KEY: "key",
    PAYU_SALT: salt,
    PAYU_URL: `${gateway.url}_payment`,
    PAYU_API_URL: gateway.url,
    ...(product && { PORT: new URL(product.url).port }),
  });

/** A customer at the gateway's page, and the gateway's message about a success there. */
async function buyer() {
  const client = clientOf(product.url, mailbox);
  const { email, token } = await customer(client);
  await client.call("estimator", quoteRequest({ userEmail: email }), token);
  await mailbox.take(email, /proposal/);
  const [quote] = (await client.call("user/get-estimation", {}, token)).body.estimation;
  const total = quote?.total_cost ?? "";
  const order = { email, quote_id: quote?.id ?? "", amount: total, name: "Asha Rao", phone: "+919876543210" };
  const form = (await client.call("user/orders", order, token)).body.fields;
  const said = { ...form, status: "success", unmappedstatus: "captured", mihpayid: "1" };
  return { email, token, total, reference: form["txnid"] ?? "", answer: { ...said, hash: reverseHash(salt, said) } };
}

async function countInvoices(email: string): Promise<number> {
  const database = new Client({ connectionString: runningEmbeddedPostgresUrl(dataDir) ?? "" });
  await database.connect();
  const { rows } = await database.query(
    "select from invoices join orders on orders.id = order_id where buyer_email = $1",
    [email],
  );
  await database.end();
  return rows.length;
}
