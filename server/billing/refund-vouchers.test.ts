import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { brand } from "../../contract/brand.ts";
import { financialYearOf, writtenDay } from "../../contract/india-time.ts";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { billingOf, giveBilling, letterOfSeller, sellerIs } from "../../tests/billing.ts";
import { readGstr1 } from "../../tests/gstr1-shape.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { bankOfTests, newUtr, transferBuyer } from "../../tests/transfers.ts";
import {
  creditNotes,
  eInvoices,
  invoices,
  ledgerEntries,
  rateLimits,
  receipts,
  refundVouchers,
  type ReceiptContent,
} from "../database/schema/index.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { findAdvances } from "./register-advances.ts";

const cin = "U72900KA2020PTC123456";
let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ env: { refundApprovalPaise: Number.MAX_SAFE_INTEGER } });
  admin = await member(server, "admin");
  await sellerIs(server, { bank: bankOfTests, creditDays: 30, cin, undertaking: letterOfSeller });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const db = () => server.services.database;
const today = () => writtenDay(server.services.now());
const record = (amount: string, pays: string, received_on = today()) =>
  server.call(
    "admin/transfers/record",
    { utr: newUtr(), received_on, payer: "Periyar", amount, pays, is_meant: true },
    admin.token,
  );

/** A day of an earlier month. Day 0 with one month `later` is that month's last day. */
function monthAgo(count: number, date: number, later = 0) {
  const [year = 0, month = 0] = today().split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 - count + later, date)).toISOString().slice(0, 10);
}

/** A proforma of which these parts have been paid. */
async function advancesOf(parts: readonly string[], received_on?: string) {
  const made = await transferBuyer(server);
  const { body } = await made.choose();
  // oxlint-disable-next-line no-await-in-loop -- in sequence
  for (const part of parts) await record(part, body.document, received_on);
  return { ...made, orderId: body.order_id, orderNumber: body.order_number, document: body.document, pay: body.pay };
}
async function giveBack(orderId: string, amount: string, paid_on = today()) {
  const id = randomUUID();
  await server.call("admin/refunds/ask", { id, payment: orderId, amount, reason: "Called off" }, admin.token);
  const paidOut = { id, bank_reference: newUtr(), paid_on, is_meant: true };
  expect((await server.call("admin/refunds/paid-out", paidOut, admin.token)).status).toBe(200);
  return paidOut;
}
const advancesBetween = async (ofOrder: string, from: string, to: string) =>
  (await db().transaction((transaction) => findAdvances(transaction, from, to))).filter(
    ({ orderNumber }) => orderNumber === ofOrder,
  );
const vouchersOf = (orderId: string) =>
  db().select().from(refundVouchers).where(eq(refundVouchers.orderId, orderId)).orderBy(refundVouchers.serial);
const receiptsOf = (orderId: string) =>
  db().select().from(receipts).where(eq(receipts.orderId, orderId)).orderBy(receipts.serial);

it("An advance that goes back has a voucher with what rules 50 and 51 ask for, in its PDF, in its mail and under Payments Due", async () => {
  const { orderId, person } = await advancesOf(["118.00"]);
  const { bank_reference } = await giveBack(orderId, "59.00");
  const mail = await server.mailbox.take(person.email, /refund voucher RF/);
  const [voucher] = await vouchersOf(orderId);
  const [receipt] = await receiptsOf(orderId);
  const year = financialYearOf(server.services.now());
  expect(voucher?.number).toMatch(new RegExp(`^RF/${year}/\\d{4}$`));
  expect(voucher?.number.length).toBeLessThanOrEqual(16);
  const { legalName, address, gstin } = billingOf.kerala;
  const parties = [brand.legalName, brand.gstin, cin, legalName, address, gstin, "998316", "Kerala (32)"];
  const said = [
    ...parties,
    "Refund voucher",
    voucher?.number,
    `${receipt?.number} of ${paperDay(today())}`,
    bank_reference,
    "Given back: advance for a security operations centre subscription",
    "IGST 18%",
    "50.00",
    "9.00",
    "59.00",
    "reverse charge: No",
    "This refund voucher",
  ];
  const pdf = await readPdf(new Uint8Array(mail.attachments[0]?.content as ArrayBuffer));
  for (const each of said) expect(pdf.text).toContain(each);
  expect(pdf).toMatchObject({ accessible: true, tagged: true });
  await expect
    .poll(async () => (await receiptsOf(orderId))[0]?.file, { message: "the receipt is made, too" })
    .toBeTruthy();
  const [made] = await receiptsOf(orderId);
  const advance = await readPdf(await server.services.files.read(made?.file ?? ""));
  for (const each of [...parties, "Receipt voucher", made?.number, "118.00", "18.00", "reverse charge: No"])
    expect(advance.text).toContain(each);
  const due = (await server.call("user/payments-due", {}, person.token)).body;
  const listed = due.transfers[0]?.refund_vouchers ?? [];
  expect(listed).toMatchObject([{ number: voucher?.number, amount: "59.00" }]);
  const file = { fileName: listed[0]?.pdf_url ?? "" };
  const { signedUrl } = (await server.call("user/get-signed-url", file, person.token)).body;
  const { pathname, search } = new URL(signedUrl);
  const fetched = await fetch(`${server.url}${pathname}${search}`);
  expect([fetched.status, fetched.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
  const other = await member(server, "user");
  expect((await server.call("user/get-signed-url", file, other.token)).status).toBe(404);
  expect(await db().$count(creditNotes)).toBe(0);
});

it("A refund that takes up two receipts has a voucher for each, the newest first, and all of them add up to the receipts", async () => {
  const { orderId } = await advancesOf(["100.01", "50.02"]);
  await giveBack(orderId, "60.03");
  await giveBack(orderId, "90.00");
  const [first, second] = await receiptsOf(orderId);
  const vouchers = (await vouchersOf(orderId)).map(({ content }) => content);
  expect(vouchers.map(({ receiptNumber, totalPaise }) => [receiptNumber, totalPaise])).toEqual([
    [second?.number, 50_02],
    [first?.number, 10_01],
    [first?.number, 90_00],
  ]);
  for (const receipt of [first, second]) {
    const own = vouchers.filter(({ receiptNumber }) => receiptNumber === receipt?.number);
    const sum = (of: (each: (typeof own)[number]) => number) => own.reduce((total, each) => total + of(each), 0);
    expect(sum(({ taxablePaise }) => taxablePaise)).toBe(receipt?.content.taxablePaise);
    expect(sum(({ taxes }) => taxes[0]?.amountPaise ?? 0)).toBe(receipt?.content.taxes[0]?.amountPaise);
  }
});

it("Vouchers have their numbers without a gap, however many go back at once, and are never changed", async () => {
  const orders = await Promise.all(Array.from({ length: 6 }, () => advancesOf(["10.00"])));
  await Promise.all(orders.map(({ orderId }) => giveBack(orderId, "10.00")));
  const rows = await db().select().from(refundVouchers).orderBy(refundVouchers.serial);
  expect(rows.map(({ serial }) => serial)).toEqual(rows.map((_, index) => index + 1));
  await expect(db().$client.query("update refund_vouchers set number = 'RF/1'")).rejects.toThrow("not changed");
  await expect(db().$client.query("delete from refund_vouchers")).rejects.toThrow("not changed");
});

it("What goes back after the invoice has a credit note and no voucher, also where it was asked for before", async () => {
  const { orderId, document, pay } = await advancesOf(["118.00"]);
  const id = randomUUID();
  await server.call("admin/refunds/ask", { id, payment: orderId, amount: "59.00", reason: "Called off" }, admin.token);
  await record(rupees(paiseFrom(pay) - 118_00), document);
  const paidOut = { id, bank_reference: newUtr(), paid_on: today() };
  expect((await server.call("admin/refunds/paid-out", paidOut, admin.token)).status).toBe(200);
  expect(await vouchersOf(orderId)).toEqual([]);
  expect(await db().$count(creditNotes, eq(creditNotes.cause, `refund:${id}`))).toBe(1);
});

it("What went back in a later month stands in that month's list of advances and among its documents, and in no table of advances", async () => {
  const { orderId } = await advancesOf(["118.00"], monthAgo(14, 5));
  await giveBack(orderId, "59.00", monthAgo(13, 7));
  const [voucher] = await vouchersOf(orderId);
  const register = async (count: number, format: "gstr1" | "advances") => {
    const of = { from: monthAgo(count, 1), to: monthAgo(count, 0, 1), format };
    return (await server.call("admin/register", of, admin.token)).body.text;
  };
  expect(readGstr1(await register(14, "gstr1")).at?.[0]?.itms).toEqual([{ rt: 18, ad_amt: 100, iamt: 18, csamt: 0 }]);
  expect(readGstr1(await register(13, "gstr1"))).not.toHaveProperty("at");
  expect(readGstr1(await register(13, "gstr1"))).not.toHaveProperty("txpd");
  const list = await register(13, "advances");
  expect(list).toContain(`Given back,${monthAgo(14, 5)},${voucher?.content.receiptNumber},`);
  expect(list).toContain(`,${voucher?.number},${monthAgo(13, 7)},`);
  expect(list).toContain(",-50,18,-9,0,0,-59,O-");
  // Its number belongs to its day of issue.
  const { doc_issue } = readGstr1(await register(0, "gstr1"));
  const vouchers = await db().select().from(refundVouchers).orderBy(refundVouchers.serial);
  expect(doc_issue?.doc_det.find(({ doc_num }) => doc_num === 8)?.docs).toEqual([
    {
      num: 1,
      from: vouchers[0]?.number,
      to: vouchers.at(-1)?.number,
      totnum: vouchers.length,
      cancel: 0,
      net_issue: vouchers.length,
    },
  ]);
});

it("A day in a month that is over has to be confirmed before an advance leaves that month's return by it", async () => {
  const { orderId, orderNumber: ofOrder } = await advancesOf(["118.00"], monthAgo(1, 5));
  const month = [monthAgo(1, 1), monthAgo(1, 0, 1)] as const;
  const id = randomUUID();
  await server.call("admin/refunds/ask", { id, payment: orderId, amount: "118.00", reason: "Called off" }, admin.token);
  const typed = { id, bank_reference: newUtr(), paid_on: month[1] };
  const asked = await server.call("admin/refunds/paid-out", typed, admin.token);
  expect([asked.status, asked.body.fields, asked.body.error]).toEqual([
    409,
    { is_meant: "Please confirm the day" },
    expect.stringContaining(`${paperDay(month[1])} lies in a month that is over`),
  ]);
  expect((await advancesBetween(ofOrder, ...month)).map(({ totalPaise }) => totalPaise)).toEqual([118_00]);
  expect(await vouchersOf(orderId)).toEqual([]);
  expect((await server.call("admin/refunds/paid-out", { ...typed, is_meant: true }, admin.token)).status).toBe(200);
  expect(await advancesBetween(ofOrder, ...month)).toEqual([]);
  // Once noted, the same call is no longer asked about, and makes no second voucher.
  expect((await server.call("admin/refunds/paid-out", typed, admin.token)).status).toBe(200);
  expect(await vouchersOf(orderId)).toHaveLength(1);
});

const buyers = {
  kerala: { billingKind: "registered", gstin: billingOf.kerala.gstin, billingState: "32" },
  karnataka: { billingKind: "registered", gstin: "29AAGCG6253J1Z8", billingState: "29" },
  abroad: { billingKind: "abroad", gstin: null, billingState: null, billingCountry: "AE" },
} as const;
type Buyer = keyof typeof buyers;
const taxedIn = ({
  treatment,
  placeOfSupply,
  taxes,
}: Pick<ReceiptContent, "treatment" | "placeOfSupply" | "taxes">) => ({
  treatment,
  placeOfSupply,
  taxes: taxes.map(({ name, amountPaise }) => [name, amountPaise]),
});
/** The tax treatment of each buyer, and the tax on an advance of 118 rupees. */
const taxedAs: Record<Buyer, ReturnType<typeof taxedIn>> = {
  kerala: { treatment: "to another state", placeOfSupply: "32", taxes: [["IGST", 18_00]] },
  karnataka: {
    treatment: "within the state",
    placeOfSupply: "29",
    taxes: [
      ["CGST", 9_00],
      ["SGST", 9_00],
    ],
  },
  abroad: { treatment: "export under undertaking", placeOfSupply: "96", taxes: [] },
};

it.each<[Buyer, Buyer]>([
  ["kerala", "karnataka"],
  ["karnataka", "kerala"],
  ["abroad", "kerala"],
  ["kerala", "abroad"],
])(
  "An advance that comes anew after the billing details have changed from %s to %s is taxed as they are now, and the one that went back as it was",
  async (before, after) => {
    const made = await transferBuyer(server);
    const chooseAs = async (kind: Buyer) => {
      await giveBilling(server, made.person.email, buyers[kind]);
      const { estimation } = (await server.call("user/get-estimation", {}, made.person.token)).body;
      const amount = estimation.find(({ id }) => id === made.quote.id)?.tax?.total ?? "";
      return (await made.choose({ amount, takeOver: true })).body;
    };
    const first = await chooseAs(before);
    const { order_id: orderId } = first;
    await record("118.00", first.document, monthAgo(8, 5));
    await giveBack(orderId, "118.00", monthAgo(7, 5));
    const { document, pay } = await chooseAs(after);
    await record("118.00", document, monthAgo(6, 5));
    const said = (await receiptsOf(orderId)).map(({ content }) => taxedIn(content));
    expect(said).toEqual([taxedAs[before], taxedAs[after]]);
    // When part of an advance goes back, the rest stays: with later payments it adds up to the invoice, to the paisa.
    await record("50.02", document, monthAgo(6, 5));
    await giveBack(orderId, "60.03", monthAgo(6, 6));
    await record("0.07", document, monthAgo(6, 7));
    const rest = rupees(paiseFrom(pay) - 108_06);
    expect((await record(rest, document, monthAgo(6, 8))).body.message).toMatch(/is paid/);
    const advancesIn = (from: string, to: string) => advancesBetween(first.order_number, from, to);
    for (const ago of [8, 7])
      // oxlint-disable-next-line no-await-in-loop -- one month at a time
      expect((await advancesIn(monthAgo(ago, 1), monthAgo(ago, 0, 1))).map(taxedIn)).toEqual([taxedAs[before]]);
    const adjusted = await advancesIn(monthAgo(0, 1), today());
    const [invoice] = await db().select().from(invoices).where(eq(invoices.orderId, orderId));
    const sum = (of: (each: (typeof adjusted)[number]) => number) => adjusted.reduce((all, each) => all + of(each), 0);
    expect(invoice?.content.taxes.map(({ name }) => name)).toEqual(taxedAs[after].taxes.map(([name]) => name));
    for (const { name, amountPaise } of invoice?.content.taxes ?? [])
      expect(sum(({ taxes }) => taxes.find((tax) => tax.name === name)?.amountPaise ?? 0)).toBe(amountPaise);
    expect(sum(({ taxablePaise }) => taxablePaise)).toBe(invoice?.content.taxablePaise);
    expect(sum(({ totalPaise }) => totalPaise)).toBe(invoice?.content.totalPaise);
  },
);

/** An order paid in these parts and a last one, whose invoice was cancelled at the portal. */
async function cancelledOf(parts: readonly string[], received_on: string) {
  const made = await advancesOf(parts, received_on);
  const partsPaise = parts.reduce((sum, part) => sum + paiseFrom(part), 0);
  const restPaise = paiseFrom(made.pay) - partsPaise;
  expect((await record(rupees(restPaise), made.document, received_on)).body.message).toMatch(/is paid/);
  const [invoice] = await db().select().from(invoices).where(eq(invoices.orderId, made.orderId));
  const at = server.services.now();
  await db()
    .insert(eInvoices)
    .values({
      invoiceId: invoice?.id ?? "",
      number: invoice?.number ?? "",
      state: "cancelled",
      dueAt: at,
      irn: randomUUID().replaceAll("-", "").padEnd(64, "0"),
      ackNumber: "1",
      ackAt: at,
      signedQr: "q",
      signedInvoice: "i",
      cancelledAt: at,
    });
  const total = invoice?.content.totalPaise ?? 0;
  await db()
    .insert(ledgerEntries)
    .values({
      orderId: made.orderId,
      kind: "invoice cancelled",
      eventId: invoice?.id ?? "",
      amountPaise: -total,
      about: "Cancelled",
      at,
    });
  const advances = async (from: string, to: string) =>
    (await advancesBetween(made.orderNumber, from, to)).map(({ kind, totalPaise, receiptNumber, refundVoucher }) => ({
      kind,
      totalPaise,
      receiptNumber,
      refundVoucher,
    }));
  return { ...made, restPaise, total, advances, invoiceId: invoice?.id ?? "" };
}

it("What paid an invoice that was cancelled counts for nothing once it went back in its month", async () => {
  const fifth = monthAgo(20, 5);
  const { orderId, invoiceId, advances, restPaise, total } = await cancelledOf(["118.00"], fifth);
  const month = [monthAgo(20, 1), monthAgo(20, 0, 1)] as const;
  expect((await advances(...month)).map(({ kind, totalPaise }) => [kind, totalPaise])).toEqual([
    ["received", 118_00],
    ["received", restPaise],
  ]);
  await giveBack(orderId, rupees(total), fifth);
  expect(await advances(...month)).toEqual([]);
  expect(await advances(monthAgo(20, 1), today())).toEqual([]);
  // The part with a receipt has exactly one voucher.
  const [receipt] = await receiptsOf(orderId);
  expect((await vouchersOf(orderId)).map(({ content }) => [content.receiptNumber, content.totalPaise])).toEqual([
    [receipt?.number, 118_00],
  ]);
  expect(await db().$count(creditNotes, eq(creditNotes.invoiceId, invoiceId))).toBe(0);
});

it("What paid an invoice that was cancelled and went back in a later month is a line below zero there, what came on top none", async () => {
  const { orderId, advances, document, restPaise, total } = await cancelledOf(["118.00"], monthAgo(18, 5));
  await record("50.00", document, monthAgo(18, 6));
  const later = monthAgo(17, 7);
  const of17 = [monthAgo(17, 1), monthAgo(17, 0, 1)] as const;
  await giveBack(orderId, "50.00", later);
  expect([await advances(...of17), await vouchersOf(orderId)]).toEqual([[], []]);
  await giveBack(orderId, rupees(total), later);
  const [voucher] = await vouchersOf(orderId);
  expect(voucher?.content.totalPaise).toBe(118_00);
  expect(await advances(...of17)).toEqual([
    {
      kind: "given back",
      totalPaise: 118_00,
      receiptNumber: voucher?.content.receiptNumber,
      refundVoucher: expect.objectContaining({ number: voucher?.number, paidOn: later }),
    },
    {
      kind: "given back",
      totalPaise: restPaise,
      receiptNumber: null,
      refundVoucher: expect.objectContaining({ number: null, paidOn: later }),
    },
  ]);
  const both = await advances(monthAgo(18, 1), monthAgo(17, 0, 1));
  const sum = both.reduce((all, { kind, totalPaise }) => all + (kind === "received" ? totalPaise : -totalPaise), 0);
  expect([both.length, sum]).toEqual([4, 0]);
});

it("What comes on top after a part went back changes nothing of the month in which it did", async () => {
  const { orderId, advances, document, restPaise } = await cancelledOf(["118.00"], monthAgo(14, 5));
  const [of14, of13] = [
    [monthAgo(14, 1), monthAgo(14, 0, 1)],
    [monthAgo(13, 1), monthAgo(13, 0, 1)],
  ] as const;
  await giveBack(orderId, "40.00", monthAgo(14, 10));
  const filed = await advances(...of14);
  expect(filed.reduce((sum, { totalPaise }) => sum + totalPaise, 0)).toBe(118_00 + restPaise - 40_00);
  await record("40.00", document, monthAgo(13, 3));
  expect(await advances(...of14)).toEqual(filed);
  await giveBack(orderId, "40.00", monthAgo(13, 5));
  expect([await advances(...of14), await advances(...of13)]).toEqual([filed, []]);
});

it("An export over several months adds up to what is held, also where a part went back and the rest was invoiced within it", async () => {
  const { orderId, orderNumber, document, pay } = await advancesOf(["118.00"], monthAgo(16, 5));
  await giveBack(orderId, "40.00", monthAgo(15, 5));
  expect((await record(rupees(paiseFrom(pay) - 78_00), document, monthAgo(15, 8))).body.message).toMatch(/is paid/);
  const own = await advancesBetween(orderNumber, monthAgo(16, 1), today());
  const sign = { received: 1, adjusted: -1, "given back": -1 };
  expect(own.map(({ kind, totalPaise }) => sign[kind] * totalPaise)).toEqual([40_00, -40_00]);
  const sumOf = (of: (advance: (typeof own)[number]) => number) =>
    own.reduce((sum, advance) => sum + sign[advance.kind] * of(advance), 0);
  expect([sumOf(({ taxablePaise }) => taxablePaise), sumOf(({ taxes }) => taxes[0]?.amountPaise ?? 0)]).toEqual([0, 0]);
});
