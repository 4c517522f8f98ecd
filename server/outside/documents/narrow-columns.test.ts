import { afterAll, beforeAll, expect, test } from "vitest";
import { shippedBrand } from "../../../contract/brand.ts";
import { limits } from "../../../contract/limits.ts";
import { fromLeft, outsideOf, overlapsOf, readPdf } from "../../../tests/read-pdf.ts";
import { sampleInvoice } from "../../../tests/sample-invoice.ts";
import { refundVoucherData } from "../../billing/voucher-document.ts";
import { timelinePaper } from "../../dossiers/timeline-paper.ts";
import { accountData } from "../../ledger/account.ts";
import type { Documents } from "./documents.ts";
import { startDocuments } from "./start-documents.ts";

let documents: Documents;
beforeAll(() => {
  documents = startDocuments();
});
afterAll(() => documents.close());

/** A reference of the length that an RTGS transfer has. */
const bankReference = "HDFCR52026083029384756";
const instant = "2026-09-30T08:35:00Z";
type Room = Parameters<typeof timelinePaper>[0];
const incident = {
  number: "I-000010",
  title: "Ransomware",
  severity: "P1",
  state: "new",
  source: "analyst",
  opened_at: instant,
  owner: null,
  first_seen: null,
  clocks: [],
  timeline: [],
  files: [],
};
const fact = { occurred_at: instant, news: "note", severity: null, withdrawn: false, stands: true, reason: "" };
const manyFacts = Array.from({ length: 60 }, () => ({ ...fact, by: "customer", person: "Asha Rao", text: "Told." }));

test("A bank's reference stays in its place on a voucher", async () => {
  const content = {
    supplier: { ...shippedBrand, isSample: false },
    billTo: { organizationName: "Konkan Shipping", name: "Asha Rao", email: "asha@example.in", phone: "+919876543210" },
    placeOfSupply: "27",
    sac: "998316",
    description: "Advance",
    taxablePaise: 100_00,
    taxes: [],
    roundOffPaise: 0,
    totalPaise: 100_00,
    receiptNumber: "RV/26-27/00001",
    receiptDay: "2026-09-29",
    paidOn: "2026-09-30",
    bankReference,
    orderNumber: "O-000007",
  };
  const ids = { id: "", orderId: "", receiptId: "", refundId: "", financialYear: "26-27", serial: 1, file: null };
  const row = { ...ids, number: "RF/26-27/00001", issuedAt: new Date(instant), content };
  const pdf = await documents.render("refundVoucher", refundVoucherData(row));
  expect(await overlapsOf(pdf)).toEqual([]);
});

test("A long name of the operator stays beside its addresses", async () => {
  const paper = sampleInvoice();
  const brand = {
    ...paper.brand,
    isSample: false,
    name: "Bharatiya Suraksha Sanchalan Kendra Seva",
    website: "https://www.bharatiya-suraksha-sanchalan-kendra.example.co.in",
    emails: { ...paper.brand.emails, sales: "sales.and.proposals@bharatiya-suraksha.example.in" },
  };
  const pdf = await documents.render("invoice", { ...paper, brand });
  expect(await overlapsOf(pdf)).toEqual([]);
  expect(await outsideOf(pdf)).toEqual([]);
});

test("A statement of account has room for words beside as much as one transfer may bring", async () => {
  const paise = limits.transferRupeesMax * 100;
  const line = { at: new Date(instant), order: "O-000007", amountPaise: paise, balancePaise: -paise };
  const account = {
    organisation: "BHARATIYAVIDYUTUTPADAN Nigam",
    from: "2026-09-01",
    to: "2026-09-30",
    openingPaise: paise,
    lines: [
      { ...line, what: "Payment", about: `${bankReference}, at the bank on 30 September 2026`, amountPaise: -paise },
      { ...line, what: "Deducted tax that is claimed no more", about: "Section 194J" },
    ],
    closingPaise: -paise,
  };
  expect(await overlapsOf(await documents.render("account", accountData(account, new Date(instant), "")))).toEqual([]);
});

test.each(["株式会社セキュリティ運用センター".repeat(7), "W".repeat(limits.organizationLengthMax)])(
  "A name without a space keeps inside its column: %s",
  async (name) => {
    const pdf = await documents.render("invoice", sampleInvoice({ name }));
    expect(await outsideOf(pdf)).toEqual([]);
  },
);

test("The head of a later page has room for as long a title as an incident may have", async () => {
  for (const letter of ["W", "運", "Wort "]) {
    const title = letter.repeat(limits.incidentTitleLengthMax / letter.length);
    const paper = timelinePaper(
      { ...incident, title, timeline: manyFacts } as unknown as Room,
      "Kaveri",
      new Date(instant),
      "",
    );
    // oxlint-disable-next-line no-await-in-loop -- documents are rendered one after the other
    const pdf = await documents.render("dossier", paper);
    // oxlint-disable-next-line no-await-in-loop -- the same
    const [outside, overlaps, read] = [await outsideOf(pdf), await overlapsOf(pdf), await readPdf(pdf)];
    expect([outside, overlaps]).toEqual([[], []]);
    expect(read.pages[1]).toContain("…");
    expect(read.title).toContain(title.trim());
  }
});

test("A name from right to left leaves the figures and days beside it in their places", async () => {
  const seen = { by: "محمد عبد الرحمن", at: instant };
  const paper = timelinePaper({ ...incident, first_seen: seen } as unknown as Room, "Kaveri", new Date(instant), "");
  const ordered = await fromLeft(await documents.render("dossier", paper), /30 Sept|2026, 14:05/);
  expect(ordered.join(" ")).toContain("30 Sept 2026, 14:05");
  const brand = { ...sampleInvoice().brand, isSample: false };
  const duty = "DRAFT";
  const title = "2 with شركة الحراسة (الهند)., 0 with Prahari";
  const pdf = await documents.render("reportDraft", { brand, duty, title, facts: [], fields: [], remarks: [] });
  expect((await fromLeft(pdf, /with/)).map((part) => part.replace("\u2069", "").trim())).toEqual([
    "2 with",
    ", 0 with Prahari",
  ]);
});

test("The name of a file stays readable beside whoever attached it to an incident", async () => {
  const person = "Venkata Narasimha Raju Varahagiri Subramaniam Ramachandran Iyer";
  const file = { name: "firewall-log-of-the-rolling-mill.csv", by: "customer", person, attached_at: instant };
  const room = {
    ...incident,
    files: [{ ...file, sha256: "a5c12dca80e743321740b001fd70953e8738d109865d28ba4013750f2046f229" }],
  };
  const paper = timelinePaper(room as unknown as Room, "Kaveri", new Date(instant), "");
  expect(await overlapsOf(await documents.render("dossier", paper))).toEqual([]);
});
