import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerTo, attemptsOf, buyer, comeBack, invoicesOf, orderOf, webhook } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { settleAtSandbox } from "../../tests/sandbox.ts";
import { mails, paymentEvents, rateLimits } from "../database/schema/index.ts";
import { sandboxKeys } from "../outside/payments/open-gateway.ts";
import { payuGateway } from "../outside/payments/payu.ts";
import { applyPaymentResult } from "./apply-result.ts";
import { checkAttempt } from "./reconcile.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const failed = { status: "failure", unmappedstatus: "failed" };
const cancelled = { status: "failure", unmappedstatus: "userCancelled" };
const pending = { status: "pending", unmappedstatus: "in progress" };
const stateOf = async (quoteId: string) => (await orderOf(server, quoteId))?.state;

describe("a payment", () => {
  it("through the gateway pays the order, and brings one invoice and one receipt", async () => {
    const { person, quote, start } = await buyer(server);
    const back = await settleAtSandbox((await start({ gstin: "27AAPFU0939F1ZV" })).body, "success");
    const returned = await comeBack(server, back.fields);
    const order = await orderOf(server, quote.id);
    expect([returned.status, returned.headers.get("location")]).toEqual([
      303,
      `${server.url}/user/payment?order=${order?.id}`,
    ]);
    const receipt = await server.mailbox.take(person.email, /invoice SOC/);
    expect(receipt.attachments).toHaveLength(1);
    const { body } = await server.call("user/get-payment-by-email", { search: order?.id ?? "" }, person.token);
    expect(body.paymentDetails).toEqual([
      expect.objectContaining({
        order_id: order?.id,
        status: "success",
        amount: quote.total_cost,
        payment_id: back.fields["mihpayid"],
        pdf_url: expect.stringMatching(/^invoice-/),
      }),
    ]);
  });
  it("is paid by the gateway's own word when the browser never comes back", async () => {
    const { quote, start } = await buyer(server);
    await settleAtSandbox((await start()).body, "success");
    await expect.poll(() => stateOf(quote.id)).toBe("success");
  });
  it.each([
    ["return", comeBack, 303],
    ["webhook", webhook, 200],
  ] as const)("told by %s twenty times, and then fifty times at once, counts once", async (_way, tell, status) => {
    const { person, quote, start } = await buyer(server);
    const answer = answerTo(server, (await start()).body);
    for (let repeat = 0; repeat < 20; repeat++) expect((await tell(server, answer)).status).toBe(status);
    const replies = await Promise.all(Array.from({ length: 50 }, () => tell(server, answer)));
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([status]));
    expect(await countEach(person.email, quote.id)).toEqual({ invoices: 1, receipts: 1 });
  });
  it("told first by fifty returns and webhooks at once counts once", async () => {
    const { person, quote, start } = await buyer(server);
    const answer = answerTo(server, (await start()).body);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 ? webhook(server, answer) : comeBack(server, answer))),
    );
    expect(await countEach(person.email, quote.id)).toEqual({ invoices: 1, receipts: 1 });
  });
  it("that succeeded is not undone by late or reordered news", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    await webhook(server, answerTo(server, form));
    for (const news of [failed, pending, cancelled, { status: "pending", unmappedstatus: "initiated" }])
      expect((await webhook(server, answerTo(server, form, news))).status).toBe(200);
    expect(await stateOf(quote.id)).toBe("success");
    expect((await attemptsOf(server, quote.id)).map(({ state }) => state)).toEqual(["success"]);
  });
  it("whose news arrive in any order ends paid once", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    const news = [answerTo(server, form, pending), answerTo(server, form), answerTo(server, form, pending)];
    await Promise.all(news.map((answer) => webhook(server, answer)));
    expect(await stateOf(quote.id)).toBe("success");
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });
  it("that is only authorised is pending until it is captured", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    await webhook(server, answerTo(server, form, { unmappedstatus: "auth" }));
    expect(await stateOf(quote.id)).toBe("pending");
    expect(await invoicesOf(server, quote.id)).toHaveLength(0);
    await webhook(server, answerTo(server, form));
    expect(await stateOf(quote.id)).toBe("success");
  });
  it("leaves nothing about a card in the database", async () => {
    const { start } = await buyer(server);
    const card = { cardnum: "512345XXXXXX2346", name_on_card: "ASHA RAO", card_token: "t" };
    await webhook(server, answerTo(server, (await start()).body, card));
    const [{ kept } = { kept: 0 }] = await server.services.database
      .select({ kept: sql<number>`count(*) filter (where raw::text ~* 'card|512345|hash')::int` })
      .from(paymentEvents);
    expect(kept).toBe(0);
  });
});

describe("a late capture", () => {
  it("after a failure pays the order once the gateway itself confirms it", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    await webhook(server, answerTo(server, form, failed));
    const back = await settleAtSandbox(form, "success");
    await comeBack(server, back.fields);
    expect(await stateOf(quote.id)).toBe("success");
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });
  it("that the gateway does not confirm changes nothing, however well it is signed", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    await webhook(server, answerTo(server, form, failed));
    expect((await webhook(server, answerTo(server, form))).status).toBe(200);
    expect(await stateOf(quote.id)).toBe("failure");
  });
  it("is not lost when the gateway can't be asked at that moment", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    const reference = form.fields["txnid"] ?? "";
    await webhook(server, answerTo(server, form, failed));
    const keys = sandboxKeys(server.services.env);
    const down = payuGateway({ ...keys, payUrl: form.action, apiUrl: "http://127.0.0.1:1/" });
    const result = down.parseReturn(answerTo(server, form));
    await applyPaymentResult({ ...server.services, gateway: down }, "return", result);
    expect(await stateOf(quote.id)).toBe("failure");
    const { rows } = await server.services.database.execute(
      sql`select from jobs.job where name = 'check-attempt' and state = 'created'
        and data->>'reference' = ${reference} and start_after < now() + interval '1 minute'`,
    );
    expect(rows).toHaveLength(1);
    await settleAtSandbox(form, "success");
    await checkAttempt(server.services, reference);
    expect(await stateOf(quote.id)).toBe("success");
  });
  it("of a first attempt, on top of a second that paid, waits for a person and makes no second invoice", async () => {
    const { quote, start } = await buyer(server);
    const first = (await start()).body;
    await comeBack(server, answerTo(server, first, cancelled));
    const second = (await start()).body;
    expect(second.fields["txnid"]).not.toBe(first.fields["txnid"]);
    await webhook(server, answerTo(server, second));
    await settleAtSandbox(first, "success");
    await expect
      .poll(() => orderOf(server, quote.id))
      .toMatchObject({ state: "success", reviewReason: expect.stringContaining("on top of") });
    expect((await attemptsOf(server, quote.id)).map(({ state }) => state)).toEqual(["review", "success"]);
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });
});

describe("an order with several attempts", () => {
  it("shows its newest one: an older one that fails later does not", async () => {
    const { quote, start } = await buyer(server);
    const first = (await start()).body;
    const second = (await start({ billingState: "27" })).body;
    await webhook(server, answerTo(server, first, failed));
    expect(await stateOf(quote.id)).toBe("initiated");
    await webhook(server, answerTo(server, second, cancelled));
    expect(await stateOf(quote.id)).toBe("failure");
  });
  it("shows a failure of its newest one although an older form was never used", async () => {
    const { quote, start } = await buyer(server);
    await start();
    const second = (await start({ billingState: "27" })).body;
    await webhook(server, answerTo(server, second, failed));
    expect(await stateOf(quote.id)).toBe("failure");
  });
  it("stays pending while one of them is", async () => {
    const { quote, start } = await buyer(server);
    const first = (await start()).body;
    const second = (await start({ billingState: "27" })).body;
    await webhook(server, answerTo(server, first, pending));
    await webhook(server, answerTo(server, second, failed));
    expect(await stateOf(quote.id)).toBe("pending");
    await webhook(server, answerTo(server, first, failed));
    expect(await stateOf(quote.id)).toBe("failure");
  });
  it("that a person looks at is not moved by pending or failed news, and keeps its reason when it is paid", async () => {
    const { quote, start } = await buyer(server);
    const [first, second] = [(await start()).body, (await start({ billingState: "27" })).body];
    await webhook(server, answerTo(server, first, { amount: "1.00" }));
    for (const news of [pending, failed]) {
      await webhook(server, answerTo(server, second, news));
      expect(await stateOf(quote.id)).toBe("review");
    }
    await settleAtSandbox(second, "success");
    await expect
      .poll(() => orderOf(server, quote.id))
      .toMatchObject({ state: "success", reviewReason: expect.stringContaining("100 paise") });
  });
});

describe("a message that can't be right", () => {
  it.each([
    ["a changed status", (answer: Record<string, string>) => ({ ...answer, status: "failure" })],
    ["a changed amount", (answer: Record<string, string>) => ({ ...answer, amount: "1.00" })],
    ["another reference", (answer: Record<string, string>) => ({ ...answer, txnid: "P1" })],
    ["a wrong hash", (answer: Record<string, string>) => ({ ...answer, hash: "0".repeat(128) })],
    ["no hash", ({ hash: _hash, ...answer }: Record<string, string>) => answer],
    ["another key", (answer: Record<string, string>) => ({ ...answer, key: "other" })],
  ])("with %s changes nothing", async (_case, forge) => {
    const { quote, start } = await buyer(server);
    const forged = forge(answerTo(server, (await start()).body));
    expect((await webhook(server, forged)).status).toBe(403);
    expect((await comeBack(server, forged)).headers.get("location")).toBe(`${server.url}/user/payment?order=unknown`);
    expect(await stateOf(quote.id)).toBe("initiated");
  });
  it.each([
    ["1.00", "100 paise"],
    ["1e9", "unknown number of paise"],
  ])("of the amount %s, signed, waits for a person", async (amount, reason) => {
    const { quote, start } = await buyer(server);
    await webhook(server, answerTo(server, (await start()).body, { amount }));
    expect(await orderOf(server, quote.id)).toMatchObject({
      state: "review",
      reviewReason: expect.stringContaining(reason),
    });
    expect(await invoicesOf(server, quote.id)).toHaveLength(0);
    expect((await start()).status).toBe(409);
  });
  it("whose payment id belongs to another order waits for a person", async () => {
    const [one, other] = [await buyer(server), await buyer(server)];
    await webhook(server, answerTo(server, (await one.start()).body, { mihpayid: "777" }));
    await webhook(server, answerTo(server, (await other.start()).body, { mihpayid: "777" }));
    expect([await stateOf(one.quote.id), await stateOf(other.quote.id)]).toEqual(["success", "review"]);
  });
  it("about an unknown reference is refused", async () => {
    const { start } = await buyer(server);
    const form = (await start()).body;
    const answer = answerTo(server, { ...form, fields: { ...form.fields, txnid: "UNKNOWN" } });
    expect((await webhook(server, answer)).status).toBe(403);
    expect((await comeBack(server, answer)).headers.get("location")).toContain("order=unknown");
  });
  it.each(["", "not=a&form", "{", "[]", "null", "a".repeat(70_000)])("and no sense is refused", async (body) => {
    for (const type of ["application/x-www-form-urlencoded", "application/json"]) {
      const answer = await fetch(`${server.url}/api/payments/webhook`, {
        method: "POST",
        body,
        headers: { "content-type": type },
      });
      expect([400, 403, 413]).toContain(answer.status);
    }
  });
});

async function countEach(email: string, quoteId: string) {
  await server.mailbox.take(email, /invoice SOC/);
  const order = await orderOf(server, quoteId);
  return {
    invoices: (await invoicesOf(server, quoteId)).length,
    receipts: await server.services.database.$count(mails, eq(mails.eventKey, `receipt:${order?.id}`)),
  };
}
