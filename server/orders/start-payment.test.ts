import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writtenDay } from "../../contract/india-time.ts";
import { paiseFrom } from "../../contract/money.ts";
import { giveBilling } from "../../tests/billing.ts";
import { answerTo, attemptsOf, buyer, comeBack, orderOf, webhook } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { people, quotes, rateLimits } from "../database/schema/index.ts";
import { reconcilePayments } from "./reconcile-payments.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

describe("starting a payment", () => {
  it("answers a form for the quote's amount, and the same again for a double click", async () => {
    const { quote, start } = await buyer(server);
    const [first, second] = await Promise.all([start(), start()]);
    const third = await start();
    expect(first.status).toBe(200);
    expect(first.body.fields["amount"]).toBe(quote.total_cost);
    expect([second.body, third.body]).toEqual([first.body, first.body]);
    expect(await attemptsOf(server, quote.id)).toHaveLength(1);
    expect(await orderOf(server, quote.id)).toMatchObject({
      state: "initiated",
      amountPaise: paiseFrom(quote.total_cost),
    });
  });
  it("makes one attempt for ten clicks at once", async () => {
    const { quote, start } = await buyer(server);
    const replies = await Promise.all(Array.from({ length: 10 }, () => start()));
    expect(new Set(replies.map(({ body }) => body.fields["txnid"])).size).toBe(1);
    expect(await attemptsOf(server, quote.id)).toHaveLength(1);
  });
  it("makes a new attempt for other billing details, and bills by those that hold", async () => {
    const { person, quote, start } = await buyer(server);
    const first = (await start()).body;
    await giveBilling(server, person.email, {
      gstin: "27AAPFU0939F1ZV",
      billingState: "27",
      billingKind: "registered",
    });
    const second = (await start({ purchaseOrder: "PO-9", serviceStart: writtenDay(server.services.now()) })).body;
    expect(second.fields["txnid"]).not.toBe(first.fields["txnid"]);
    expect(await orderOf(server, quote.id)).toMatchObject({
      billTo: { gstin: "27AAPFU0939F1ZV", state: "27", purchaseOrder: "PO-9" },
      tax: { treatment: "to another state", placeOfSupply: "27" },
    });
  });
  it("refuses an amount that is off by one paisa", async () => {
    const { quote, start } = await buyer(server);
    for (const paise of [-1, 1]) {
      const amount = ((paiseFrom(quote.total_cost) + paise) / 100).toFixed(2);
      const { status, body } = await start({ amount });
      expect([status, body.code]).toEqual([409, "conflict"]);
    }
    expect(await orderOf(server, quote.id)).toBeUndefined();
  });
  it("refuses another revision than the one that was seen, whatever it comes to", async () => {
    const { quote, start } = await buyer(server);
    await server.services.database.update(quotes).set({ revision: 2 }).where(eq(quotes.id, quote.id));
    const { status, body } = await start({ revision: 1 });
    expect([status, body.error]).toEqual([
      409,
      `${quote.number} was revised meanwhile: it is revision 2 now. Please look at that one.`,
    ]);
    expect(await orderOf(server, quote.id)).toBeUndefined();
    expect((await start({ revision: 2 })).status).toBe(200);
  });
  it("takes the amount as a number too", async () => {
    const { quote, start } = await buyer(server);
    expect((await start({ amount: Number(quote.total_cost) })).status).toBe(200);
  });
  it("answers another tenant's quote like one that does not exist", async () => {
    const { quote } = await buyer(server);
    const { start } = await buyer(server);
    const theirs = await start({ quote_id: quote.id, amount: quote.total_cost });
    const absent = await start({ quote_id: "01890000-0000-7000-8000-000000000000" });
    expect(theirs.status).toBe(404);
    expect(theirs.body).toEqual(absent.body);
  });
  it("refuses an expired quote and another e-mail", async () => {
    const { quote, start } = await buyer(server);
    expect((await start({ email: "someone.else@example.in" })).body.fields).toHaveProperty("email");
    await server.services.database
      .update(quotes)
      .set({ validUntil: new Date(0) })
      .where(eq(quotes.id, quote.id));
    const { status, body } = await start();
    expect([status, body.error]).toEqual([409, expect.stringContaining("expired")]);
  });
  it("refuses a quote that was bought, and says so also when it has expired since", async () => {
    const { quote, start } = await buyer(server);
    await webhook(server, answerTo(server, (await start()).body));
    const bought = await start();
    expect([bought.status, bought.body.error]).toEqual([409, expect.stringContaining("paid already")]);
    await server.services.database
      .update(quotes)
      .set({ validUntil: new Date(0) })
      .where(eq(quotes.id, quote.id));
    expect((await start()).body.error).toBe(bought.body.error);
  });
  it("waits while a payment is being confirmed, however long the bank takes", async () => {
    const { quote, start } = await buyer(server);
    await comeBack(
      server,
      answerTo(server, (await start()).body, { status: "pending", unmappedstatus: "in progress" }),
    );
    expect((await start()).body.error).toContain("being confirmed");
    server.passTime(3600);
    expect((await start()).status).toBe(409);
    expect((await start({ purchaseOrder: "PO-27" })).status).toBe(409);
    expect(await attemptsOf(server, quote.id)).toHaveLength(1);
  });
  it("starts afresh after a failure and after the form has expired", async () => {
    const { quote, start } = await buyer(server);
    const first = (await start()).body;
    await comeBack(server, answerTo(server, first, { status: "failure", unmappedstatus: "userCancelled" }));
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "failure" });
    const second = (await start()).body;
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "initiated" });
    server.passTime(16 * 60);
    const third = (await start()).body;
    expect(new Set([first, second, third].map(({ fields }) => fields["txnid"])).size).toBe(3);
    await reconcilePayments(server.services);
    expect((await attemptsOf(server, quote.id)).map(({ state }) => state)).toEqual(["failure", "expired", "initiated"]);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "initiated" });
  });
  it.each([
    [{ quote_id: "1" }, "quote_id"],
    [{ amount: "12" }, "amount"],
    [{ amount: "-1.00" }, "amount"],
    [{ amount: null }, "amount"],
    [{ name: "" }, "name"],
    [{ name: "A|B" }, "name"],
    [{ name: "a".repeat(122) }, "name"],
    [{ phone: "12" }, "phone"],
    [{ email: "x" }, "email"],
    [{ purchaseOrder: "x".repeat(41) }, "purchaseOrder"],
    [{ serviceStart: "31.12.2026" }, "serviceStart"],
    [{ serviceStart: "2020-01-01" }, "serviceStart"],
    [{ serviceStart: "2199-01-01" }, "serviceStart"],
  ])("refuses %j", async (over, field) => {
    const { start } = await buyer(server);
    const { status, body } = await start(over);
    expect(status).toBe(422);
    expect(Object.keys(body.fields ?? {})).toContain(field);
  });
  it("is possible for every name that registration takes", async () => {
    const { start } = await buyer(server);
    for (const part of ["a".repeat(60), "क".repeat(60), "😀".repeat(30)]) {
      const { status, body } = await start({ name: `${part} ${part}` });
      expect([status, body.fields["firstname"]]).toEqual([200, part]);
    }
    expect((await start({ name: "<b>Asha</b> 😀 O'Rao" })).status).toBe(200);
  });
  it("sends the gateway the phone's digits, and keeps the number as it is", async () => {
    const { quote, start } = await buyer(server);
    expect((await start({ phone: "+91 98765 43210" })).body.fields["phone"]).toBe("9876543210");
    expect((await start({ phone: "+1 415 555 0123" })).body.fields["phone"]).toBe("14155550123");
    expect((await orderOf(server, quote.id))?.billTo.phone).toBe("+14155550123");
  });
  it("refuses a quote of nothing, and says what to do", async () => {
    const { quote, start } = await buyer(server);
    await server.services.database.update(quotes).set({ totalPaise: 0 }).where(eq(quotes.id, quote.id));
    for (const amount of ["0.00", 0, quote.total_cost]) {
      const { status, body } = await start({ amount });
      expect([status, body.error]).toEqual([409, expect.stringMatching(/comes to ₹0\.00, .* write to \S+@/)]);
    }
    expect(await orderOf(server, quote.id)).toBeUndefined();
  });
  it("is for child users too, not for partners", async () => {
    const { person, start } = await buyer(server);
    const become = (role: "userChild" | "partner") =>
      server.services.database.update(people).set({ role }).where(eq(people.email, person.email));
    await become("userChild");
    expect((await start()).status).toBe(200);
    await become("partner");
    expect((await start()).status).toBe(403);
  });
  it("is refused without a session", async () => {
    const { request } = await buyer(server);
    expect((await server.call("user/orders", request)).status).toBe(401);
    expect((await server.call("user/orders", request, null)).status).toBe(401);
  });
});
