import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writtenDay } from "../../contract/india-time.ts";
import { formatRupees, paiseFrom, rupees } from "../../contract/money.ts";
import { sellerIs } from "../../tests/billing.ts";
import { invoicesOf, orderOf } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { bankOfTests, newUtr, transferBuyer } from "../../tests/transfers.ts";
import { rateLimits } from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ env: { refundApprovalPaise: Number.MAX_SAFE_INTEGER } });
  admin = await member(server, "admin");
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const deducts = { section: "194J", percent: 10 };

/** Records a transfer of this sum on this day. Answers its bank reference. */
async function came(paise: number, pays: string, received_on = "2026-01-02") {
  const utr = newUtr();
  const transfer = { utr, received_on, payer: "Periyar Spices", amount: rupees(paise), pays, is_meant: true };
  expect((await server.call("admin/transfers/record", transfer, admin.token)).status).toBe(200);
  return utr;
}

/**
 * Everything that names the payments of a quote's order: the stored content, the document, the mail and both registers.
 */
async function toldOf({ person, quote }: Awaited<ReturnType<typeof transferBuyer>>) {
  const mail = await server.mailbox.take(person.email, /payment and invoice/);
  const [invoice] = await invoicesOf(server, quote.id);
  const today = writtenDay(server.services.now());
  const register = async (format: "csv" | "tally") => {
    const { body } = await server.call("admin/register", { from: today, to: today, format }, admin.token);
    return body.text;
  };
  const number = invoice?.number ?? "";
  return {
    content: invoice?.content,
    paper: (await readPdf(await server.services.files.read(invoice?.file ?? ""))).text,
    mail: mail.text ?? "",
    csv: (await register("csv")).split("\r\n").find((line) => line.includes(number)) ?? "",
    tally: (await register("tally")).split("<VOUCHER ").find((voucher) => voucher.includes(number)) ?? "",
  };
}

async function giveBack(orderId: string, paise: number) {
  const id = randomUUID();
  const asked = { id, payment: orderId, amount: rupees(paise), reason: "Called off" };
  await server.call("admin/refunds/ask", asked, admin.token);
  const paidOut = { id, bank_reference: newUtr(), paid_on: writtenDay(server.services.now()) };
  expect((await server.call("admin/refunds/paid-out", paidOut, admin.token)).status).toBe(200);
}

describe("An order that several transfers paid", () => {
  it("names each of them with its day and its sum on the invoice, and all in mail and registers", async () => {
    const made = await transferBuyer(server);
    const { body } = await made.choose({ deducts });
    const payPaise = paiseFrom(body.pay);
    const [first, second, third] = [
      await came(333_33, body.document, "2026-01-03"),
      // Recorded after the one that it preceded.
      await came(444_44, body.document, "2026-01-02"),
      await came(payPaise - 777_77, body.document, "2026-01-05"),
    ];
    const { content, paper, mail, csv, tally } = await toldOf(made);
    const all = [second, first, third].join(", ");
    expect(content).toMatchObject({
      paymentId: third,
      transfers: [
        { utr: second, receivedOn: "2026-01-02", amountPaise: 444_44, paysPaise: 444_44 },
        { utr: first, receivedOn: "2026-01-03", amountPaise: 333_33, paysPaise: 333_33 },
        { utr: third, receivedOn: "2026-01-05", amountPaise: payPaise - 777_77, paysPaise: payPaise - 777_77 },
      ],
    });
    expect(paper).toContain(
      `Paid by the transfers ${second} of ₹444.44 on 2 January 2026, ${first} of ₹333.33 on 3 January 2026 and ${third} of ${formatRupees(payPaise - 777_77)} on 5 January 2026, without the tax that the recipient deducts.`,
    );
    expect(paper).toContain(`Payment ids ${all}`);
    expect(mail).toMatch(new RegExp(`Payment:? +${all}`));
    expect(csv).toContain(`"${all}"`);
    expect(tally).toContain(`<NARRATION>${body.order_number}, ${all}</NARRATION>`);
    // For search and comparison, the reference is that of the transfer that completed the payment.
    expect((await orderOf(server, made.quote.id))?.paymentId).toBe(third);
  });

  it("names those before a rest that is taken as deducted tax", async () => {
    const made = await transferBuyer(server);
    const { body } = await made.choose();
    const order = await orderOf(server, made.quote.id);
    const kept = Math.round((order?.tax?.taxablePaise ?? 0) / 10);
    const utrs = [await came(500_00, body.document), await came(paiseFrom(body.pay) - 500_00 - kept, body.document)];
    expect((await made.choose({ deducts })).status).toBe(200);
    const { content, paper } = await toldOf(made);
    expect(content?.transfers?.map(({ utr }) => utr)).toEqual(utrs);
    expect(paper).toMatch(/Paid by the transfers .*, without the tax that the recipient deducts\./);
  });

  it("names what of them pays it, where a part went back before or more came than was to be paid", async () => {
    const made = await transferBuyer(server);
    const { body } = await made.choose();
    const payPaise = paiseFrom(body.pay);
    const first = await came(500_00, body.document);
    const back = await came(200_00, body.document);
    // The newest is returned first: all of it, and a part of the one before.
    await giveBack(body.order_id, 300_00);
    const last = await came(payPaise - 400_00 + 50_00, body.reference, "2026-01-09");
    const { content, paper, mail } = await toldOf(made);
    expect(content?.transfers).toEqual([
      { utr: first, receivedOn: "2026-01-02", amountPaise: 500_00, paysPaise: 400_00 },
      { utr: last, receivedOn: "2026-01-09", amountPaise: payPaise - 350_00, paysPaise: payPaise - 400_00 },
    ]);
    expect(paper).toContain(
      `Paid in full by the transfers ${first} of ₹500.00 on 2 January 2026 (₹400.00 of it for this invoice) and ${last} of ${formatRupees(payPaise - 350_00)} on 9 January 2026 (${formatRupees(payPaise - 400_00)} of it for this invoice).`,
    );
    for (const text of [paper, mail]) expect(text).not.toContain(back);
  });
});

it("An order that one transfer paid names its reference alone", async () => {
  const made = await transferBuyer(server);
  const { body } = await made.choose();
  const utr = await came(paiseFrom(body.pay), body.document);
  const { paper, mail, tally } = await toldOf(made);
  expect(paper).toContain(`Paid in full; payment id ${utr}.`);
  expect(paper).toContain(`Payment id ${utr}`);
  expect(mail).toMatch(new RegExp(`Payment:? +${utr}`));
  expect(tally).toContain(`<NARRATION>${body.order_number}, ${utr}</NARRATION>`);
});
