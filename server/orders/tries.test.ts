import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import { rupees } from "../../contract/money.ts";
import { attemptsOf, comeBack, orderOf } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { type SandboxOutcome, settleAtSandbox } from "../../tests/sandbox.ts";
import { attempts, rateLimits } from "../database/schema/index.ts";
import { reconcilePayments } from "./reconcile-payments.ts";

let server: TestServer;
let partner: Member;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer();
  partner = await member(server, "partner");
  admin = await member(server, "admin");
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

async function customer() {
  const own = { firstName: "Asha", lastName: "Rao", partnerId: partner.organisationId };
  const asha = await member(server, "user", own);
  const vikram = await member(server, "userChild", {
    organisationId: asha.organisationId,
    firstName: "Vikram",
    lastName: "Shetty",
  });
  const quote = await insertQuote(server, asha);
  const start = async ({ email, token }: Member = asha, over: object = {}) => {
    const form = { email, quote_id: quote.id, name: "Asha Rao", phone: "+919876543210" };
    return (await server.call("user/orders", { ...form, amount: rupees(quote.totalPaise), ...over }, token)).body;
  };
  const tryToPay = async (outcome: SandboxOutcome, payer?: Member, over?: object) =>
    comeBack(server, (await settleAtSandbox(await start(payer, over), outcome)).fields);
  const order = async () => {
    const { body } = await server.call("user/get-payment-by-email", {}, asha.token);
    return body.paymentDetails.find(({ quote_id }) => quote_id === quote.id);
  };
  return { asha, vikram, quote, start, tryToPay, order };
}

it("An order keeps its failed tries in sight once a later one has paid it", async () => {
  const { vikram, quote, tryToPay, order } = await customer();
  await tryToPay("failure");
  await server.services.database
    .update(attempts)
    .set({ reason: "The bank declined the payment.", endedAt: new Date("2026-11-21T10:00:00.250Z") })
    .where(eq(attempts.id, (await attemptsOf(server, quote.id))[0]?.id ?? ""));
  await tryToPay("success", vikram);
  const listed = await order();
  expect(listed).toMatchObject({
    status: "success",
    tries: [
      { state: "success", started_by: "Vikram Shetty", started_at: expect.stringMatching(/Z$/), reason: null },
      {
        state: "failure",
        started_by: "Asha Rao",
        ended_at: "2026-11-21T10:00:00.250Z",
        reason: "The bank declined the payment.",
      },
    ],
  });
  expect(listed?.tries).toHaveLength(2);
});

it("A try that was taken over says by whom, one started again by the same person says so, unless money came", async () => {
  const { vikram, quote, start, order } = await customer();
  const first = await start();
  await start(undefined, { purchaseOrder: "PO-27" });
  await start(vikram, { takeOver: true });
  expect((await order())?.tries).toMatchObject([
    { state: "initiated", started_by: "Vikram Shetty", ended_at: null, reason: null },
    {
      state: "taken_over",
      started_by: "Asha Rao",
      ended_at: expect.any(String),
      reason: "Taken over by Vikram Shetty.",
    },
    { state: "taken_over", started_by: "Asha Rao", reason: "Started again with other details." },
  ]);
  server.passTime(limits.paymentMinutes * 60 + 60);
  await reconcilePayments(server.services);
  expect((await order())?.tries.map(({ state }) => state)).toEqual(["expired", "taken_over", "taken_over"]);
  await settleAtSandbox(first, "success");
  await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
  expect((await order())?.tries.map(({ state }) => state)).toEqual(["expired", "taken_over", "success"]);
});

it("Its partner and administrators read the tries too", async () => {
  const { asha, tryToPay, order } = await customer();
  await tryToPay("cancel");
  const { email } = asha;
  const expected = (await order())?.tries;
  expect(expected).toMatchObject([{ state: "failure", started_by: "Asha Rao" }]);
  const byPartner = await server.call("partner/get-payment-details", { email }, partner.token);
  const byAdmin = await server.call("admin/getPaymentDetailsByEmailforAdmin", { email }, admin.token);
  expect([byPartner, byAdmin].map(({ body }) => body.payments[0]?.tries)).toEqual([expected, expected]);
});

it("However many there were, the newest are shown, and never those of another order", async () => {
  const { asha } = await customer();
  const [one, other] = [await insertOrder(server, asha), await insertOrder(server, asha)];
  const form = { action: "https://gateway.example/pay", fields: {} };
  const made = Array.from({ length: limits.triesShown + 5 }, (_, index) => ({
    orderId: one.id,
    gateway: "payu",
    reference: `T${index}`,
    amountPaise: 1,
    state: "failure" as const,
    reason: `Try ${index}`,
    form,
    expiresAt: new Date(),
  }));
  await server.services.database.insert(attempts).values(made);
  const { body } = await server.call("user/get-payment-by-email", {}, asha.token);
  const triesOf = (id: string) => body.paymentDetails.find(({ order_id }) => order_id === id)?.tries;
  expect(triesOf(other.id)).toEqual([]);
  expect(triesOf(one.id)?.map(({ reason }) => reason)).toEqual(
    made
      .map(({ reason }) => reason)
      .toReversed()
      .slice(0, limits.triesShown),
  );
});

it("A paid order is dated when it was paid, and lists go by that date, in their own order and when sorted", async () => {
  const { asha, tryToPay, quote } = await customer();
  await insertOrder(server, asha, {
    createdAt: new Date("2026-08-01T00:00:00Z"),
    paidAt: new Date("2026-08-03T00:00:00Z"),
  });
  const late = await insertOrder(server, asha, {
    createdAt: new Date("2026-07-01T00:00:00Z"),
    paidAt: new Date("2026-09-01T00:00:00Z"),
  });
  const unpaid = await insertOrder(server, asha, { state: "failure", createdAt: new Date("2026-08-02T00:00:00Z") });
  const list = async (query: object = {}) =>
    (await server.call("user/get-payment-by-email", query, asha.token)).body.paymentDetails;
  const dates = ["2026-09-01T00:00:00.000Z", "2026-08-03T00:00:00.000Z", "2026-08-02T00:00:00.000Z"];
  for (const sort of [undefined, "-created_at"])
    expect((await list({ sort })).map(({ created_at }) => created_at)).toEqual(dates);
  expect((await list({ sort: "created_at" })).map(({ created_at }) => created_at)).toEqual(dates.toReversed());
  expect((await list())[0]?.order_id).toBe(late.id);
  expect((await list())[2]?.order_id).toBe(unpaid.id);

  await tryToPay("cancel");
  const begun = (await list()).find(({ quote_id }) => quote_id === quote.id)?.created_at ?? "";
  server.passTime(1800);
  await tryToPay("success");
  const order = (await list()).find(({ quote_id }) => quote_id === quote.id);
  expect(order?.created_at).toBe((await orderOf(server, quote.id))?.paidAt?.toISOString());
  expect(Date.parse(order?.created_at ?? "") - Date.parse(begun)).toBeGreaterThanOrEqual(1_800_000);

  const seen: (string | undefined)[] = [];
  let cursor: string | null | undefined;
  do {
    const { body }: { body: { paymentDetails: { created_at: string }[]; nextCursor: string | null } } =
      await server.call("user/get-payment-by-email", { limit: 1, cursor: cursor ?? undefined }, asha.token);
    seen.push(...body.paymentDetails.map(({ created_at }) => created_at));
    cursor = body.nextCursor;
  } while (cursor);
  expect(seen).toEqual([order?.created_at, ...dates]);
});
