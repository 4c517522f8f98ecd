import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { paiseFrom } from "../../contract/money.ts";
import type { PaymentForm } from "../../contract/orders.ts";
import { customer, quoteRequest } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { post, settleAtSandbox } from "../../tests/sandbox.ts";
import { attempts, invoices, mails, orders, people, quotes, rateLimits } from "../database/schema/index.ts";
import { sandboxKeys } from "../outside/payments/open-gateway.ts";
import { reverseHash } from "../outside/payments/payu.ts";
import { deliverInvoice, financialYearOf, invoiceNumber } from "./invoices.ts";
import { checkAttempt, reconcilePayments } from "./reconcile.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

/** A signed-in customer with a quote of its own. */
async function buyer(devices = quoteRequest().selectedDevices) {
  const person = await customer(server);
  const { body } = await server.call("estimator", quoteRequest({ selectedDevices: devices }), person.token);
  const { estimation } = (await server.call("user/get-estimation", {}, person.token)).body;
  const quote = estimation.find(({ id }) => id === body.quoteId);
  if (!quote) throw new Error("The quote is not listed");
  const request = {
    email: person.email,
    quote_id: quote.id,
    amount: quote.total_cost,
    name: "Asha Rao",
    phone: person.phoneNo,
  };
  return {
    person,
    quote,
    request,
    start: (over: object = {}) => server.call("user/orders", { ...request, ...over }, person.token),
  };
}

/** What the gateway would post about a form, signed like the real one. */
function answerTo({ fields }: PaymentForm, over: Record<string, string> = {}) {
  const keys = sandboxKeys(server.services.env);
  const { surl: _surl, furl: _furl, hash: _hash, ...form } = fields;
  const answer = {
    ...form,
    key: keys.key,
    mihpayid: String(Math.floor(Math.random() * 1e12)),
    status: "success",
    unmappedstatus: "captured",
    ...over,
  };
  return { ...answer, hash: reverseHash(keys.salt, answer) };
}

const webhook = (answer: Record<string, string>) => post(`${server.url}/api/payments/webhook`, answer);
const comeBack = (answer: Record<string, string>) => post(`${server.url}/api/payments/return`, answer);
const orderOf = async (quoteId: string) =>
  (await server.services.database.select().from(orders).where(eq(orders.quoteId, quoteId)))[0];
const invoicesOf = async (quoteId: string) =>
  server.services.database
    .select()
    .from(invoices)
    .innerJoin(orders, and(eq(orders.id, invoices.orderId), eq(orders.quoteId, quoteId)));

describe("starting a payment", () => {
  it("answers a form for the quote's amount, and the same again for a double click", async () => {
    const { quote, start } = await buyer();
    const [first, second] = await Promise.all([start(), start()]);
    expect(first.status).toBe(200);
    expect(first.body.fields["amount"]).toBe(quote.total_cost);
    expect(second.body).toEqual(first.body);
    const order = await orderOf(quote.id);
    expect(await server.services.database.$count(attempts, eq(attempts.orderId, order?.id ?? ""))).toBe(1);
    expect(order).toMatchObject({ state: "initiated", amountPaise: paiseFrom(quote.total_cost) });
  });
  it("refuses an amount that is off by one paisa", async () => {
    const { quote, start } = await buyer();
    const amount = (Number(quote.total_cost) - 0.01).toFixed(2);
    const { status, body } = await start({ amount });
    expect([status, body.code]).toEqual([409, "conflict"]);
    expect(await orderOf(quote.id)).toBeUndefined();
  });
  it("takes the amount as a number too", async () => {
    const { quote, start } = await buyer();
    expect((await start({ amount: Number(quote.total_cost) })).status).toBe(200);
  });
  it("answers another tenant's quote like one that does not exist", async () => {
    const { quote } = await buyer();
    const { start } = await buyer();
    const theirs = await start({ quote_id: quote.id, amount: quote.total_cost });
    const absent = await start({ quote_id: "01890000-0000-7000-8000-000000000000" });
    expect(theirs.status).toBe(404);
    expect(theirs.body).toEqual(absent.body);
  });
  it("refuses an expired quote, another e-mail and a wrong GSTIN", async () => {
    const { quote, start } = await buyer();
    expect((await start({ email: "someone.else@example.in" })).body.fields).toHaveProperty("email");
    expect((await start({ gstin: "22AAAAA0000A1Z5" })).body.fields).toHaveProperty("gstin");
    await server.services.database
      .update(quotes)
      .set({ validUntil: new Date(0) })
      .where(eq(quotes.id, quote.id));
    expect((await start()).status).toBe(409);
  });
  it.each([
    [{ quote_id: "1" }, "quote_id"],
    [{ amount: "12" }, "amount"],
    [{ amount: "-1.00" }, "amount"],
    [{ amount: null }, "amount"],
    [{ name: "" }, "name"],
    [{ name: "A|B" }, "name"],
    [{ name: "a".repeat(121) }, "name"],
    [{ phone: "12" }, "phone"],
    [{ email: "x" }, "email"],
  ])("refuses %j", async (over, field) => {
    const { start } = await buyer();
    const { status, body } = await start(over);
    expect(status).toBe(422);
    expect(Object.keys(body.fields ?? {})).toContain(field);
  });
  it("is for child users too, not for partners", async () => {
    const { person, start } = await buyer();
    const become = (role: "userChild" | "partner") =>
      server.services.database.update(people).set({ role }).where(eq(people.email, person.email));
    await become("userChild");
    expect((await start()).status).toBe(200);
    await become("partner");
    expect((await start()).status).toBe(403);
  });
});

describe("a payment", () => {
  it("through the gateway pays the order, and brings one invoice and one receipt", async () => {
    const { person, quote, start } = await buyer();
    const back = await settleAtSandbox((await start({ gstin: "27AAPFU0939F1ZV" })).body, "success");
    const returned = await comeBack(back.fields);
    const order = await orderOf(quote.id);
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
    const [{ invoices: invoice } = { invoices: null }] = await invoicesOf(quote.id);
    expect(invoice?.content.taxes.map(({ name }) => name)).toEqual(["IGST"]);
    expect((await start()).status).toBe(409);
  });
  it("told twenty times, by return and webhook, one after the other and at once, counts once", async () => {
    const { person, quote, start } = await buyer();
    const answer = answerTo((await start()).body);
    await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 ? webhook(answer) : comeBack(answer))));
    for (let repeat = 0; repeat < 20; repeat++) expect((await webhook(answer)).status).toBe(200);
    expect(await invoicesOf(quote.id)).toHaveLength(1);
    await server.mailbox.take(person.email, /invoice SOC/);
    const order = await orderOf(quote.id);
    expect(await server.services.database.$count(mails, eq(mails.eventKey, `receipt:${order?.id}`))).toBe(1);
  });
  it("that succeeded is not undone by late or reordered news", async () => {
    const { quote, start } = await buyer();
    const form = (await start()).body;
    await webhook(answerTo(form));
    for (const [status, unmappedstatus] of [
      ["failure", "failed"],
      ["pending", "pending"],
      ["failure", "userCancelled"],
    ] as const)
      await webhook(answerTo(form, { status, unmappedstatus }));
    expect(await orderOf(quote.id)).toMatchObject({ state: "success" });
  });
  it("that failed can be tried again with a new attempt, and a late capture of the first goes to review", async () => {
    const { quote, start } = await buyer();
    const first = (await start()).body;
    await comeBack(answerTo(first, { status: "failure", unmappedstatus: "userCancelled" }));
    expect(await orderOf(quote.id)).toMatchObject({ state: "failure" });
    const second = (await start()).body;
    expect(second.fields["txnid"]).not.toBe(first.fields["txnid"]);
    await webhook(answerTo(second));
    await webhook(answerTo(first));
    expect(await orderOf(quote.id)).toMatchObject({
      state: "success",
      reviewReason: expect.stringContaining("on top of"),
    });
    expect(await invoicesOf(quote.id)).toHaveLength(1);
  });
  it("captured after its failure still pays the order", async () => {
    const { quote, start } = await buyer();
    const form = (await start()).body;
    await webhook(answerTo(form, { status: "failure", unmappedstatus: "failed" }));
    await webhook(answerTo(form));
    expect(await orderOf(quote.id)).toMatchObject({ state: "success" });
  });
  it.each([
    ["a changed status", (answer: Record<string, string>) => ({ ...answer, status: "failure" })],
    ["a changed amount", (answer: Record<string, string>) => ({ ...answer, amount: "1.00" })],
    ["a wrong hash", (answer: Record<string, string>) => ({ ...answer, hash: "0".repeat(128) })],
    ["no hash", ({ hash: _hash, ...answer }: Record<string, string>) => answer],
    ["another key", (answer: Record<string, string>) => ({ ...answer, key: "other" })],
  ])("with %s changes nothing", async (_case, forge) => {
    const { quote, start } = await buyer();
    const forged = forge(answerTo((await start()).body));
    expect((await webhook(forged)).status).toBe(403);
    expect((await comeBack(forged)).headers.get("location")).toContain("order=unknown");
    expect(await orderOf(quote.id)).toMatchObject({ state: "initiated" });
  });
  it("of another amount, signed, waits for a person", async () => {
    const { quote, start } = await buyer();
    await webhook(answerTo((await start()).body, { amount: "1.00" }));
    expect(await orderOf(quote.id)).toMatchObject({
      state: "review",
      reviewReason: expect.stringContaining("100 paise"),
    });
    expect(await invoicesOf(quote.id)).toHaveLength(0);
    expect((await start()).status).toBe(409);
  });
  it("whose id belongs to another order waits for a person", async () => {
    const [one, other] = [await buyer(), await buyer()];
    await webhook(answerTo((await one.start()).body, { mihpayid: "777" }));
    await webhook(answerTo((await other.start()).body, { mihpayid: "777" }));
    expect(await orderOf(other.quote.id)).toMatchObject({ state: "review" });
  });
  it("of an unknown reference is refused", async () => {
    const { start } = await buyer();
    const form = (await start()).body;
    const answer = answerTo({ ...form, fields: { ...form.fields, txnid: "UNKNOWN" } });
    expect((await webhook(answer)).status).toBe(403);
  });
  it.each(["", "not=a&form", "{", "a".repeat(70_000)])("with a body that makes no sense is refused", async (body) => {
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

describe("a payment that stays open", () => {
  it("left pending is followed until it is captured", async () => {
    const { person, quote, start } = await buyer();
    const form = (await start()).body;
    await comeBack((await settleAtSandbox(form, "pending")).fields);
    expect(await orderOf(quote.id)).toMatchObject({ state: "pending" });
    expect((await start()).status).toBe(409);
    server.passTime(30);
    await checkAttempt(server.services, form.fields["txnid"] ?? "");
    expect(await orderOf(quote.id)).toMatchObject({ state: "success" });
    await server.mailbox.take(person.email, /invoice SOC/);
  });
  it("never finished expires after 15 minutes, and can be started again", async () => {
    const { quote, start } = await buyer();
    const form = (await start()).body;
    await reconcilePayments(server.services);
    expect(await orderOf(quote.id)).toMatchObject({ state: "initiated" });
    server.passTime(16 * 60);
    await reconcilePayments(server.services);
    expect(await orderOf(quote.id)).toMatchObject({ state: "expired" });
    const again = (await start()).body;
    expect(again.fields["txnid"]).not.toBe(form.fields["txnid"]);
  });
  it("paid without any word from the gateway is found by asking", async () => {
    const { quote, start } = await buyer();
    await settleAtSandbox((await start()).body, "success");
    server.passTime(16 * 60);
    await reconcilePayments(server.services);
    expect(await orderOf(quote.id)).toMatchObject({ state: "success" });
    await reconcilePayments(server.services);
    expect(await invoicesOf(quote.id)).toHaveLength(1);
  });
  it("is left as it is while the gateway can't be reached", async () => {
    const { quote, start } = await buyer();
    await start();
    server.passTime(16 * 60);
    const down = {
      ...server.services,
      gateway: { ...server.services.gateway, fetchStatus: () => Promise.reject(new Error("unreachable")) },
    };
    await reconcilePayments(down);
    expect(await orderOf(quote.id)).toMatchObject({ state: "initiated" });
  });
});

describe("an invoice", () => {
  it.each([
    ["2026-03-31T18:29:59Z", "25-26"],
    ["2026-03-31T18:30:00Z", "26-27"],
    ["2026-11-21T00:00:00Z", "26-27"],
    ["2027-01-01T00:00:00Z", "26-27"],
    ["2099-12-31T00:00:00Z", "99-00"],
    ["2008-05-01T00:00:00Z", "08-09"],
  ])("of %s belongs to the financial year %s", (instant, year) => {
    expect(financialYearOf(new Date(instant))).toBe(year);
  });
  it("has a number of 16 characters", () => {
    expect(invoiceNumber("26-27", 123)).toBe("SOC/26-27/000123");
  });
  it("numbers have no gap when many are paid at once, and its taxes are the quote's to the paisa", async () => {
    const buyers = [];
    for (let count = 0; count < 6; count++) {
      buyers.push(await buyer([{ service: "Databases", deviceType: "MSSQL", number: count + 1 }]));
      await server.services.database.delete(rateLimits);
    }
    const forms = await Promise.all(
      buyers.map(({ start }, index) => start(index % 2 ? { billingState: "29" } : { billingState: "33" })),
    );
    await Promise.all(forms.map(({ body }) => webhook(answerTo(body))));
    const all = await server.services.database.select().from(invoices).orderBy(invoices.serial);
    expect(all.map(({ serial }) => serial)).toEqual(all.map((_, index) => index + 1));
    for (const { content } of all) {
      const taxes = content.taxes.reduce((sum, tax) => sum + tax.amountPaise, 0);
      expect(content.taxablePaise + taxes).toBe(content.totalPaise);
      expect(content.taxes.map(({ name }) => name)).toEqual(
        content.placeOfSupply === "29" ? ["CGST", "SGST"] : ["IGST"],
      );
    }
  });
  it("delivered twice is one file and one mail", async () => {
    const { person, quote, start } = await buyer();
    await webhook(answerTo((await start()).body));
    const [found] = await invoicesOf(quote.id);
    const id = found?.invoices.id ?? "";
    await Promise.all([deliverInvoice(server.services, id), deliverInvoice(server.services, id)]);
    await deliverInvoice(server.services, id);
    await server.mailbox.take(person.email, /invoice SOC/);
    await new Promise((later) => setTimeout(later, 500));
    expect(
      server.mailbox.mails.filter(
        ({ to, subject }) => to?.[0]?.address === person.email && /invoice SOC/.test(subject ?? ""),
      ),
    ).toHaveLength(1);
  });
  it("of another tenant can't be opened", async () => {
    const { quote, start } = await buyer();
    await webhook(answerTo((await start()).body));
    await expect
      .poll(async () => (await invoicesOf(quote.id))[0]?.invoices.file, { timeout: 10_000 })
      .toMatch(/^invoice-/);
    const file = (await invoicesOf(quote.id))[0]?.invoices.file ?? "";
    const stranger = await customer(server);
    const theirs = await server.call("user/get-signed-url", { fileName: file }, stranger.token);
    const absent = await server.call("user/get-signed-url", { fileName: "invoice-none.pdf" }, stranger.token);
    expect([theirs.status, theirs.body]).toEqual([404, absent.body]);
  });
});
