import { afterAll, beforeAll, expect, test } from "vitest";
import { shippedBrand } from "../../../contract/brand.ts";
import { limits } from "../../../contract/limits.ts";
import { overlapsOf } from "../../../tests/read-pdf.ts";
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
  expect(await overlapsOf(await documents.render("invoice", { ...paper, brand }))).toEqual([]);
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

test("The name of a file stays readable beside whoever attached it to an incident", async () => {
  const person = "Venkata Narasimha Raju Varahagiri Subramaniam Ramachandran Iyer";
  const file = { name: "firewall-log-of-the-rolling-mill.csv", by: "customer", person, attached_at: instant };
  const room = {
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
    files: [{ ...file, sha256: "a5c12dca80e743321740b001fd70953e8738d109865d28ba4013750f2046f229" }],
  };
  const paper = timelinePaper(room as unknown as Parameters<typeof timelinePaper>[0], "Kaveri", new Date(instant), "");
  expect(await overlapsOf(await documents.render("dossier", paper))).toEqual([]);
});
