import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { brand } from "../../contract/brand.ts";
import { customService, deviceCatalogue } from "../../contract/devices.ts";
import { limits } from "../../contract/limits.ts";
import type { SelectedDevice } from "../../contract/quotes.ts";
import { letterOfSeller } from "../../tests/billing.ts";
import { quoteRow } from "../../tests/quote-row.ts";
import { fillingOf, overlapsOf, readPdf } from "../../tests/read-pdf.ts";
import { shownTax } from "../billing/bill-to.ts";
import type { Documents } from "../outside/documents/documents.ts";
import { startDocuments } from "../outside/documents/start-documents.ts";
import { priceDevices } from "../rates/pricing.ts";
import { sampleCard } from "../rates/rate-card.ts";
import { proposalData } from "./proposal.ts";

type QuoteRow = Parameters<typeof proposalData>[0];

let documents: Documents;
beforeAll(() => {
  documents = startDocuments();
});
afterAll(() => documents.close());

const catalogue = deviceCatalogue.flatMap((group) =>
  group.deviceTypes.map((deviceType) => ({ service: group.service, deviceType })),
);
const card = {
  ...sampleCard(),
  rates: [...catalogue, { service: customService, deviceType: "*" }].map((entry) => ({
    ...entry,
    group: entry.service,
    name: entry.deviceType,
    unit: "device",
    yearlyPaise: 1_234_567,
    retired: false,
  })),
  tiers: [{ fromDevices: 10, discountBasisPoints: 750 }],
};

const quote = (devices: SelectedDevice[], over: Partial<QuoteRow> = {}) => quoteRow(priceDevices(card, devices), over);

const some: SelectedDevice[] = [
  { service: "Server", deviceType: "Prod Server", number: 10 },
  { service: customService, deviceType: "Weighbridge controller", number: 1 },
];
const proposal = async (row: QuoteRow, of: Parameters<typeof proposalData>[1] = {}) =>
  readPdf(await documents.render("proposal", proposalData(row, of)));

describe("A proposal", () => {
  test("says who, what, how much and until when, to the paisa and in Indian time", async () => {
    const { text, title } = await proposal(quote(some));
    expect(title).toBe("Proposal Q-000123");
    for (const part of [
      "Proposal Q-000123 · 22 November 2026",
      "Valid until 22 December 2026",
      "Prepared for Kaveri Textiles Asha Rao asha.rao@example.in +91 98765 43210 1,200 users",
      `Prepared by ${brand.legalName}`,
      `GSTIN ${brand.gstin}`,
      "Prod Server 10 device 12,345.67 1,23,456.70",
      "Weighbridge controller subject to confirmation 1 device 12,345.67 12,345.67",
      "Subtotal 1,35,802.37",
      "Volume discount 7.5% − 10,185.18",
      "Taxable value 1,25,617.19",
      "GST 18% 22,611.09",
      "Total for one year ₹1,48,228.28",
      "Rupees One Lakh Forty-Eight Thousand Two Hundred Twenty-Eight and Twenty-Eight Paise Only",
      "To be monitored 11 devices",
      "Two plants and a head office.",
    ])
      expect(text).toContain(part);
  });

  test("promises to confirm the rates of devices typed in by hand, and says so when it has been done", async () => {
    const first = await proposal(quote(some));
    expect(first.text).toContain("stand at a default rate until we have confirmed it");
    expect(first.text).toContain("We confirm their rates and send this proposal anew, valid for 30 days from then");
    expect(first.text).toContain("find Q-000123: it can be bought from then on");
    expect(first.text).not.toContain("Buy Now");

    const lines = quote(some).lines.map((line) => ({ ...line, subjectToConfirmation: false }));
    const confirmed = { lines, ratesToConfirm: false, ratesConfirmedAt: new Date("2026-11-30T18:30:00Z"), revision: 2 };
    const second = await proposal(quote(some, confirmed));
    expect(second.title).toBe("Proposal Q-000123, revision 2");
    expect(second.text).toContain("Proposal Q-000123, revision 2 · 1 December 2026");
    expect(second.text).toContain("The rates of the custom devices were confirmed on 1 December 2026.");
    expect(second.text).toContain("choose Buy Now by 22 December 2026");
    expect(second.text).not.toContain("subject to confirmation");

    const without = await proposal(quote(some.slice(0, 1)));
    expect(without.text).toContain("This proposal is valid to the end of 22 December 2026 in India");
    expect(without.text).not.toMatch(/subject to confirmation|confirmed on/);
  });

  test("is a tagged PDF that meets PDF/UA", async () => {
    expect(await proposal(quote(some))).toMatchObject({ tagged: true, accessible: true });
  });

  test("says on every page that its rates are a sample, and only then", async () => {
    for (const page of (await proposal(quote(hundredLines()))).pages) expect(page).toContain("SAMPLE rates");
    expect((await proposal(quote(some, { sampleRates: false }))).text).not.toMatch(/sample/i);
  });

  test("writes a round-off below zero with the minus of the discount, as invoices do", async () => {
    const roundOff = { taxes: [], notes: [], roundOff: "-0.28", total: "148228.00" };
    const { text } = await proposal(quote(some), { tax: roundOff });
    expect(text).toContain("Volume discount 7.5% − 10,185.18");
    expect(text).toContain("Round-off − 0.28");
  });

  test("says that no GST is charged, and why, where none is", async () => {
    const seller = { stateCode: "29", undertaking: letterOfSeller, roundToRupee: false };
    const row = quote(some);
    const { text } = await proposal(row, { tax: shownTax(seller, { kind: "abroad" }, row, row.createdAt) });
    expect(text).toContain("Total for one year, no GST ₹1,25,617.19");
    expect(text).toContain("No GST: a supply outside India under our letter of undertaking.");
    expect(text).not.toContain("GST included");
    expect((await proposal(row)).text).toContain("Total for one year, GST included ₹1,48,228.28");
  });

  test("shows no discount where there is none", async () => {
    const { text } = await proposal(quote(some.slice(1)));
    expect(text).not.toContain("discount −");
    expect(text).not.toContain("Volume discount");
    expect(text).toContain("To be monitored 1 device Valid");
  });

  test("holds 100 lines of 500 devices, its table's head on each page, its pages numbered", async () => {
    const { pages, text } = await proposal(quote(hundredLines()));
    const ofTable = pages.filter((page) => page.includes("device 12,345.67"));
    expect(ofTable.length).toBeGreaterThan(2);
    for (const page of ofTable) expect(page).toContain("Device Number Unit Rate per year (₹) Amount (₹)");
    pages.forEach((page, index) => expect(page).toContain(`Page ${index + 1} of ${pages.length}`));
    expect(text.match(/500 device 12,345\.67 61,72,835\.00/g)).toHaveLength(100);
    expect(text).toContain("To be monitored 50,000 devices");
  });

  describe("has at least a fifth of a page on its last one", () => {
    const devices = hundredLines();
    const longNames = { organizationName: "Ā".repeat(limits.organizationLengthMax), userName: "Ā".repeat(100) };
    const everyThird = Array.from({ length: 20 }, (_, index) => 3 * index + 1);
    const lastPageOf = async (row: QuoteRow) =>
      (await fillingOf(await documents.render("proposal", proposalData(row)))).at(-1);

    test.each(Array.from({ length: 60 }, (_, index) => index + 1))("with %i lines", async (count) => {
      expect(await lastPageOf(quote(devices.slice(0, count)))).toBeGreaterThan(0.2);
    });
    test.each(everyThird)("with %i lines, and names as long as can be", async (count) => {
      expect(await lastPageOf(quote(devices.slice(0, count), longNames))).toBeGreaterThan(0.2);
    });
    test.each(everyThird)("with a message of %i lines", async (count) => {
      const message = Array.from({ length: count }, (_, index) => `line ${index}`).join("\n");
      expect(await lastPageOf(quote(some, { message }))).toBeGreaterThan(0.2);
      expect(await lastPageOf(quote(devices.slice(0, 22), { message }))).toBeGreaterThan(0.2);
    });
    test("with a message that is one line of 2000 letters", async () => {
      const message = "word ".repeat(limits.messageLengthMax / 5).trim();
      for (const count of [1, 12, 20, 24, 28])
        expect(await lastPageOf(quote(devices.slice(0, count), { message }))).toBeGreaterThan(0.2);
    });
  });

  test("breaks a name of 120 letters without a space instead of cutting it", async () => {
    const name = "Ā".repeat(limits.organizationLengthMax);
    const { text, pages } = await proposal(quote(some, { organizationName: name, userName: name }));
    expect(text.match(/Ā/g)).toHaveLength(name.length * 3);
    expect(pages).toHaveLength(2);
  });

  test("keeps a long unit in its column, and a device on the page of its price", async () => {
    const long = { ...card, rates: card.rates.map((rate) => ({ ...rate, unit: "W".repeat(limits.unitLengthMax) })) };
    const devices = hundredLines().filter(({ service }) => service === customService);
    const pdf = await documents.render("proposal", proposalData(quoteRow(priceDevices(long, devices))));
    expect(await overlapsOf(pdf)).toEqual([]);
    const { pages } = await readPdf(pdf);
    const [names, prices] = [/(?<!“)subject to confirmation/g, / 12,345\.67 /g].map((each) =>
      pages.map((page) => page.match(each)?.length ?? 0),
    );
    expect(names).toEqual(prices);
  });

  test("stays short when a message is made of empty lines", async () => {
    expect((await proposal(quote(some, { message: `a${"\r\n".repeat(999)}b` }))).pages).toHaveLength(2);
  });

  test("ends a message of a thousand lines after as many as are allowed today, and says so", async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}.`);
    const { text, pages } = await proposal(quote(some, { message: lines.join("\r\n") }));
    expect(text).toContain(`line ${limits.messageLinesMax}. … The message goes on; we have all of it.`);
    expect(text).not.toContain(`line ${limits.messageLinesMax + 1}.`);
    expect(pages.length).toBeLessThanOrEqual(4);
  });
});

describe("What people typed", () => {
  const typed = '#panic("x") $x^2$ <b>bold</b> @ref // end *a* _b_ `c` \\ [d] #sys.version = h --- "q"';

  test("is printed as it is and never read as markup", async () => {
    const devices = [{ service: customService, deviceType: '#panic("x") $x$ <b> @ref //', number: 1 }];
    const { text } = await proposal(quote(devices, { organizationName: typed, userName: typed, message: typed }));
    expect(text.split(typed)).toHaveLength(5);
    expect(text).toContain(devices[0]?.deviceType);
  });

  test.each([
    ["Devanagari", "आशा राव क्षत्रिय", "NotoSansDevanagari"],
    ["Tamil", "தமிழ் நிறுவனம் ஸ்ரீ", "NotoSansTamil"],
    ["Arabic", "شركة الحراسة المحدودة", "IBMPlexSansArabic"],
    ["Urdu", "پاکستان ٹیکنالوجی کے ڈھانچے", "IBMPlexSansArabic"],
    ["Bengali", "বাংলা প্রতিষ্ঠান", "NotoSansBengali"],
    ["Telugu", "తెలుగు సంస్థ", "NotoSansTelugu"],
    ["Kannada", "ಕನ್ನಡ ಸಂಸ್ಥೆ", "NotoSansKannada"],
    ["Malayalam", "മലയാളം സ്ഥാപനം", "NotoSansMalayalam"],
    ["Gujarati", "ગુજરાતી સંસ્થા", "NotoSansGujarati"],
    ["Gurmukhi", "ਪੰਜਾਬੀ ਸੰਸਥਾ", "NotoSansGurmukhi"],
    ["Odia", "ଓଡ଼ିଆ ସଂସ୍ଥା", "NotoSansOriya"],
    ["Meetei Mayek", "ꯃꯤꯇꯩ ꯃꯌꯦꯛ", "NotoSansMeeteiMayek"],
    ["Ol Chiki", "ᱚᱞ ᱪᱤᱠᱤ", "NotoSansOlChiki"],
    ["Sinhala", "සිංහල", "NotoSansSinhala"],
    ["Thai", "ภาษาไทย", "NotoSansThai"],
    ["Hebrew", "עברית", "NotoSansHebrew"],
    ["Cyrillic, Greek and Vietnamese", "Иванов Ελλάς Nguyễn", "Inter"],
  ])("is printed in %s, in a font of our own with every glyph", async (_script, name, font) => {
    const { text, fonts, accessible } = await proposal(quote(some, { organizationName: name, userName: name }));
    for (const letter of name.replaceAll(" ", "").normalize("NFD")) expect(text.normalize("NFD")).toContain(letter);
    expect(
      fonts.filter((used) => !used.startsWith("Inter") || font === "Inter").map((used) => used.split("-")[0]),
    ).toContain(font);
    expect(accessible).toBe(true);
  });

  test("may hold characters that no font has: the proposal comes all the same, still tagged", async () => {
    const { text, tagged, accessible } = await proposal(quote(some, { organizationName: "Kaveri \u{12000} Textiles" }));
    expect(text).toContain("Kaveri");
    expect({ tagged, accessible }).toEqual({ tagged: true, accessible: false });
  });
});

function hundredLines(): SelectedDevice[] {
  const own = Array.from({ length: limits.deviceTypesMax - catalogue.length }, (_, index) => ({
    service: customService,
    deviceType: index % 2 ? `Sensor ${index}` : `${"M".repeat(limits.deviceTypeLengthMax - 2)}${index}`,
  }));
  return [...catalogue, ...own].map((device) => ({ ...device, number: limits.deviceCountMax }));
}
