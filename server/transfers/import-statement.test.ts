import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sellerIs } from "../../tests/billing.ts";
import { answerTo, attemptsOf, enterAtGateway, orderOf } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { bankOfTests, bankStatement, newUtr, transferBuyer } from "../../tests/transfers.ts";
import { whileHeld } from "../../tests/while-held.ts";
import { checkAttempt } from "../orders/check-attempt.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());

it("A statement and a payment online of one of its orders wait for each other in one order, and both are taken in", async () => {
  const admin = await member(server, "admin");
  const [one, other] = [await transferBuyer(server), await transferBuyer(server)];
  const form = (await other.start()).body;
  const paid = (await one.choose()).body;
  const asked = (await other.choose()).body;
  const file = bankStatement(
    [paid, asked].map(({ pay, reference }) => ({ utr: newUtr(), credit: pay, narration: `NEFT ${reference}` })),
  );
  const [attempt] = await attemptsOf(server, other.quote.id);
  await enterAtGateway(server, answerTo(server, form));
  // The payment has its order, and wants its attempt; the statement has numbered an invoice, and wants that order.
  const [, taken] = await whileHeld(server, `select from attempts where id = '${attempt?.id}' for update`, () => [
    checkAttempt(server.services, attempt?.reference ?? "").then(() => ({ status: 200, message: "" })),
    sleep(500).then(async () => {
      const { status, body } = await server.call("admin/transfers/import", { file, name: "both.csv" }, admin.token);
      return { status, message: body.message };
    }),
  ]);
  expect(taken).toMatchObject({
    status: 200,
    message: expect.stringMatching(/^2 transfers taken in, 2 of them matched/),
  });
  expect((await orderOf(server, one.quote.id))?.state).toBe("success");
  const [confirmed] = await attemptsOf(server, other.quote.id);
  expect(confirmed).toMatchObject({ state: "success" });
  expect((await orderOf(server, other.quote.id))?.paymentId).toBe(confirmed?.gatewayPaymentId);
});
