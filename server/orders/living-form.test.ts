import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rupees } from "../../contract/money.ts";
import { answerTo, attemptsOf, comeBack, invoicesOf, orderOf } from "../../tests/buyer.ts";
import { billingOf, giveBilling } from "../../tests/billing.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { settleAtSandbox } from "../../tests/sandbox.ts";
import { auditEntries, rateLimits } from "../database/schema/index.ts";
import { reconcilePayments } from "./reconcile-payments.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const pending = { status: "pending", unmappedstatus: "in progress" };

/** Asha, Vikram and Nisha of one organisation, with a quote that each of them may buy. */
async function family() {
  const asha = await member(server, "user", { firstName: "Asha", lastName: "Rao" });
  const own = { organisationId: asha.organisationId };
  const vikram = await member(server, "userChild", { ...own, firstName: "Vikram", lastName: "Shetty" });
  const nisha = await member(server, "userChild", { ...own, firstName: "Nisha", lastName: "Kulkarni" });
  const quote = await insertQuote(server, asha);
  const pay = ({ email, token }: Member, over: object = {}) =>
    server.call(
      "user/orders",
      {
        email,
        quote_id: quote.id,
        amount: rupees(quote.totalPaise),
        name: "Accounts department",
        phone: "+919876543210",
        ...over,
      },
      token,
    );
  return { asha, vikram, nisha, quote, pay };
}

type Reply = Awaited<ReturnType<Awaited<ReturnType<typeof family>>["pay"]>>;
const referenceIn = ({ body }: Reply) => body.fields["txnid"];
const refusal = ({ status, body }: Reply) => [status, body.code, body.error];

describe("while somebody is paying for a quote", () => {
  it("a colleague is told who it is and since when, and gets no form", async () => {
    const { asha, vikram, quote, pay } = await family();
    expect((await pay(asha)).status).toBe(200);
    server.passTime(3 * 60 + 5);
    expect(refusal(await pay(vikram))).toEqual([
      409,
      "payment_in_progress",
      expect.stringMatching(/^Asha Rao started paying for this quote 3 minutes ago\. Please take over only if/),
    ]);
    expect((await pay(vikram, { takeOver: false })).status).toBe(409);
    expect(await attemptsOf(server, quote.id)).toHaveLength(1);
    expect(await orderOf(server, quote.id)).toMatchObject({ buyerId: asha.id, billTo: { email: asha.email } });
  });
  it("the payer gets the same form again, and a new one for another purchase order without a question", async () => {
    const { asha, quote, pay } = await family();
    const [first, again] = [await pay(asha), await pay(asha, { takeOver: true })];
    expect(referenceIn(again)).toBe(referenceIn(first));
    const other = await pay(asha, { purchaseOrder: "PO-27" });
    expect(other.status).toBe(200);
    expect(referenceIn(other)).not.toBe(referenceIn(first));
    expect(await attemptsOf(server, quote.id)).toMatchObject([
      { startedBy: asha.id, supersededBy: asha.id },
      { startedBy: asha.id, supersededAt: null },
    ]);
  });
  it("only one of ten colleagues who start at once gets a form", async () => {
    const { asha, vikram, nisha, quote, pay } = await family();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => pay([asha, vikram, nisha][index % 3] ?? asha)),
    );
    expect(new Set(replies.filter(({ status }) => status === 200).map(referenceIn)).size).toBe(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await attemptsOf(server, quote.id)).toHaveLength(1);
  });
  it("a colleague gets a form without a question once the first has expired or its payment has failed", async () => {
    const { asha, vikram, nisha, pay } = await family();
    await pay(asha);
    server.passTime(15 * 60 + 1);
    const second = await pay(vikram);
    expect(second.status).toBe(200);
    await comeBack(server, (await settleAtSandbox(second.body, "cancel")).fields);
    expect((await pay(nisha)).status).toBe(200);
  });
  it("people of another organisation learn nothing of it", async () => {
    const { asha, pay } = await family();
    const { vikram: stranger } = await family();
    await pay(asha);
    for (const over of [{}, { takeOver: true }]) expect((await pay(stranger, over)).status).toBe(404);
  });
});

describe("a person who takes a payment over", () => {
  it("gets a new form, the only one handed out from then on", async () => {
    const { asha, vikram, quote, pay } = await family();
    const first = await pay(asha);
    const taken = await pay(vikram, { takeOver: true, purchaseOrder: "PO-27" });
    expect(taken.status).toBe(200);
    expect(referenceIn(taken)).not.toBe(referenceIn(first));
    expect(referenceIn(await pay(vikram, { takeOver: true, purchaseOrder: "PO-27" }))).toBe(referenceIn(taken));
    expect(refusal(await pay(asha))).toEqual([
      409,
      "payment_in_progress",
      expect.stringMatching(/^Vikram Shetty started paying for this quote less than a minute ago/),
    ]);
    expect(await attemptsOf(server, quote.id)).toMatchObject([
      { startedBy: asha.id, supersededBy: vikram.id, supersededAt: expect.any(Date) },
      { startedBy: vikram.id, supersededBy: null },
    ]);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "initiated", buyerId: vikram.id });
  });
  it("is named in the audit log, with the person from whom it was taken", async () => {
    const { asha, vikram, quote, pay } = await family();
    const first = await pay(asha);
    await pay(vikram, { takeOver: true });
    const order = await orderOf(server, quote.id);
    const entries = await server.services.database
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `order:${order?.id}`))
      .orderBy(auditEntries.id);
    expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ["start payment", asha.id],
      ["take over payment", vikram.id],
      ["start payment", vikram.id],
    ]);
    expect(entries[1]?.detail).toEqual({ from: asha.id, reference: referenceIn(first) });
  });
  it("is refused while a bank is confirming the payment of the first form, taken over or not", async () => {
    const { asha, vikram, nisha, quote, pay } = await family();
    const first = await pay(asha);
    await pay(vikram, { takeOver: true });
    await comeBack(server, answerTo(server, first.body, pending));
    for (const person of [asha, vikram, nisha])
      expect(refusal(await pay(person, { takeOver: true }))).toEqual([
        409,
        "conflict",
        expect.stringContaining("being confirmed"),
      ]);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "pending" });
  });
});

describe("money for a form that was taken over", () => {
  it("pays the order, and bills who paid as they asked", async () => {
    const { asha, vikram, quote, pay } = await family();
    const { gstin } = billingOf.maharashtra;
    await giveBilling(server, asha.email, { billingKind: "registered", gstin, billingState: "27" });
    const first = await pay(asha);
    await giveBilling(server, asha.email, { billingKind: "unregistered", gstin: null, billingState: "29" });
    await pay(vikram, { takeOver: true });
    await settleAtSandbox(first.body, "success");
    await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
    expect(await orderOf(server, quote.id)).toMatchObject({
      buyerId: asha.id,
      buyerEmail: asha.email,
      billTo: { email: asha.email, gstin: "27AAPFU0939F1ZV" },
    });
    expect(await invoicesOf(server, quote.id)).toMatchObject([
      { content: { billTo: { email: asha.email, gstin: "27AAPFU0939F1ZV" }, placeOfSupply: "27" } },
    ]);
    await server.mailbox.take(asha.email, /invoice SOC/);
    expect(refusal(await pay(vikram, { takeOver: true }))).toEqual([
      409,
      "conflict",
      expect.stringContaining("paid already"),
    ]);
  });
  it("is found by asking the gateway when no message comes", async () => {
    const { asha, vikram, quote, pay } = await family();
    const first = await pay(asha);
    await pay(vikram, { takeOver: true });
    await settleAtSandbox(first.body, "success");
    server.passTime(16 * 60);
    await reconcilePayments(server.services);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", buyerId: asha.id });
  });
  it("on top of the second form's is shown to a person", async () => {
    const { asha, vikram, quote, pay } = await family();
    const [first, second] = [await pay(asha), await pay(vikram, { takeOver: true })];
    await settleAtSandbox(second.body, "success");
    await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
    await settleAtSandbox(first.body, "success");
    await expect.poll(async () => (await orderOf(server, quote.id))?.reviewReason).toContain("has to be refunded");
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", buyerId: vikram.id });
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });
});

it("An attempt of an older version, which names nobody, is taken over like any other", async () => {
  const { asha, vikram, quote, pay } = await family();
  await pay(asha);
  await server.services.database.$client.query(
    "update attempts set started_by = null, bill_to = null from orders where orders.id = order_id and quote_id = $1",
    [quote.id],
  );
  expect(refusal(await pay(vikram))).toEqual([409, "payment_in_progress", expect.stringMatching(/^Somebody else /)]);
  expect((await pay(vikram, { takeOver: true })).status).toBe(200);
});
