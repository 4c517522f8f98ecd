import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sellerIs } from "../../tests/billing.ts";
import { answerTo, attemptsOf, enterAtGateway, orderOf } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { bankOfTests, bankStatement, newUtr, transferBuyer, today } from "../../tests/transfers.ts";
import { whileHeld } from "../../tests/while-held.ts";
import { checkAttempt } from "../orders/check-attempt.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());

it("A preview counts rows that are right alone, and says of a day that there is none", async () => {
  const admin = await member(server, "admin");
  const known = newUtr();
  const record = { utr: known, payer: "Nila", pays: null, amount: "10.00", received_on: today(server) };
  await server.call("admin/transfers/record", record, admin.token);
  const file = bankStatement([
    { utr: newUtr(), credit: "118.00" },
    { utr: newUtr(), credit: "500.00", day: "2126-01-02" },
    { utr: known, credit: "20.00" },
    { utr: newUtr(), credit: "7.00", day: "31-02-2026" },
    { utr: newUtr(), credit: "7.00", day: "2026-02-30" },
    { utr: newUtr(), credit: "7.00", day: "2 January" },
  ]);
  const { body } = await server.call("admin/transfers/preview", { file }, admin.token);
  expect(body).toMatchObject({ rows: 1, known: 0, total: "118.00", errors: 5 });
  expect(body.found.map(({ line }) => line)).toEqual([2]);
  expect(body.wrong.map(({ error }) => error)).toEqual([
    "Date: this day is still to come",
    `UTR: ${known} is here with ₹10.00`,
    "Date: there is no day 31-02-2026; a day is written as 2026-11-30 or 30-11-2026",
    "Date: there is no day 2026-02-30; a day is written as 2026-11-30 or 30-11-2026",
    "Date: please write it as 2026-11-30 or 30-11-2026",
  ]);
});

it("A sum with a comma before its paise is refused with what to write, and nothing of it is taken in", async () => {
  const admin = await member(server, "admin");
  const lines = ["269040,00", "1.200,00", "0,00"].map((credit) => `2026-01-02;NEFT;${newUtr()};${credit}`);
  const file = Buffer.from(`Date;Narration;UTR;Credit\n${lines.join("\n")}\n`).toString("base64");
  const { body } = await server.call("admin/transfers/preview", { file }, admin.token);
  expect(body).toMatchObject({ rows: 0, skipped: 1, errors: 2 });
  const why = "is no amount in rupees; please write it as 1234.50 or 1,234.50, with a point before the paise";
  expect(body.wrong.map(({ error }) => error)).toEqual([`Credit: “269040,00” ${why}`, `Credit: “1.200,00” ${why}`]);
});

it("Money without a bank's reference is told by its line and left out, and the rest is taken in", async () => {
  const admin = await member(server, "admin");
  const utr = newUtr();
  const file = bankStatement([
    { utr, credit: "10.00" },
    { utr: "000000000000000", credit: "4.12", narration: "INTEREST OF THE QUARTER" },
    { utr: "", credit: "", narration: "CHARGES" },
  ]);
  const { body } = await server.call("admin/transfers/preview", { file }, admin.token);
  const without = [{ line: 3, says: "₹4.12: INTEREST OF THE QUARTER" }];
  expect(body).toMatchObject({ rows: 1, skipped: 1, leftOut: 1, without, total: "10.00", errors: 0 });
  const taken = await server.call("admin/transfers/import", { file, name: "interest.csv" }, admin.token);
  expect(taken.body.message).toBe(
    "1 transfer imported, 0 of them matched; 0 known before; 1 left out without a reference.",
  );
});

it("A statement with a mistyped year is refused as its preview is, and the lists of transfers stay readable", async () => {
  const admin = await member(server, "admin");
  const buyer = await transferBuyer(server);
  const { reference } = (await buyer.choose()).body;
  const days = ["30-11-0026", "0001-01-01", "1066-10-14", "01-01-0000"];
  const file = bankStatement(
    days.map((day) => ({ utr: newUtr(), credit: "10.00", day, narration: `NEFT ${reference}` })),
  );
  const preview = await server.call("admin/transfers/preview", { file }, admin.token);
  expect(preview.body).toMatchObject({ rows: 0, errors: days.length });
  expect(preview.body.wrong[0]?.error).toContain("Date: please check the year of 30-11-0026");
  expect((await server.call("admin/transfers/import", { file, name: "years.csv" }, admin.token)).status).toBe(422);
  expect((await server.call("admin/transfers", {}, admin.token)).status).toBe(200);
  expect((await server.call("user/payments-due", {}, buyer.person.token)).status).toBe(200);
});

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
  // The payment holds its order and wants its attempt; the statement has numbered an invoice and wants that order.
  const [, taken] = await whileHeld(server, `select from attempts where id = '${attempt?.id}' for update`, () => [
    checkAttempt(server.services, attempt?.reference ?? "").then(() => ({ status: 200, message: "" })),
    sleep(500).then(async () => {
      const { status, body } = await server.call("admin/transfers/import", { file, name: "both.csv" }, admin.token);
      return { status, message: body.message };
    }),
  ]);
  expect(taken).toMatchObject({
    status: 200,
    message: expect.stringMatching(/^2 transfers imported, 2 of them matched/),
  });
  expect((await orderOf(server, one.quote.id))?.state).toBe("success");
  const [confirmed] = await attemptsOf(server, other.quote.id);
  expect(confirmed).toMatchObject({ state: "success" });
  expect((await orderOf(server, other.quote.id))?.paymentId).toBe(confirmed?.gatewayPaymentId);
});

it("A long statement is stored many rows at a time, each with its question to a person", async () => {
  const admin = await member(server, "admin");
  const rows = Array.from({ length: 600 }, () => ({ utr: newUtr(), credit: "10.00" }));
  const taken = { file: bankStatement(rows), name: "long.csv" };
  const { body } = await server.call("admin/transfers/import", taken, admin.token);
  expect(body.message).toBe("600 transfers imported, 0 of them matched; 0 known before.");
  const utrs = rows.map(({ utr }) => utr);
  const { rows: stored } = await server.services.database.$client.query<{ rows: number; statements: number }>(
    `select count(*)::int as rows, count(distinct transfers.cmin::text)::int as statements from transfers
      join findings on findings.key = utr and findings.kind = 'unknown transfer' where utr = any ($1)`,
    [utrs],
  );
  expect(stored).toEqual([{ rows: 600, statements: 2 }]);
});

it("A payment by UPI that its bank fills up with zeros is the one that is here with its twelve digits, and the other way round", async () => {
  const admin = await member(server, "admin");
  const own = `61${newUtr().slice(-10)}`;
  const other = `62${newUtr().slice(-10)}`;
  for (const [first, then] of [
    [own, `0000${own}`],
    [`0000${other}`, other],
  ] as const) {
    const { choose, quote } = await transferBuyer(server);
    const { pay, reference } = (await choose()).body;
    const came = { utr: first, received_on: today(server), payer: "Nila", amount: pay, pays: reference };
    expect((await server.call("admin/transfers/record", came, admin.token)).status).toBe(200);
    const file = bankStatement([{ utr: then, credit: pay, narration: reference }]);
    const { body } = await server.call("admin/transfers/import", { file, name: "upi.csv" }, admin.token);
    expect(body.message).toBe("0 transfers imported, 0 of them matched; 1 known before.");
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", owedPaise: 0 });
    const again = await server.call("admin/transfers/record", { ...came, utr: then }, admin.token);
    expect(again.status).toBe(409);
  }
});
