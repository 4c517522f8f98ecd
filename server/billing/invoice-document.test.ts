import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { brand } from "../../contract/brand.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { readQr } from "../../tests/read-qr.ts";
import type { InvoiceContent } from "../database/schema/index.ts";
import type { Documents } from "../outside/documents/documents.ts";
import { startDocuments } from "../outside/documents/start-documents.ts";
import { creditNoteData } from "./credit-note-document.ts";
import { invoiceData } from "./invoice-document.ts";

let documents: Documents;
beforeAll(() => {
  documents = startDocuments();
});
afterAll(() => documents.close());

const content: InvoiceContent = {
  billTo: {
    organizationName: "Konkan Shipping",
    name: "Asha Rao",
    email: "asha.rao@example.in",
    phone: "+919876543210",
    gstin: "27AAPFU0939F1ZV",
    address: "14 Marine Lines, Mumbai 400020",
    state: "27",
  },
  placeOfSupply: "27",
  lines: [
    { description: "Server: Prod Server", sac: "998316", quantity: 10, ratePaise: 1_234_567, amountPaise: 12_345_670 },
  ],
  subtotalPaise: 12_345_670,
  discountPaise: 925_925,
  taxablePaise: 11_419_745,
  taxes: [{ name: "IGST", basisPoints: 1800, amountPaise: 2_055_554 }],
  totalPaise: 13_475_299,
  paymentId: "403993715533411111",
};

const rowOf = (over: Partial<InvoiceContent> = {}) => ({
  id: "019b0000-0000-7000-8000-000000000003",
  orderId: "019b0000-0000-7000-8000-000000000004",
  financialYear: "26-27",
  serial: 123,
  number: "SOC/26-27/000123",
  // In India this is already the first day of the financial year.
  issuedAt: new Date("2026-03-31T19:00:00Z"),
  file: null,
  content: { ...content, ...over },
});

const invoice = async (over: Partial<InvoiceContent> = {}) =>
  readPdf(await documents.render("invoice", invoiceData(rowOf(over))));

describe("A registered tax invoice", () => {
  test("prints the portal's number, its acknowledgement, and what it signed as a code that can be scanned", async () => {
    const eInvoice = {
      irn: "a5c12dca80e743321740b001fd70953e8738d109865d28ba4013750f2046f229",
      ackNumber: "112010000002315",
      ackAt: new Date("2026-03-31T19:05:09Z"),
      // As long as the portal's own.
      signedQr: `eyJhbGciOiJSUzI1NiJ9.${"ZGF0YQ".repeat(90)}.${"c2lnbmF0dXJl".repeat(29)}`,
    };
    const pdf = await documents.render("invoice", invoiceData(rowOf(), eInvoice));
    const { text, accessible } = await readPdf(pdf);
    // A long number may break anywhere.
    expect(text.replaceAll(/[\s\u200B]/g, "")).toContain(eInvoice.irn);
    expect(text).toContain("Acknowledgement number 112010000002315 Acknowledged 1 April 2026 at 00:35:09 in India");
    expect(accessible).toBe(true);
    expect(await readQr(pdf)).toBe(eInvoice.signedQr);
    expect((await invoice()).text).not.toContain("E-invoice");
  });
});

describe("A tax invoice", () => {
  test("names who issued it then, whatever the company is called now", async () => {
    const supplier = {
      ...brand,
      legalName: "Chaukas Security Private Limited",
      stateCode: "27",
      gstin: "27AAPFU0939F1ZV",
    };
    const { text } = await invoice({ supplier });
    expect(text).toContain(`Supplier Chaukas Security Private Limited ${brand.address} State: Maharashtra (27)`);
    expect(text).not.toContain(brand.legalName);
  });
  test("has every field of rule 46", async () => {
    const { text, title } = await invoice();
    expect(title).toBe("Tax invoice SOC/26-27/000123");
    for (const part of [
      `Supplier ${brand.legalName} ${brand.address} State: Karnataka (29) GSTIN: ${brand.gstin}`,
      "Invoice number SOC/26-27/000123",
      "Invoice date 1 April 2026",
      "SAC 998316: information technology infrastructure and network management services.",
      "Recipient Konkan Shipping Asha Rao 14 Marine Lines, Mumbai 400020 State: Maharashtra (27) GSTIN: 27AAPFU0939F1ZV",
      "1 Server: Prod Server 998316 10 12,345.67 1,23,456.70",
      "Subtotal 1,23,456.70",
      "Volume discount − 9,259.25",
      "Taxable value 1,14,197.45",
      "IGST 18% 20,555.54",
      "Total invoice value ₹1,34,752.99",
      "Rupees One Lakh Thirty-Four Thousand Seven Hundred Fifty-Two and Ninety-Nine Paise Only",
      "Place of supply Maharashtra (27)",
      "Whether tax is payable on reverse charge: No",
      "issued electronically under the Information Technology Act, 2000, and needs no signature",
      "Payment id 403993715533411111",
    ])
      expect(text).toContain(part);
  });

  test("shows CGST and SGST within the supplier's state", async () => {
    const taxes: InvoiceContent["taxes"] = [
      { name: "CGST", basisPoints: 900, amountPaise: 1_027_777 },
      { name: "SGST", basisPoints: 900, amountPaise: 1_027_777 },
    ];
    const { text } = await invoice({ placeOfSupply: "29", taxes });
    expect(text).toContain("CGST 9% 10,277.77 SGST 9% 10,277.77");
    expect(text).not.toContain("IGST");
  });

  test("says what is known of company, order and service", async () => {
    const { text } = await invoice({
      cin: "U62099KA2024PTC000000",
      billTo: { ...content.billTo, kind: "registered", pinCode: "400020", purchaseOrder: "PO/77" },
      period: { from: "2026-04-01", to: "2027-03-31" },
      quoteNumber: "Q-000012",
      orderNumber: "O-000007",
      roundOffPaise: -29,
      totalPaise: 13_475_270,
    });
    for (const part of [
      `GSTIN: ${brand.gstin} CIN: U62099KA2024PTC000000`,
      "Service period 1 April 2026 to 31 March 2027",
      "Order O-000007",
      "Quote Q-000012",
      "Your purchase order PO/77",
      "14 Marine Lines, Mumbai 400020, 400020",
      "Round-off − 0.29",
      "Total invoice value ₹1,34,752.70",
      "· CIN U62099KA2024PTC000000",
    ])
      expect(text).toContain(part);
  });

  test("says whether its total is kept to the paisa or rounded to the rupee", async () => {
    const [kept, rounded] = ["kept to the paisa", "the total is rounded to the rupee"];
    for (const roundOffPaise of [0, 1, -1]) {
      // oxlint-disable-next-line no-await-in-loop -- documents are rendered one after the other
      const { text } = await invoice({ roundOffPaise, totalPaise: content.totalPaise + roundOffPaise });
      expect(text).toContain(kept);
    }
    const { text } = await invoice({ roundOffPaise: -99, totalPaise: 13_475_200 });
    expect(text).toContain(rounded);
    expect(text).not.toContain(kept);
  });

  test("says on its credit note what is true of its total, and of a part of that", async () => {
    const row = rowOf();
    const precisionOn = async (roundOffPaise: number, totalPaise: number) => {
      const note = creditNoteData({
        ...row,
        invoiceId: row.id,
        amountPaise: totalPaise,
        cause: null,
        createdAt: row.issuedAt,
        content: {
          ...content,
          roundOffPaise,
          totalPaise,
          invoiceNumber: row.number,
          invoiceDay: "2026-04-01",
          sac: "998316",
          description: "Credit for the invoice",
          reason: "Goodwill",
        },
      });
      const { text } = await readPdf(await documents.render("creditNote", note));
      return /Amounts are in Indian rupees[^.]*\./.exec(text)?.[0];
    };
    expect(await precisionOn(0, 12_345)).toBe("Amounts are in Indian rupees and kept to the paisa.");
    expect(await precisionOn(-15, 13_475_200)).toBe(
      "Amounts are in Indian rupees, and the total is rounded to the rupee.",
    );
    expect(await precisionOn(-15, 12_345)).toBe("Amounts are in Indian rupees.");
  });

  test("says how the amounts of an added subscription come about, with its discount where it has one", async () => {
    const period = { from: "2026-04-01", to: "2026-09-30" };
    const added = { kind: "add", contractNumber: "C-000007", ...period, days: 183, daysOfYear: 365 } as const;
    const { text: discounted } = await invoice({ period, term: { ...added, discountBasisPoints: 750 } });
    expect(discounted).toContain(
      "Each amount is the rate × the number, less the discount of 7.5%, × these days ÷ the days of the year.",
    );
    const { text } = await invoice({ period, term: { ...added, discountBasisPoints: 0 } });
    expect(text).toContain("Each amount is the rate × the number × these days ÷ the days of the year.");
  });

  test("has room for forty transfers that paid it, each with its day and its sum", async () => {
    const transfers = Array.from({ length: 40 }, (_, index) => ({
      utr: `UTR9639571899${String(index).padStart(2, "0")}X`,
      receivedOn: "2026-11-03",
      amountPaise: 33_333_33,
      paysPaise: 33_333_33,
    }));
    const { text, accessible } = await invoice({ transfers });
    for (const { utr } of transfers) expect(text).toContain(`${utr} of ₹33,333.33 on 3 November 2026`);
    expect(text).toContain("Paid in full by the transfers UTR963957189900X of");
    expect(accessible).toBe(true);
  });

  test("says nothing of the recipient that nobody gave", async () => {
    const { gstin: _gstin, address: _address, state: _state, ...billTo } = content.billTo;
    const { text } = await invoice({ billTo, placeOfSupply: "29" });
    expect(text).toContain("Recipient Konkan Shipping Asha Rao asha.rao@example.in, +91 98765 43210");
    const { text: unregistered } = await invoice({ billTo: { ...billTo, kind: "unregistered", state: "27" } });
    expect(unregistered).toContain("Asha Rao State: Maharashtra (27) Not registered for GST asha.rao@");
  });

  test("to a company outside India names its country and the seller's undertaking, and has no tax", async () => {
    const { gstin: _gstin, state: _state, ...billTo } = content.billTo;
    const { text } = await invoice({
      billTo: { ...billTo, kind: "abroad", country: "AE" },
      placeOfSupply: "96",
      treatment: "export under undertaking",
      sentences: ["SUPPLY MEANT FOR EXPORT", "Letter of undertaking AD29, valid from 1 April 2026 to 31 March 2027."],
      taxes: [],
      totalPaise: content.taxablePaise,
    });
    for (const part of [
      "Place of supply Outside India: United Arab Emirates",
      "Mumbai 400020 United Arab Emirates asha.rao@",
      "SUPPLY MEANT FOR EXPORT Letter of undertaking AD29",
      "Taxable value 1,14,197.45 Total invoice value ₹1,14,197.45",
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/[CSI]GST/);
  });

  test("of a supplier that does not exist says on every page that it is no tax document", async () => {
    const lines = Array.from({ length: 100 }, () => content.lines.slice()).flat();
    const { pages, tagged, accessible } = await invoice({ lines });
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) expect(page).toContain("SAMPLE – not a tax document");
    expect({ tagged, accessible }).toEqual({ tagged: true, accessible: true });
  });

  test("never reads what people typed as markup", async () => {
    const typed = '#panic("x") $x$ <b> @ref // *a*';
    const billTo = { ...content.billTo, organizationName: typed, name: typed, address: typed };
    const { text } = await invoice({ billTo, paymentId: "#x", lines: [{ ...content.lines[0]!, description: typed }] });
    expect(text.split(typed)).toHaveLength(5);
  });
});
