import { eq } from "drizzle-orm";
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
import { attempts, rateLimits } from "../database/schema/index.ts";
import { applyPaymentResult } from "./apply-result.ts";
import { checkAttempt } from "./check-attempt.ts";
import { reconcilePayments } from "./reconcile-payments.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const late = 16 * 60;
const stateOf = async (quoteId: string) => (await orderOf(server, quoteId))?.state;

describe("reconcilePayments, for a payment that stays open,", () => {
  it("asks about a pending payment until it is captured", async () => {
    const { person, quote, start } = await buyer(server);
    const form = (await start()).body;
    await comeBack(server, (await settleAtSandbox(form, "pending")).fields);
    expect(await stateOf(quote.id)).toBe("pending");
    await checkAttempt(server.services, form.fields["txnid"] ?? "");
    expect(await stateOf(quote.id)).toBe("pending");
    server.passTime(30);
    await checkAttempt(server.services, form.fields["txnid"] ?? "");
    expect(await stateOf(quote.id)).toBe("success");
    await server.mailbox.take(person.email, /invoice SOC/);
  });
  it("asks about a payment made while our clock ran ahead as soon as the clock is right", async () => {
    const { quote, start } = await buyer(server);
    await start();
    const standIn = await standInGateway(server, (asked) =>
      verified(asked, { mihpayid: "1", status: "pending", unmappedstatus: "pending" }),
    );
    server.passTime(3 * 86_400);
    await reconcilePayments(server.services);
    expect(await stateOf(quote.id)).toBe("pending");
    standIn.react((asked) => verified(asked, captured(quote.total_cost, "9101")));
    server.passTime(-3 * 86_400);
    await reconcilePayments(server.services);
    expect(await stateOf(quote.id)).toBe("success");
  });
  it("lets an unfinished payment expire after 15 minutes, so that it can be started again", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    await reconcilePayments(server.services);
    expect(await stateOf(quote.id)).toBe("initiated");
    server.passTime(late);
    await reconcilePayments(server.services);
    expect(await stateOf(quote.id)).toBe("expired");
    const again = (await start()).body;
    expect(again.fields["txnid"]).not.toBe(form.fields["txnid"]);
  });
  it("marks an expired payment as paid when the gateway says so", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    server.passTime(late);
    await reconcilePayments(server.services);
    await settleAtSandbox(form, "success");
    await expect.poll(() => stateOf(quote.id)).toBe("success");
  });
  it("finds a payment of which no message came by asking, and applies it once", async () => {
    const { quote, start } = await buyer(server);
    await settleAtSandbox((await start()).body, "success");
    server.passTime(late);
    await Promise.all([reconcilePayments(server.services), reconcilePayments(server.services)]);
    expect(await stateOf(quote.id)).toBe("success");
    await reconcilePayments(server.services);
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });
  it("marks a payment as failed when the gateway says so", async () => {
    const { quote, start } = await buyer(server);
    await settleAtSandbox((await start()).body, "cancel");
    server.passTime(late);
    await reconcilePayments(server.services);
    await expect.poll(() => stateOf(quote.id)).toBe("failure");
  });
  it("asks about a payment once in one run, and not again within minutes", async () => {
    const { quote, start } = await buyer(server);
    await webhook(server, answerTo(server, (await start()).body, { status: "pending", unmappedstatus: "pending" }));
    const { asked } = await standInGateway(server, (reference) =>
      verified(reference, { mihpayid: "1", status: "pending", unmappedstatus: "pending" }),
    );
    server.passTime(late);
    await reconcilePayments(server.services);
    await reconcilePayments(server.services);
    const [attempt] = await attemptsOf(server, quote.id);
    expect(asked.filter((reference) => reference === attempt?.reference)).toHaveLength(1);
    server.passTime(5 * 60);
    await reconcilePayments(server.services);
    expect(asked.filter((reference) => reference === attempt?.reference)).toHaveLength(2);
    expect(await stateOf(quote.id)).toBe("pending");
    server.passTime(8 * 24 * 3600);
    await reconcilePayments(server.services);
    expect(await stateOf(quote.id)).toBe("expired");
  });
});

describe("reconcilePayments, for a payment that the gateway called a success,", () => {
  const failed = { status: "failure", unmappedstatus: "failed" };
  it("asks for days while the gateway gives no answer, shows the payment to a person after one day, and marks it as paid in the end", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    await webhook(server, answerTo(server, form, failed));
    const hangs = (asked: string) =>
      asked === form.fields["txnid"] ? ("hangs" as const) : verified(asked, { mihpayid: "1", ...failed });
    const standIn = await standInGateway(server, hangs, soonMs);
    expect((await sayByWebhook(server, answerTo(server, form))).status).toBe(200);
    expect(await attemptsOf(server, quote.id)).toMatchObject([{ state: "failure", claimedAt: expect.any(Date) }]);
    expect(await stateOf(quote.id)).toBe("pending");
    expect((await start()).body.error).toContain("being confirmed");
    server.passTime(130);
    await reconcilePayments(server.services);
    const timesAsked = () => standIn.asked.filter((asked) => asked === form.fields["txnid"]).length;
    const askedAtFirst = timesAsked();
    for (let hours = 1; hours <= 30; hours++) {
      server.passTime(3601);
      if (hours === 12) await sayByWebhook(server, answerTo(server, form));
      await reconcilePayments(server.services);
      const shown = (await orderOf(server, quote.id))?.reviewReason ?? null;
      expect(shown !== null, `after ${hours} hours`).toBe(hours >= 24);
    }
    expect(timesAsked()).toBe(askedAtFirst + 31);
    expect(await orderOf(server, quote.id)).toMatchObject({
      state: "review",
      reviewReason: expect.stringContaining(form.fields["txnid"] ?? ""),
    });
    standIn.react((asked) => verified(asked, captured(quote.total_cost)));
    server.passTime(3601);
    await reconcilePayments(server.services);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", paymentId: "9001", reviewReason: null });
    expect(await attemptsOf(server, quote.id)).toMatchObject([
      { state: "success", claimedAt: null, nextCheckAt: null },
    ]);
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });
  it("marks the payment as failed when the gateway then says so", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    const reference = form.fields["txnid"];
    const standIn = await standInGateway(
      server,
      (asked) => (asked === reference ? "hangs" : verified(asked, failed)),
      soonMs,
    );
    await sayByReturn(server, answerTo(server, form));
    server.passTime(25 * 3600);
    await reconcilePayments(server.services);
    expect(await stateOf(quote.id)).toBe("review");
    standIn.react((asked) => verified(asked, { mihpayid: "1", ...failed }));
    server.passTime(3601);
    await reconcilePayments(server.services);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "failure", reviewReason: null });
  });
  it("shows it to a person, and asks about all, even if another one can't be shown", async () => {
    const stuck = await buyer(server);
    const next = await buyer(server);
    const standIn = await standInGateway(server, () => 503);
    for (const { start } of [stuck, next]) await sayByReturn(server, answerTo(server, (await start()).body));
    const [attempt] = await attemptsOf(server, stuck.quote.id);
    server.passTime(25 * 3600);
    const isShown = `old.reference = '${attempt?.reference}' and new.review_reason is not null`;
    const askedBefore = standIn.asked.length;
    await whileRefused(server, "attempts", isShown, () => reconcilePayments(server.services));
    expect([await stateOf(stuck.quote.id), await stateOf(next.quote.id)]).toEqual(["pending", "review"]);
    expect(standIn.asked.length).toBeGreaterThan(askedBefore);
    standIn.react((asked) => verified(asked, { mihpayid: "1", ...failed }));
    await reconcilePayments(server.services);
    expect(await attemptsOf(server, stuck.quote.id)).toMatchObject([{ reviewReason: expect.any(String) }]);
    server.passTime(3601);
    await reconcilePayments(server.services);
    expect([await stateOf(stuck.quote.id), await stateOf(next.quote.id)]).toEqual(["failure", "failure"]);
  });
  it("never gives up while the gateway does not know the payment", async () => {
    const { quote, start } = await buyer(server);
    await standInGateway(server, (asked) => ({
      status: 0,
      transaction_details: { [asked]: { mihpayid: "Not Found", status: "Not Found" } },
    }));
    await sayByReturn(server, answerTo(server, (await start()).body));
    for (let days = 1; days <= 9; days++) {
      server.passTime(24 * 3600);
      await reconcilePayments(server.services);
    }
    expect(await stateOf(quote.id)).toBe("review");
    expect(await attemptsOf(server, quote.id)).toMatchObject([{ state: "pending", nextCheckAt: expect.any(Date) }]);
  });
  it("asks about the payment when the process was killed before it could ask", async () => {
    const { quote, start } = await buyer(server);
    const answer = answerTo(server, (await start()).body);
    await enterAtGateway(server, answer);
    const hint = server.services.gateway.parseReturn(answer);
    await applyPaymentResult(server.services, { source: "return", hint });
    expect(await stateOf(quote.id)).toBe("pending");
    await Promise.all([reconcilePayments(server.services), reconcilePayments(server.services)]);
    expect(await stateOf(quote.id)).toBe("success");
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });
});

describe("reconcilePayments, for a payment that failed,", () => {
  it("asks after one, six and twenty-four hours, and marks a captured payment as paid", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    const cancelled = answerTo(server, form, { status: "failure", unmappedstatus: "userCancelled" });
    await comeBack(server, cancelled);
    const standIn = await standInGateway(server, (asked) => verified(asked, cancelled));
    const askedAfter = [];
    for (let hours = 1; hours <= 30; hours++) {
      server.passTime(3600 + (hours === 1 ? 60 : 0));
      const before = standIn.asked.length;
      await reconcilePayments(server.services);
      if (standIn.asked.slice(before).includes(form.fields["txnid"] ?? "")) askedAfter.push(hours);
    }
    expect(askedAfter).toEqual([1, 6, 24]);
    expect(await attemptsOf(server, quote.id)).toMatchObject([{ state: "failure", nextCheckAt: null }]);
  });
  it.each([1, 6, 24])("finds a capture of which no message came by the question after %i hours", async (mark) => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    await comeBack(server, answerTo(server, form, { status: "failure", unmappedstatus: "userCancelled" }));
    for (let hours = 1; hours <= mark; hours++) {
      expect(await stateOf(quote.id)).toBe("failure");
      if (hours === mark) await enterAtGateway(server, answerTo(server, form));
      server.passTime(3600 + (hours === 1 ? 60 : 0));
      await reconcilePayments(server.services);
    }
    expect(await stateOf(quote.id)).toBe("success");
  });
  it("asks again when the gateway gave no answer to the last question", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    await comeBack(server, answerTo(server, form, { status: "failure", unmappedstatus: "failed" }));
    const standIn = await standInGateway(server, () => 503);
    server.passTime(25 * 3600);
    await reconcilePayments(server.services);
    await standIn.stop();
    await enterAtGateway(server, answerTo(server, form));
    server.passTime(3601);
    await reconcilePayments(server.services);
    expect(await stateOf(quote.id)).toBe("success");
  });
});

describe("the books", () => {
  it("take no open payment, and none that was called a success, without a time to ask about it", async () => {
    const { quote, start } = await buyer(server);
    await start();
    const [attempt] = await attemptsOf(server, quote.id);
    for (const change of [{}, { state: "failure" as const, claimedAt: new Date() }]) {
      const forgotten = server.services.database
        .update(attempts)
        .set({ ...change, nextCheckAt: null })
        .where(eq(attempts.id, attempt?.id ?? ""));
      await expect(forgotten).rejects.toMatchObject({ cause: { constraint: "attempts_open_are_checked" } });
    }
  });
});

describe("a gateway that can't be asked", () => {
  it.each([
    ["answers with an error", 500],
    ["does not accept our hash", 200],
  ])("because it %s leaves payments as they are, and is not asked about each of them", async (_case, status) => {
    const { person, quote, request } = await buyer(server);
    for (const id of await copiesOf(server, quote.id, 5))
      await server.call("user/orders", { ...request, quote_id: id }, person.token);
    const { asked, stop } = await standInGateway(server, () =>
      status === 200 ? { status: 0, msg: "Invalid Hash." } : status,
    );
    server.passTime(late);
    await reconcilePayments(server.services);
    expect(asked).toHaveLength(3);
    const first = new Set(asked);
    await reconcilePayments(server.services);
    // The others come first in the next run.
    expect(asked.slice(3).some((reference) => first.has(reference))).toBe(false);
    const open = await server.services.database.select({ state: attempts.state }).from(attempts);
    expect(open.filter(({ state }) => state === "initiated").length).toBeGreaterThanOrEqual(5);
    await stop();
    server.passTime(late);
    await reconcilePayments(server.services);
    expect(await server.services.database.select().from(attempts)).not.toContainEqual(
      expect.objectContaining({ state: "initiated" }),
    );
  });
});
