import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  answerTo,
  attemptsOf,
  buyer,
  comeBack,
  copiesOf,
  enterAtGateway,
  invoicesOf,
  orderOf,
  sayByReturn,
  sayByWebhook,
  webhook,
} from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { settleAtSandbox } from "../../tests/sandbox.ts";
import { captured, soonMs, standInGateway, verified } from "../../tests/stand-in-gateway.ts";
import { whileRefused } from "../../tests/while-refused.ts";
import { attempts, mails, paymentEvents, rateLimits } from "../database/schema/index.ts";
import { checkAttempt, showUnconfirmed } from "./check-attempt.ts";
import { reconcilePayments } from "./reconcile-payments.ts";

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
  it("is paid by a webhook in JSON, whose amount is a number", async () => {
    const { quote, start } = await buyer(server);
    const answer = answerTo(server, (await start()).body);
    await enterAtGateway(server, answer);
    const said = await fetch(`${server.url}/api/payments/webhook`, {
      method: "POST",
      body: JSON.stringify({ ...answer, amount: Number(quote.total_cost), mihpayid: Number(answer.mihpayid) }),
      headers: { "content-type": "application/json" },
    });
    expect([said.status, await stateOf(quote.id)]).toEqual([200, "success"]);
  });
  it.each([
    ["return", sayByReturn, 303],
    ["webhook", sayByWebhook, 200],
  ] as const)("told by %s twenty times, and then fifty times at once, counts once", async (_way, tell, status) => {
    const { person, quote, start } = await buyer(server);
    const answer = answerTo(server, (await start()).body);
    await enterAtGateway(server, answer);
    for (let repeat = 0; repeat < 20; repeat++) expect((await tell(server, answer)).status).toBe(status);
    const replies = await Promise.all(Array.from({ length: 50 }, () => tell(server, answer)));
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([status]));
    expect(await countEach(person.email, quote.id)).toEqual({ invoices: 1, receipts: 1 });
  });
  it("told first by fifty returns and webhooks at once counts once", async () => {
    const { person, quote, start } = await buyer(server);
    const answer = answerTo(server, (await start()).body);
    await enterAtGateway(server, answer);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 ? sayByWebhook(server, answer) : sayByReturn(server, answer),
      ),
    );
    await reconcilePayments(server.services);
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
    const late = answerTo(server, form);
    await comeBack(server, late);
    expect(await stateOf(quote.id)).toBe("success");
    expect(await attemptsOf(server, quote.id)).toMatchObject([
      { state: "success", reason: null, gatewayPaymentId: late.mihpayid, nextCheckAt: null },
    ]);
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });
  it("that the gateway does not confirm changes nothing, however well it is signed", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    await webhook(server, answerTo(server, form, failed));
    expect((await sayByWebhook(server, answerTo(server, form))).status).toBe(200);
    expect(await stateOf(quote.id)).toBe("failure");
    expect(await attemptsOf(server, quote.id)).toMatchObject([{ state: "failure", claimedAt: null }]);
  });
  it("of a first attempt, on top of a second that paid, waits for a person and makes no second invoice", async () => {
    const { quote, start } = await buyer(server);
    const first = (await start()).body;
    await comeBack(server, answerTo(server, first, cancelled));
    const second = (await start()).body;
    expect(second.fields["txnid"]).not.toBe(first.fields["txnid"]);
    await webhook(server, answerTo(server, second));
    await webhook(server, answerTo(server, first));
    expect(await orderOf(server, quote.id)).toMatchObject({
      state: "success",
      reviewReason: expect.stringContaining("on top of"),
    });
    expect((await attemptsOf(server, quote.id)).map(({ state }) => state)).toEqual(["review", "success"]);
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });
});

describe("what is not hashed", () => {
  it("makes no success of a payment that was only authorised", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    await webhook(server, answerTo(server, form, { unmappedstatus: "auth" }));
    const forged = answerTo(server, form, { unmappedstatus: "captured" });
    expect([(await sayByWebhook(server, forged)).status, (await sayByReturn(server, forged)).status]).toEqual([
      200, 303,
    ]);
    expect(await stateOf(quote.id)).toBe("pending");
    expect(await invoicesOf(server, quote.id)).toHaveLength(0);
  });
  it.each([
    ["a formula", '=HYPERLINK("https://evil.example")<img src=x>'],
    ["15,000 characters", "9".repeat(15_000)],
    ["another payment's number", "1234567890"],
    ["a null byte", "1\0"],
    ["nothing", ""],
  ])("may be %s: order and invoice name the payment as the gateway does", async (_case, unsigned) => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    const { fields } = await settleAtSandbox(form, "success");
    const odd = Object.fromEntries(
      ["mihpayid", "mode", "bank_ref_num", "unmappedstatus"].map((name) => [name, unsigned]),
    );
    expect((await sayByWebhook(server, { ...fields, ...odd })).status).toBe(200);
    const order = await orderOf(server, quote.id);
    expect(order).toMatchObject({ state: "success", paymentId: fields["mihpayid"] });
    expect((await invoicesOf(server, quote.id))[0]?.content.paymentId).toBe(fields["mihpayid"]);
  });
  it("can't fill the books of an attempt, nor have the gateway asked without end", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    const standIn = await standInGateway(server, () => 503);
    for (let index = 0; index < 60; index++)
      await sayByWebhook(server, answerTo(server, form, { mihpayid: String(1000 + index) }));
    const [attempt] = await attemptsOf(server, quote.id);
    const kept = await server.services.database.$count(paymentEvents, eq(paymentEvents.attemptId, attempt?.id ?? ""));
    expect(kept).toBeLessThanOrEqual(50);
    expect(standIn.asked.length).toBeLessThanOrEqual(20);
  });
});

describe("the gateway's own answer", () => {
  it.each([["another amount", { transaction_amount: "1.00" }, "took ₹1.00"]])(
    "with %s sends a captured payment to a person",
    async (_case, over, reason) => {
      const { quote, start } = await buyer(server);
      const form = (await start()).body;
      const answer = { ...captured(quote.total_cost), ...over };
      await standInGateway(server, (asked) => verified(asked, answer));
      expect((await sayByReturn(server, answerTo(server, form))).status).toBe(303);
      expect(await orderOf(server, quote.id)).toMatchObject({
        state: "review",
        reviewReason: expect.stringContaining(reason),
      });
      expect(await attemptsOf(server, quote.id)).toMatchObject([{ state: "review", endedAt: expect.any(Date) }]);
      expect(await invoicesOf(server, quote.id)).toHaveLength(0);
    },
  );
  it.each([
    ["no amount", { transaction_amount: undefined }, "9101"],
    ["a strange amount", { transaction_amount: "1e9" }, "9102"],
    ["no payment id", { mihpayid: "Not Found" }, "9103"],
  ])("with %s is asked for again until it is whole, and shown to a person after a day", async (_case, over, id) => {
    const { quote, start } = await buyer(server);
    const { fields } = (await start()).body;
    const [open] = await attemptsOf(server, quote.id);
    const unreadable = { ...captured(quote.total_cost, id), ...over };
    const standIn = await standInGateway(server, (asked) => verified(asked, unreadable));
    const check = () => checkAttempt(server.services, fields["txnid"] ?? "");
    await expect(check()).rejects.toThrow(/captured/);
    expect(await attemptsOf(server, quote.id)).toMatchObject([{ state: "pending", claimedAt: expect.any(Date) }]);
    await server.services.database
      .update(attempts)
      .set({ claimedAt: new Date(server.services.now().getTime() - 25 * 3_600_000) })
      .where(eq(attempts.id, open?.id ?? ""));
    await showUnconfirmed(server.services);
    expect(await attemptsOf(server, quote.id)).toMatchObject([
      { state: "pending", reviewReason: expect.stringContaining("look it up there") },
    ]);
    standIn.react((asked) => verified(asked, captured(quote.total_cost, id)));
    await check();
    expect(await attemptsOf(server, quote.id)).toMatchObject([{ state: "success", reviewReason: null }]);
  });
  it.each([
    ["about another payment", (_asked: string, amount: string) => verified("X", captured(amount))],
    [
      "that names another payment",
      (asked: string, amount: string) => verified(asked, { ...captured(amount), txnid: "X" }),
    ],
    ["without what was asked for", () => ({ status: 0, msg: "Invalid Hash." })],
    ["of an error", () => 500],
    ["that never comes", () => "hangs" as const, soonMs],
  ])("%s is none: the payment stays open", async (_case, answer, patienceMs?: number) => {
    const { quote, start } = await buyer(server);
    await standInGateway(server, (asked) => answer(asked, quote.total_cost), patienceMs);
    expect((await sayByReturn(server, answerTo(server, (await start()).body))).status).toBe(303);
    expect(await stateOf(quote.id)).toBe("pending");
    expect(await attemptsOf(server, quote.id)).toMatchObject([{ state: "pending", claimedAt: expect.any(Date) }]);
    expect((await start()).body.error).toContain("being confirmed");
  });
  it("that the database refuses is told in the log as what it is, and applied by the clock", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    const others = { mihpayid: "1", ...pending };
    await standInGateway(server, (asked) =>
      verified(asked, asked === form.fields["txnid"] ? captured(quote.total_cost, "9201") : others),
    );
    const before = server.log.length;
    const isPaid = `old.reference = '${form.fields["txnid"]}' and new.state = 'success'`;
    const said = await whileRefused(server, "attempts", isPaid, () => sayByReturn(server, answerTo(server, form)));
    expect([said.status, await stateOf(quote.id)]).toEqual([303, "pending"]);
    const told = server.log.slice(before).filter((line) => line.includes("at once"));
    expect(told.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      "the gateway's answer could not be applied at once",
    ]);
    server.passTime(130);
    await reconcilePayments(server.services);
    expect(await stateOf(quote.id)).toBe("success");
  });
  it.each([
    ["userCancelled", "Cancelled on the payment page."],
    ["failed", "The bank declined the payment."],
    ["bounced", "The payment page was left before the payment was finished."],
    ["dropped", "The payment page was left before the payment was finished."],
    ["autoRefund", "The bank confirmed too late, and the gateway gave the money back."],
    ["constructor", "The payment did not go through."],
  ])("that it failed, by %s, is told to the buyer in plain words", async (unmappedstatus, reason) => {
    const { quote, start } = await buyer(server);
    const said = { ...failed, unmappedstatus, error_Message: "<b>raw words</b>" };
    await comeBack(server, answerTo(server, (await start()).body, said));
    expect(await attemptsOf(server, quote.id)).toMatchObject([{ state: "failure", reason, endedAt: expect.any(Date) }]);
  });
  it.each([
    ["E706", "There was not enough money in the account, or not enough left of the card's limit."],
    ["E802", "The bank could not be reached. Please try again later, or use another way to pay."],
    ["E9999", "The bank declined the payment."],
    ["constructor", "The bank declined the payment."],
  ])(
    "that it failed, with the code %s, is told in plain words, and to administrators as it is",
    async (code, reason) => {
      const { quote, start } = await buyer(server);
      const form = (await start()).body;
      const refused = { mihpayid: "9100", status: "failure", unmappedstatus: "failed", error_code: code };
      await standInGateway(server, (asked) => verified(asked, { ...refused, error_Message: "Issuer says no" }));
      await sayByReturn(server, answerTo(server, form, failed));
      expect(await attemptsOf(server, quote.id)).toMatchObject([{ reason, gatewayWords: `${code}: Issuer says no` }]);
    },
  );
  it("that one payment paid six orders, given for all at once, pays one of them", async () => {
    const { person, quote, request } = await buyer(server);
    const ids = await copiesOf(server, quote.id, 6);
    const answers = [];
    for (const id of ids) {
      const form = await server.call("user/orders", { ...request, quote_id: id }, person.token);
      answers.push(answerTo(server, form.body));
    }
    const standIn = await standInGateway(server, (asked) => verified(asked, captured(quote.total_cost, "9006")));
    await Promise.all(answers.map((answer) => sayByWebhook(server, answer)));
    await standIn.stop();
    const states = await Promise.all(ids.map(stateOf));
    expect(states.filter((state) => state === "success")).toHaveLength(1);
    expect(states.filter((state) => state === "review")).toHaveLength(5);
  });
});

describe("an order with several attempts", () => {
  it("shows its newest one: an older one that fails later does not", async () => {
    const { quote, start } = await buyer(server);
    const first = (await start()).body;
    const second = (await start({ purchaseOrder: "PO-27" })).body;
    await webhook(server, answerTo(server, first, failed));
    expect(await stateOf(quote.id)).toBe("initiated");
    await webhook(server, answerTo(server, second, cancelled));
    expect(await stateOf(quote.id)).toBe("failure");
  });
  it("shows a failure of its newest one although an older form was never used", async () => {
    const { quote, start } = await buyer(server);
    await start();
    const second = (await start({ purchaseOrder: "PO-27" })).body;
    await webhook(server, answerTo(server, second, failed));
    expect(await stateOf(quote.id)).toBe("failure");
  });
  it("stays pending while one of them is", async () => {
    const { quote, start } = await buyer(server);
    const first = (await start()).body;
    const second = (await start({ purchaseOrder: "PO-27" })).body;
    await webhook(server, answerTo(server, first, pending));
    await webhook(server, answerTo(server, second, failed));
    expect(await stateOf(quote.id)).toBe("pending");
    await webhook(server, answerTo(server, first, failed));
    expect(await stateOf(quote.id)).toBe("failure");
  });
  it("that a person looks at is not moved by pending or failed news, and keeps its reason when it is paid", async () => {
    const { quote, start } = await buyer(server);
    const [first, second] = [(await start()).body, (await start({ purchaseOrder: "PO-27" })).body];
    await webhook(server, answerTo(server, first, { amount: "1.00" }));
    for (const news of [pending, failed]) {
      await webhook(server, answerTo(server, second, news));
      expect(await stateOf(quote.id)).toBe("review");
    }
    await webhook(server, answerTo(server, second));
    expect(await orderOf(server, quote.id)).toMatchObject({
      state: "success",
      reviewReason: expect.stringContaining("took ₹1.00"),
    });
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
    expect((await sayByWebhook(server, forged)).status).toBe(403);
    expect((await sayByReturn(server, forged)).headers.get("location")).toBe(
      `${server.url}/user/payment?order=unknown`,
    );
    expect(await stateOf(quote.id)).toBe("initiated");
  });
  it("forged a hundred times leaves two lines in the log, with how many there were", async () => {
    const { start } = await buyer(server);
    const forged = { ...answerTo(server, (await start()).body), hash: "forged" };
    await server.services.denials.flush();
    const before = server.log.length;
    await Promise.all(Array.from({ length: 100 }, () => sayByWebhook(server, forged)));
    await server.services.denials.flush();
    const lines = server.log.slice(before).filter((line) => line.includes("forged payment message"));
    expect(lines.map((line) => (JSON.parse(line) as { times?: number }).times)).toEqual([1, 99]);
  });
  it.each([["1.00", "took ₹1.00"]])("of the amount %s, signed, waits for a person", async (amount, reason) => {
    const { quote, start } = await buyer(server);
    await webhook(server, answerTo(server, (await start()).body, { amount }));
    expect(await orderOf(server, quote.id)).toMatchObject({
      state: "review",
      reviewReason: expect.stringContaining(reason),
    });
    expect(await invoicesOf(server, quote.id)).toHaveLength(0);
    expect((await start()).status).toBe(409);
  });
  it("about an unknown reference is refused", async () => {
    const { start } = await buyer(server);
    const form = (await start()).body;
    const answer = answerTo(server, { ...form, fields: { ...form.fields, txnid: "UNKNOWN" } });
    expect((await sayByWebhook(server, answer)).status).toBe(403);
    expect((await sayByReturn(server, answer)).headers.get("location")).toContain("order=unknown");
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
