import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { brand, shippedBrand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { shippedTexts } from "../../contract/site-texts.ts";
import { paiseFrom, rupees } from "../../contract/money.ts";
import type { RegisterFormat } from "../../contract/registers.ts";
import { giveBilling, letterOfSeller, sellerIs, billingOf } from "../../tests/billing.ts";
import { invoicesOf } from "../../tests/buyer.ts";
import { readGstr1 } from "../../tests/gstr1-shape.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { sellOrder } from "../../tests/sold-order.ts";
import { bankOfTests, newUtr, transferBuyer } from "../../tests/transfers.ts";
import { eInvoices, type organisations } from "../database/schema/index.ts";
import { issueCreditNote } from "./credit-notes.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
  await sellerIs(server, { undertaking: letterOfSeller, bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());

const abroad = { billingKind: "abroad", billingCountry: "AE", billingState: null } as const;
const zone = { billingKind: "sez", gstin: billingOf.sez.gstin, billingState: "32" } as const;
const kerala = { billingKind: "registered", gstin: billingOf.kerala.gstin, billingState: "32" } as const;

/** A paid order of this sum on this day, taxed by its buyer's details. Answers its id. */
async function sold(over: Partial<typeof organisations.$inferInsert>, taxablePaise: number, instant: string) {
  const buyer = await member(server, "user");
  await giveBilling(server, buyer.email, { legalName: "=Kaveri & Sons", ...over });
  const gstPaise = Math.round(taxablePaise * 0.18);
  const sums = { subtotalPaise: taxablePaise, discountPaise: 0, gstPaise, totalPaise: taxablePaise + gstPaise };
  const { order } = await sellOrder(server, buyer, { ...sums, gstBasisPoints: 1800 }, new Date(instant));
  return order.id;
}

const credited = (orderId: string, amountPaise: number, instant: string) =>
  server.services.database.transaction((transaction) =>
    issueCreditNote({ ...server.services, now: () => new Date(instant) }, transaction, {
      orderId,
      amountPaise,
      reason: "Fewer devices",
    }),
  );

const ask = async (format: RegisterFormat, month = "2031-05", last = "31") =>
  (await server.call("admin/register", { from: `${month}-01`, to: `${month}-${last}`, format }, admin.token)).body;

it("The registers of a month hold what was issued in it in India, each document in the table that the return has for it", async () => {
  const first = await sold(kerala, 1_000_000, "2031-04-30T18:30:00Z");
  await sold(zone, 2_000_000, "2031-05-02T06:00:00Z");
  const exported = await sold(abroad, 3_000_000, "2031-05-03T06:00:00Z");
  const large = await sold({ billingState: "27" }, 10_000_000, "2031-05-04T06:00:00Z");
  await sold({ billingState: "27" }, 400_000, "2031-05-05T06:00:00Z");
  const small = await sold({}, 500_000, "2031-05-06T06:00:00Z");
  await sold({}, 700_000, "2031-05-31T18:29:59Z");
  // In the next month.
  await sold({}, 900_000, "2031-05-31T18:30:00Z");
  await credited(first, 118_000, "2031-05-10T06:00:00Z");
  await credited(exported, 300_000, "2031-05-11T06:00:00Z");
  await credited(large, 1_180_000, "2031-05-12T06:00:00Z");
  await credited(small, 59_000, "2031-05-13T06:00:00Z");

  const { text, invoices, creditNotes, fileName } = await ask("gstr1");
  expect({ invoices, creditNotes, fileName }).toEqual({
    invoices: 7,
    creditNotes: 4,
    fileName: "register-2031-05-01-2031-05-31.gstr1.json",
  });
  const item = (txval: number, iamt: number, rt = 18) => ({ rt, txval, iamt, csamt: 0 });
  expect(readGstr1(text)).toEqual({
    gstin: "29ABCDE1234F1ZW",
    fp: "052031",
    b2b: [
      {
        ctin: kerala.gstin,
        inv: [
          {
            inum: "SOC/31-32/000001",
            idt: "01-05-2031",
            val: 11_800,
            pos: "32",
            rchrg: "N",
            inv_typ: "R",
            itms: [{ num: 1, itm_det: item(10_000, 1800) }],
          },
          {
            inum: "SOC/31-32/000002",
            idt: "02-05-2031",
            val: 23_600,
            pos: "32",
            rchrg: "N",
            inv_typ: "SEWP",
            itms: [{ num: 1, itm_det: item(20_000, 3600) }],
          },
        ],
      },
    ],
    b2cl: [
      {
        pos: "27",
        inv: [
          {
            inum: "SOC/31-32/000004",
            idt: "04-05-2031",
            val: 118_000,
            itms: [{ num: 1, itm_det: item(100_000, 18_000) }],
          },
        ],
      },
    ],
    exp: [
      {
        exp_typ: "WOPAY",
        inv: [{ inum: "SOC/31-32/000003", idt: "03-05-2031", val: 30_000, itms: [item(30_000, 0, 0)] }],
      },
    ],
    b2cs: [
      { sply_ty: "INTER", typ: "OE", pos: "27", ...item(4000, 720) },
      { sply_ty: "INTRA", typ: "OE", pos: "29", rt: 18, txval: 11_500, camt: 1035, samt: 1035, csamt: 0 },
    ],
    cdnr: [
      {
        ctin: kerala.gstin,
        nt: [
          {
            ntty: "C",
            nt_num: "CN/31-32/00001",
            nt_dt: "10-05-2031",
            val: 1180,
            pos: "32",
            rchrg: "N",
            inv_typ: "R",
            itms: [{ num: 1, itm_det: item(1000, 180) }],
          },
        ],
      },
    ],
    cdnur: [
      {
        typ: "B2CL",
        ntty: "C",
        nt_num: "CN/31-32/00003",
        nt_dt: "12-05-2031",
        val: 11_800,
        pos: "27",
        itms: [{ num: 1, itm_det: item(10_000, 1800) }],
      },
      {
        typ: "EXPWOP",
        ntty: "C",
        nt_num: "CN/31-32/00002",
        nt_dt: "11-05-2031",
        val: 3000,
        itms: [{ num: 1, itm_det: item(3000, 0, 0) }],
      },
    ],
    hsn: {
      hsn_b2b: [
        { num: 1, hsn_sc: "998316", uqc: "NA", qty: 0, rt: 18, txval: 29_000, iamt: 5220, camt: 0, samt: 0, csamt: 0 },
      ],
      hsn_b2c: [
        { num: 1, hsn_sc: "998316", uqc: "NA", qty: 0, rt: 0, txval: 27_000, iamt: 0, camt: 0, samt: 0, csamt: 0 },
        {
          num: 2,
          hsn_sc: "998316",
          uqc: "NA",
          qty: 0,
          rt: 18,
          txval: 105_500,
          iamt: 16_920,
          camt: 1035,
          samt: 1035,
          csamt: 0,
        },
      ],
    },
    doc_issue: {
      doc_det: [
        {
          doc_num: 1,
          docs: [{ num: 1, from: "SOC/31-32/000001", to: "SOC/31-32/000007", totnum: 7, cancel: 0, net_issue: 7 }],
        },
        {
          doc_num: 5,
          docs: [{ num: 1, from: "CN/31-32/00001", to: "CN/31-32/00004", totnum: 4, cancel: 0, net_issue: 4 }],
        },
      ],
    },
  });

  const lines = (await ask("csv")).text.trim().split("\r\n");
  expect(lines).toHaveLength(12);
  expect(lines[1]).toContain("Tax invoice,SOC/31-32/000001,2031-05-01,,'=Kaveri & Sons,32AAGCB7383J1ZH");
  expect(lines[1]).toContain(",to another state,998316,10000,18,1800,0,0,0,11800,No,O-");
  expect(lines[8]).toContain("Credit note,CN/31-32/00001,2031-05-10,SOC/31-32/000001");
  expect(lines[8]).toContain(",-1000,18,-180,0,0,0,-1180,No,O-");

  const { text: xml } = await ask("tally");
  expect(xml.match(/<VOUCHER /g)).toHaveLength(11);
  expect(xml).toContain("<PARTYLEDGERNAME>=Kaveri &amp; Sons</PARTYLEDGERNAME>");
  // Debits and credits of each voucher cancel out.
  for (const voucher of xml.split("<VOUCHER ").slice(1)) {
    const amounts = [...voucher.matchAll(/<AMOUNT>(-?[\d.]+)<\/AMOUNT>/g)].map(([, amount]) =>
      Math.round(Number(amount) * 100),
    );
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(0);
  }
});

it("A return is of one whole month; any period is at most a year; an empty one is empty", async () => {
  const refused = async (from: string, to: string, format: RegisterFormat) => {
    const { status, body } = await server.send("admin/register", { from, to, format }, admin.token);
    return [status, Object.keys((body["fields"] as object | undefined) ?? {})];
  };
  expect(await refused("2031-05-01", "2031-05-30", "gstr1")).toEqual([422, ["to"]]);
  expect(await refused("2031-05-02", "2031-05-31", "gstr1")).toEqual([422, ["to"]]);
  expect(await refused("2031-05-02", "2031-05-01", "csv")).toEqual([422, ["to"]]);
  expect(await refused("2031-05-01", "2032-05-01", "csv")).toEqual([422, ["to"]]);
  expect(readGstr1((await ask("gstr1", "2031-02", "28")).text)).toEqual({ gstin: "29ABCDE1234F1ZW", fp: "022031" });
  expect((await ask("csv", "2031-02", "28")).text.trim().split("\r\n")).toHaveLength(1);
});

it("A return has the GSTIN of its documents, and a month with two of them says where to find which is which", async () => {
  await sold(kerala, 100_000, "2031-07-05T06:00:00Z");
  const moved = billingOf.kerala.gstin;
  const content = { ...shippedTexts.brand, gstin: moved };
  await server.send("admin/settings/save", { section: "brand", content, version: 0 }, admin.token);
  await vi.waitUntil(() => brand.gstin === moved);
  onTestFinished(async () => {
    await server.call("admin/settings/restore", { section: "brand", version: 1, to: 0 }, admin.token);
    await vi.waitUntil(() => brand.gstin === shippedBrand.gstin);
  });
  expect(readGstr1((await ask("gstr1", "2031-07")).text)).toMatchObject({ gstin: shippedBrand.gstin });

  await sold({}, 200_000, "2031-07-06T06:00:00Z");
  const period = { from: "2031-07-01", to: "2031-07-31", format: "gstr1" };
  const refused = await server.send("admin/register", period, admin.token);
  expect([refused.status, refused.body["error"]]).toEqual([
    422,
    `Your documents of this month have the GSTINs ${shippedBrand.gstin} and ${moved}, and each has a return of its own: please take the register as CSV, whose last column says which is which`,
  ]);
  const lines = (await ask("csv", "2031-07")).text.trim().split("\r\n");
  expect(lines.map((line) => line.split(",").at(-1))).toEqual(["Supplier GSTIN", shippedBrand.gstin, moved]);
});

it("What came before its invoice is received in its month and adjusted in that of the invoice, to the paisa", async () => {
  const [year = 0, thisMonth = 0] = writtenDay(server.services.now()).split("-").map(Number);
  /** The first, the last and the fifth day of the month `count` months ago. */
  const monthAgo = (count: number) => {
    const day = (date: number, later = 0) =>
      new Date(Date.UTC(year, thisMonth - 1 - count + later, date)).toISOString().slice(0, 10);
    return { from: day(1), to: day(0, 1), fifth: day(5) };
  };
  const record = (pays: string, amount: string, received_on: string) =>
    server.call(
      "admin/transfers/record",
      { utr: newUtr(), payer: "Periyar", pays, amount, received_on, is_meant: true },
      admin.token,
    );
  const register = async (count: number, format: RegisterFormat) => {
    const { from, to } = monthAgo(count);
    return (await server.call("admin/register", { from, to, format }, admin.token)).body;
  };
  const whole = await transferBuyer(server);
  const { body: proforma } = await whole.choose();
  const open = await transferBuyer(server);
  const { body: unpaid } = await open.choose();
  await record(proforma.document, "118.00", monthAgo(3).fifth);
  await record(unpaid.document, "59.00", monthAgo(2).fifth);
  await record(unpaid.document, "59.00", monthAgo(2).fifth);
  const rest = rupees(paiseFrom(proforma.pay) - 118_00);
  expect((await record(proforma.document, rest, monthAgo(2).fifth)).body.message).toMatch(/is paid/);
  // One of the two goes back within its month, and is then left out.
  const id = randomUUID();
  const back = { id, payment: unpaid.order_id, amount: "59.00", reason: "Sent twice" };
  await server.call("admin/refunds/ask", back, admin.token);
  const paidOut = { id, bank_reference: newUtr(), paid_on: monthAgo(2).fifth, is_meant: true };
  expect((await server.call("admin/refunds/paid-out", paidOut, admin.token)).status).toBe(200);

  const [invoice] = await invoicesOf(server, whole.quote.id);
  const { taxablePaise = 0, taxes = [] } = invoice?.content ?? {};
  const row = (ad_amt: number, iamt: number) => [
    { pos: "32", sply_ty: "INTER", itms: [{ rt: 18, ad_amt, iamt, csamt: 0 }] },
  ];
  const first = readGstr1((await register(3, "gstr1")).text);
  expect(first.at).toEqual(row(100, 18));
  expect(first.txpd).toBeUndefined();
  const second = readGstr1((await register(2, "gstr1")).text);
  const taxPaise = taxes[0]?.amountPaise ?? 0;
  expect(second.at).toEqual(row((taxablePaise - 10_000 + 5_000) / 100, (taxPaise - 1_800 + 900) / 100));
  const now = readGstr1((await register(0, "gstr1")).text);
  expect(now.txpd).toEqual(row(taxablePaise / 100, taxPaise / 100));
  expect(now.at).toBeUndefined();
  expect(now.doc_issue?.doc_det.map(({ doc_num }) => doc_num)).toEqual([1, 6, 8]);

  const { text, advances } = await register(0, "advances");
  expect(advances).toBe(2);
  expect(text).toContain(`Adjusted,${monthAgo(3).fifth},RV/`);
  expect(text).toContain(`,${invoice?.number},`);
  expect(text).toContain(",32,to another state,-100,18,-18,0,0,-118,O-");
  // An advance that came and was invoiced within the period is in the invoice alone.
  const { from } = monthAgo(3);
  const long = { from, to: monthAgo(0).to, format: "advances" as const };
  expect((await server.call("admin/register", long, admin.token)).body.advances).toBe(1);
});

it("An invoice that was cancelled has taken up no advance: it stays received until another one does", async () => {
  const { choose, quote } = await transferBuyer(server);
  const { body: proforma } = await choose();
  const record = (amount: string) =>
    server.call(
      "admin/transfers/record",
      { utr: newUtr(), payer: "Periyar", pays: proforma.document, amount, received_on: "2024-09-05", is_meant: true },
      admin.token,
    );
  await record("118.00");
  await record(rupees(paiseFrom(proforma.pay) - 118_00));
  const [invoice] = await invoicesOf(server, quote.id);
  const at = server.services.now();
  const day = writtenDay(at);
  const taken = async () => {
    const month = { from: `${day.slice(0, 8)}01`, to: day, format: "advances" as const };
    return (await server.call("admin/register", month, admin.token)).body.text.includes(String(invoice?.number));
  };
  expect(await taken()).toBe(true);
  const { id: invoiceId = "", number = "" } = invoice ?? {};
  await server.services.database.insert(eInvoices).values({
    invoiceId,
    number,
    state: "cancelled",
    dueAt: at,
    irn: "a".repeat(64),
    ackNumber: "1",
    ackAt: at,
    signedQr: "q",
    signedInvoice: "i",
    cancelledAt: at,
  });
  expect(await taken()).toBe(false);
  expect(readGstr1((await ask("gstr1", "2024-09", "30")).text).at).toHaveLength(1);
});

it("Advances to a special economic zone in the seller's own state stand beside those within the state, each with its tax", async () => {
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
  const receivedOn = "2025-07-05";
  for (const billingKind of ["sez", "registered"] as const) {
    const buyer = await transferBuyer(server);
    await giveBilling(server, buyer.person.email, { billingKind, gstin: "29AAGCB7383J1Z4", billingState: "29" });
    const { document } = (await buyer.choose()).body;
    const record = {
      utr: newUtr(),
      payer: "Nila",
      pays: document,
      amount: "118.00",
      received_on: receivedOn,
      is_meant: true,
    };
    expect((await server.call("admin/transfers/record", record, admin.token)).status).toBe(200);
  }
  const { text } = await ask("gstr1", "2025-07");
  const item = { rt: 18, ad_amt: 100, csamt: 0 };
  expect(readGstr1(text).at).toEqual([
    { pos: "29", sply_ty: "INTER", itms: [{ ...item, iamt: 18 }] },
    { pos: "29", sply_ty: "INTRA", itms: [{ ...item, camt: 9, samt: 9 }] },
  ]);
});

it("A register of many documents has each of them once, in their order, and one of more than fit says what to do", async () => {
  const { database } = server.services;
  await credited(await sold(kerala, 1_000_000, "2033-05-01T06:00:00Z"), 118_000, "2033-05-01T07:00:00Z");
  // With the existing one, one more than fits; about half are dated the 16th.
  const [onFirst, onSixteenth] = [10_000, limits.registerDocumentsMax - 10_001];
  await database.execute(sql`insert into credit_notes
      (invoice_id, financial_year, serial, number, amount_paise, content, issued_at)
    select invoice_id, financial_year, 1 + n, 'CN/33-34/' || lpad((1 + n)::text, 5, '0'), amount_paise, content,
      issued_at + case when n > ${onFirst}::int then interval '15 days' else interval '0' end
    from credit_notes, generate_series(1, ${onFirst + onSixteenth}::int) as n where number = 'CN/33-34/00001'`);
  const take = (from: string, to: string, format: RegisterFormat) =>
    server.call("admin/register", { from: `2033-05-${from}`, to: `2033-05-${to}`, format }, admin.token);

  const first = await take("01", "15", "csv");
  const numbers = Array.from(
    { length: first.body.creditNotes },
    (_, index) => `CN/33-34/${String(index + 1).padStart(5, "0")}`,
  );
  expect([first.body.invoices, first.body.creditNotes]).toEqual([1, 1 + onFirst]);
  const lines = first.body.text.trim().split("\r\n").slice(1);
  expect(lines.map((line) => line.split(",")[1])).toEqual(["SOC/33-34/000001", ...numbers]);
  const { body: tally } = await take("16", "31", "tally");
  expect(tally.text.match(/<VOUCHER /g)).toHaveLength(onSixteenth);

  const refused = await take("01", "31", "csv");
  expect([refused.status, refused.body.error]).toEqual([
    422,
    "These days have more than 20,000 documents and transfers, which is more than one file holds: please choose a shorter period",
  ]);
  const asReturn = await take("01", "31", "gstr1");
  expect([asReturn.status, asReturn.body.error]).toEqual([
    422,
    "This month has more than 20,000 documents and transfers, which is more than one file holds: please take the register as CSV, some days at a time",
  ]);
});
