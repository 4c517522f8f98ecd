import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { daysAfter } from "../../contract/proration.ts";
import { sellerIs } from "../../tests/billing.ts";
import { again } from "../../tests/contract.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { bankOfTests, newUtr, transferBuyer, today } from "../../tests/transfers.ts";
import { quotes } from "../database/schema/index.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());

it("Tax that is owed again is due from its own day once the overdue rest of its invoice is paid, and not before", async () => {
  const first = await member(server, "admin");
  const { choose, person, quote } = await transferBuyer(server);
  await server.services.database.update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
  const { body } = await choose({ way: "invoice", deducts: { section: "194J", percent: 10 } });
  // Past the days of every quarter's certificate.
  server.passTime(300 * 86_400);
  const [asha, { token }] = [await again(server, first, "admin"), await again(server, person)];
  const dueNow = async () => (await server.call("user/payments-due", {}, token)).body;
  const [claim] = (await dueNow()).certificates;
  const owed = { id: claim?.id ?? "", reason: "No certificate came" };
  expect((await server.call("admin/certificates/owe-again", owed, asha.token)).status).toBe(200);
  expect((await dueNow()).documents).toMatchObject([{ due_on: body.due_on }]);

  const pay = (paise: number) => {
    const transfer = { utr: newUtr(), received_on: today(server), payer: "Periyar", pays: body.document };
    return server.call("admin/transfers/record", { ...transfer, amount: rupees(paise) }, asha.token);
  };
  expect((await pay(paiseFrom(body.pay) - 1)).status).toBe(200);
  expect((await dueNow()).documents).toMatchObject([{ due_on: body.due_on }]);
  await pay(1);
  const dueOn = daysAfter(today(server), 14);
  expect((await dueNow()).documents).toMatchObject([{ open: claim?.amount, due_on: dueOn, days_overdue: 0 }]);
  const { receivables } = (await server.call("admin/receivables", {}, asha.token)).body;
  expect(receivables).toMatchObject([{ due_on: dueOn, days_overdue: 0 }]);
  const ageing = (await server.call("admin/receivables/ageing", {}, asha.token)).body;
  expect(ageing).toMatchObject({ not_due: claim?.amount, over_90: "0.00" });
});
