import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writtenDay } from "../../contract/india-time.ts";
import { answerTo, attemptsOf, sayByWebhook } from "../../tests/buyer.ts";
import { GatewayBooks } from "../../tests/gateway-books.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { quoteHolder } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { standInGateway } from "../../tests/stand-in-gateway.ts";
import { attempts, findings, rateLimits, refunds, settlementLines } from "../database/schema/index.ts";
import { settleRefunds } from "../refunds/settle-refunds.ts";
import { readSettlementFile } from "./settlement-file.ts";

/** This gateway never hangs, but a busy machine may make it slow. */
const answersMs = 10_000;

let server: TestServer;
let asha: Member;
let books: GatewayBooks;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  asha = await member(server, "admin");
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  books = new GatewayBooks();
  await standInGateway(server, books.react, answersMs);
});

/** A payment attempt at the gateway, with this amount in the gateway's books. */
async function pay(amount?: string) {
  const made = await quoteHolder(server);
  const form = (await made.start()).body;
  const reference = form.fields["txnid"] ?? "";
  const { paymentId } = books.enter(reference, { amount: amount ?? made.total });
  const answer = answerTo(server, form, { mihpayid: paymentId });
  return { ...made, reference, paymentId, say: () => sayByWebhook(server, answer) };
}

const head =
  "Action,PayU ID,Request ID,Merchant Transaction ID,Transaction Amount,Merchant Service Fee,Merchant Service Tax,Merchant Net Amount,Settlement Date,UTR Number";
const in100 = (amount: string) => Math.round(Number(amount) * 100);
/** A settlement line with a fee of two per cent and 18 per cent tax on the fee. */
function settled({ paymentId, reference, total }: Awaited<ReturnType<typeof pay>>, amount = total, day = "2026-11-20") {
  const fee = Math.round(in100(amount) / 50);
  const tax = Math.round((fee * 18) / 100);
  const sums = [in100(amount), fee, tax, in100(amount) - fee - tax].map((paise) => (paise / 100).toFixed(2));
  return ["capture", paymentId, paymentId, reference, ...sums, day, "UTR1"].join(",");
}
const fileOf = (...lines: string[]) => Buffer.from([head, ...lines].join("\n")).toString("base64");
const importFile = (file: string, name = "settlement.csv") =>
  server.call("admin/reconcile/import", { file, name }, asha.token);
const previewOf = async (file: string) => (await server.call("admin/reconcile/preview", { file }, asha.token)).body;
const open = async (search: string) =>
  (await server.call("admin/reconcile", { state: "open", search }, asha.token)).body.findings;

describe("a settlement file", () => {
  it("is matched with its fees and the tax on them, and the same rows again change nothing", async () => {
    const paid = await pay();
    await paid.say();
    const file = fileOf(settled(paid));
    const preview = await previewOf(file);
    expect(preview).toMatchObject({ rows: 1, matched: 1, known: 0, findings: 0, errors: 0 });
    expect(preview.sums.paid).toBe(paid.total);
    expect((await importFile(file)).body.message).toContain("1 row imported");
    const lines = () =>
      server.services.database
        .select()
        .from(settlementLines)
        .where(eq(settlementLines.gatewayPaymentId, paid.paymentId));
    const [line] = await lines();
    const [attempt] = await attemptsOf(server, paid.quote.id);
    expect(line).toMatchObject({ attemptId: attempt?.id, amountPaise: in100(paid.total), utr: "UTR1" });
    expect(line?.feePaise).toBe(Math.round(in100(paid.total) / 50));
    expect((await importFile(file)).body.message).toContain("imported before");
    expect((await importFile(fileOf(settled(paid), ""))).body.message).toContain("0 rows imported, 1 known before");
    expect(await lines()).toEqual([line]);
    const { files } = (await server.call("admin/reconcile/files", {}, asha.token)).body;
    expect(files.find(({ sums }) => sums.paid === paid.total)).toMatchObject({ first_day: "2026-11-20" });
  });

  it("that has a row of an earlier file with another sum is taken in, keeps what was kept, and calls a person once", async () => {
    const paid = await pay();
    await paid.say();
    await importFile(fileOf(settled(paid)));
    const less = settled(paid, (Number(paid.total) - 10).toFixed(2));
    const isDifferent = { kind: "amount differs", says: expect.stringMatching(/this file has .* an earlier one had/) };
    const preview = await previewOf(fileOf(less));
    expect(preview).toMatchObject({ known: 1, matched: 0, findings: 1, found: [{ says: isDifferent.says }] });
    expect((await importFile(fileOf(less))).body.message).toContain("0 rows imported, 1 known before. 1 differ");
    expect((await importFile(fileOf(less, ""))).status).toBe(200);
    expect(await open(paid.paymentId)).toMatchObject([{ ...isDifferent, order_id: expect.any(String) }]);
    const [kept] = await server.services.database
      .select()
      .from(settlementLines)
      .where(eq(settlementLines.gatewayPaymentId, paid.paymentId));
    expect(kept?.amountPaise).toBe(in100(paid.total));
  });

  it("with rows of another action is taken in, each of them is shown to a person, and its sums add up", async () => {
    const paid = await pay();
    await paid.say();
    const disputed = `chargeback,${paid.paymentId},999001,${paid.reference},-7.00,0.50,0.09,-7.59,2026-11-20,UTR9`;
    const fee = "Monthly fee,,,,,0,0,-3.00,2026-11-20,UTR9";
    const file = fileOf(settled(paid), disputed, fee);
    const preview = await previewOf(file);
    expect(preview).toMatchObject({ rows: 3, matched: 1, findings: 2, errors: 0 });
    const { paid: paidSum, other, fees, taxes, net } = preview.sums;
    expect(other).toBe("-10.00");
    expect(in100(paidSum) + in100(other) - in100(fees) - in100(taxes)).toBe(in100(net));
    expect((await importFile(file)).body.message).toContain("3 rows imported");
    expect(await open("chargeback")).toMatchObject([
      { kind: "other settled", order_id: expect.any(String), says: expect.stringMatching(/−₹7\.59/) },
    ]);
    expect(await open("Monthly fee")).toMatchObject([{ order_id: null, says: expect.stringMatching(/−₹3\.00/) }]);
    const { files } = (await server.call("admin/reconcile/files", {}, asha.token)).body;
    expect(files[0]?.sums).toEqual(preview.sums);
    expect((await importFile(fileOf(disputed))).body.message).toContain("0 rows imported, 1 known before");
  });

  it("has as many fees without an id as rows, though they are alike; a payment stands in it once", async () => {
    const paid = await pay();
    await paid.say();
    const fee = (utr: string) => `Transfer fee,,,,,0,0,-3.00,2026-11-20,${utr}`;
    expect(await previewOf(fileOf(fee("UTR1"), fee("UTR2"), fee("UTR2")))).toMatchObject({ rows: 3, errors: 0 });
    const disputed = `chargeback,${paid.paymentId},999002,${paid.reference},-7.00,0.50,0.09,-7.59,2026-11-20,UTR9`;
    expect(await previewOf(fileOf(disputed, disputed, settled(paid), settled(paid)))).toMatchObject({ errors: 2 });
    expect((await importFile(fileOf(fee("UTR1")))).body.message).toContain("1 row imported");
    const more = await importFile(fileOf(fee("UTR1"), fee("UTR2"), fee("UTR2")));
    expect(more.body.message).toContain("2 rows imported, 1 known before");
  });

  it("taken in by two at once is there once", async () => {
    const paid = await pay();
    await paid.say();
    const file = fileOf(settled(paid));
    const both = await Promise.all([importFile(file), importFile(file)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.filter(({ body }) => /imported before/.test(body.message))).toHaveLength(1);
  });

  it("shows what differs: another amount, an unknown payment, a refund that nobody asked for, one not paid here", async () => {
    const [paid, unpaid] = [await pay(), await pay()];
    await paid.say();
    const unknown = "capture,777777,777777,PNOTHING,10.00,0.20,0.04,9.76,2026-11-20,UTR1";
    const refund = `refund,${paid.paymentId},888888,${paid.reference},-5.00,0,0,-5.00,2026-11-20,UTR1`;
    const file = fileOf(settled(paid, "1.00"), unknown, refund, settled(unpaid));
    expect(await previewOf(file)).toMatchObject({ rows: 4, matched: 0, findings: 4 });
    expect(await server.services.database.$count(findings, eq(findings.key, "777777"))).toBe(0);
    await importFile(file);
    expect(await open(paid.paymentId)).toMatchObject([{ kind: "unknown refund" }, { kind: "amount differs" }]);
    expect(await open("777777")).toMatchObject([{ kind: "unknown payment", about: "777777", order_id: null }]);
    expect(await open(unpaid.paymentId)).toMatchObject([{ kind: "not in our books" }]);
    // The gateway is asked about a payment that it has settled and we have not.
    const [attempt] = await attemptsOf(server, unpaid.quote.id);
    expect(attempt?.nextCheckAt && attempt.nextCheckAt <= server.services.now()).toBe(true);
  });

  it("has the gateway asked about a refund that nobody asked for, which then counts as settled", async () => {
    const paid = await pay();
    await paid.say();
    const day = () => writtenDay(server.services.now());
    books.refunds.push({
      requestId: "999999",
      paymentId: paid.paymentId,
      token: "",
      amount: "5.00",
      status: "success",
    });
    const refund = `refund,${paid.paymentId},999999,${paid.reference},-5.00,0,0,-5.00,${day()},UTR1`;
    await importFile(fileOf(settled(paid, paid.total, day()), refund), "given-back.csv");
    await settleRefunds(server.services);
    const ofGateway = eq(refunds.gatewayRefundId, "999999");
    expect(await server.services.database.select().from(refunds).where(ofGateway)).toMatchObject([{ state: "done" }]);
    server.passTime(20 * 86_400);
    asha = await member(server, "admin", { organisationId: asha.organisationId });
    await importFile(fileOf(`capture,1001,1001,PNONE1,10.00,0.20,0.04,9.76,${day()},UTR2`), "later.csv");
    expect((await open("")).map(({ kind }) => kind)).not.toContain("refund not settled");
    server.passTime(-20 * 86_400);
    asha = await member(server, "admin", { organisationId: asha.organisationId });
  });

  it("lists what is paid here and in no settlement, until one has it", async () => {
    const paid = await pay();
    await paid.say();
    const longAgo = new Date("2026-10-05T08:00:00Z");
    await server.services.database
      .update(attempts)
      .set({ endedAt: longAgo })
      .where(eq(attempts.reference, paid.reference));
    await importFile(
      fileOf(
        "capture,1001,1001,PNONE1,10.00,0.20,0.04,9.76,2026-10-01,U",
        "capture,1002,1002,PNONE2,10.00,0.20,0.04,9.76,2026-10-30,U",
      ),
    );
    const says = expect.stringContaining("in no settlement up to 30 October 2026.");
    expect(await open(paid.paymentId)).toMatchObject([{ kind: "not settled", says }]);
    await importFile(fileOf(settled(paid, paid.total, "2026-10-31")), "late.csv");
    expect(await open(paid.paymentId)).toEqual([]);
  });

  // The server keeps reading a refused body for half a second; on a busy machine that is less than 50 MB.
  it(
    "is refused as a whole, with the line of each error, and a file of 50 MB or in Latin-1 with a sentence",
    { retry: 2 },
    async () => {
      const paid = await pay();
      await paid.say();
      const wrong = [
        ",1,1,P1,1.00,0,0,1.00,2026-11-20,U",
        "capture,2,2,P2,ten,0,0,1.00,2026-11-20,U",
        "capture,3,3,P3,10.00,0.20,0.04,9.77,2026-11-20,U",
        "capture,4,4,P4,10.00,0.20,0.04,9.76,31-11-2026,U",
        settled(paid),
        settled(paid),
      ];
      const preview = await previewOf(fileOf(...wrong));
      expect(preview.wrong.map(({ line }) => line)).toEqual([2, 3, 4, 5, 7]);
      const refused = await importFile(fileOf(...wrong));
      expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining("Line 2")]);
      const before = await server.services.database.$count(settlementLines);
      const latin = Buffer.from(`${head}\ncapture,1,1,Bücher,1,0,0,1,2026-11-20,U`, "latin1").toString("base64");
      expect((await importFile(latin)).body.error).toContain("not written in UTF-8: line 2");
      const huge = await server.send(
        "admin/reconcile/import",
        { file: "A".repeat(50 * 1024 * 1024), name: "x" },
        asha.token,
      );
      expect([huge.status, huge.body.error]).toEqual([413, expect.stringContaining("at most")]);
      expect(await server.services.database.$count(settlementLines)).toBe(before);
    },
  );

  it.each([
    [
      "columns in another order and a foreign name",
      'UTR,settlement_date,NetAmount,ServiceTax,ServiceFee,Amount,txnid,requestId,mihpayid,action,more\nU,20-11-2026,"9,999.76",0.04,0.20,"10,000.00",P1,1,1,Capture,x',
    ],
  ])("may have %s", (_what, text) => {
    const { rows, errors } = readSettlementFile(Buffer.from(text), "2026-11-20");
    expect([errors, rows]).toMatchObject([[], [{ amountPaise: 1000000, netPaise: 999976, settledOn: "2026-11-20" }]]);
    const comma = readSettlementFile(Buffer.from(text.replace("9,999.76", "9999,76")), "2026-11-20");
    expect(comma).toMatchObject({ rows: [], errors: [{ error: expect.stringMatching(/^The net is no amount/) }] });
    const dayBefore = readSettlementFile(Buffer.from(text), "2026-11-19");
    expect(dayBefore).toMatchObject({ rows: [], errors: [{ line: 2, error: expect.stringContaining("is to come") }] });
  });
});

describe("what differs when a payment is confirmed", () => {
  it("is listed, and resolved once with a reason", async () => {
    const paid = await pay("1.00");
    await paid.say();
    const [finding] = await open("₹1.00 for an order");
    expect(finding).toMatchObject({ kind: "amount differs", who: "Kaveri Textiles" });
    const resolve = (reason: string) =>
      server.call("admin/reconcile/resolve", { id: finding?.id ?? "", reason }, asha.token);
    const both = await Promise.all([resolve("Called the bank"), resolve("Called the buyer")]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await open("₹1.00 for an order")).toEqual([]);
    const child = await member(server, "adminChild", { organisationId: asha.organisationId });
    const { body } = await server.call("admin/reconcile", { state: "resolved" }, child.token);
    expect(body.findings.find(({ id }) => id === finding?.id)?.resolved_by).toBe("Asha Rao");
    expect(
      (await server.call("admin/reconcile/resolve", { id: finding?.id ?? "", reason: "x" }, child.token)).status,
    ).toBe(403);
  });
  it("is a payment for nothing of ours, where the gateway signed it", async () => {
    const made = await quoteHolder(server);
    const form = (await made.start()).body;
    const foreign = { ...form, fields: { ...form.fields, txnid: "PFOREIGN1" } };
    const said = await sayByWebhook(server, answerTo(server, foreign));
    expect(said.status).toBe(403);
    await sayByWebhook(server, answerTo(server, foreign));
    expect(await open("PFOREIGN1")).toMatchObject([{ kind: "unknown payment" }]);
    await sayByWebhook(server, {
      ...answerTo(server, { ...form, fields: { ...form.fields, txnid: "PFORGED" } }),
      hash: "0",
    });
    expect(await open("PFORGED")).toEqual([]);
  });
});
