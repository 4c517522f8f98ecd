import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countGlyphs, fromLeft, isAccessible, readPdf } from "../../../tests/read-pdf.ts";
import { sampleInvoice } from "../../../tests/sample-invoice.ts";
import type { Documents } from "./documents.ts";
import { startDocuments } from "./start-documents.ts";

let documents: Documents;
beforeAll(() => {
  documents = startDocuments();
});
afterAll(() => documents.close());

/** An invoice to somebody of this name, which appears once in bold and once not. */
const invoiceTo = (name: string) => documents.render("invoice", sampleInvoice({ name }));

const ranges: [script: string, ...[first: number, last: number][]][] = [
  ["Latin", [0x20, 0x7e], [0xa1, 0x17f], [0x1e00, 0x1eff]],
  ["Greek and Cyrillic", [0x370, 0x3e1], [0x3f0, 0x482], [0x48a, 0x52f]],
  ["Devanagari", [0x900, 0x97f]],
  ["Bengali", [0x980, 0x9fe]],
  ["Gurmukhi", [0xa01, 0xa76]],
  ["Gujarati", [0xa81, 0xaff]],
  ["Odia", [0xb01, 0xb77]],
  ["Tamil", [0xb82, 0xbfa]],
  ["Telugu", [0xc00, 0xc5a]],
  ["Kannada", [0xc80, 0xcdb], [0xcdd, 0xcf3]],
  ["Malayalam", [0xd00, 0xd7f]],
  ["Sinhala", [0xd81, 0xdf4]],
  ["Meetei Mayek", [0xabc0, 0xabf9]],
  ["Ol Chiki", [0x1c50, 0x1c7f]],
  ["Arabic of Arabs, Persians, Urdu and Sindhi", [0x620, 0x6a1], [0x6a3, 0x6dc], [0x6de, 0x6ff]],
  ["Hebrew", [0x591, 0x5f4]],
  ["Thai", [0xe01, 0xe5b]],
  ["Lao", [0xe81, 0xedf]],
  ["Armenian", [0x531, 0x58f]],
  ["Georgian", [0x10a0, 0x10ff], [0x1c90, 0x1cbf]],
  ["Ethiopic", [0x1200, 0x1399], [0x2d80, 0x2dde], [0xab01, 0xab2e]],
  ["Khmer", [0x1780, 0x17b3], [0x17b6, 0x17f9]],
  ["Burmese", [0x1000, 0x109f], [0xaa60, 0xaa7f]],
  ["Thaana", [0x780, 0x7b1]],
  ["Tibetan", [0xf00, 0xfda]],
  ["Hangul", [0xac00, 0xd7a3], [0x3131, 0x3163], [0x1100, 0x115e]],
  ["kana", [0x3041, 0x3096], [0x309b, 0x30ff], [0xff66, 0xff9d]],
  ["Bopomofo", [0x3105, 0x312d]],
  ["Han", [0x4e00, 0x9fd0], [0x3400, 0x4db5]],
  ["punctuation and signs of currency", [0x2010, 0x2027], [0x2030, 0x205e], [0x20a0, 0x20bf], [0x3001, 0x301f]],
  ["arrows, boxes and other signs", [0x2190, 0x2195], [0x2500, 0x25ff], [0x2600, 0x27bf]],
];
const emoji = /^\p{Emoji_Presentation}$/u;

describe("Every character has a glyph, regular and bold, in", () => {
  test.each(ranges)("%s", async (_script, ...ofScript) => {
    const name = ofScript.map(([first, last]) => everyLetter(first, last)).join(" ");
    expect(isAccessible(await invoiceTo(name))).toBe(true);
  });

  test("emoji", async () => {
    const name = codePoints(0, 0x1ffff).filter((character) => emoji.test(character));
    expect(name.length).toBeGreaterThan(1000);
    expect(isAccessible(await invoiceTo(name.join(" ")))).toBe(true);
  });
});

describe("Several characters that are one sign are printed as one", () => {
  test.each([
    ["a woman at a computer, of medium skin", "👩🏽‍💻"],
    ["a family", "👨‍👩‍👧"],
    ["the flag of India", "🇮🇳"],
    ["the flag of England", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
    ["a handshake of two skins", "🫱🏻‍🫲🏿"],
  ])("%s", async (_what, sign) => {
    const pdf = await invoiceTo(sign);
    expect(isAccessible(pdf)).toBe(true);
    expect((await readPdf(pdf)).fonts).toEqual(expect.arrayContaining(["NotoEmoji-Regular", "NotoEmoji-SemiBold"]));
    // Once as the organisation's name, once as the person's.
    expect(await countGlyphs(pdf, /^NotoEmoji/)).toBe(2);
  });
});

test("What is written from right to left keeps its full stop at its end, the left", async () => {
  const [leftmost] = await fromLeft(await invoiceTo("شركة الهند."), /^\.|\p{sc=Arab}/u);
  expect(leftmost).toMatch(/^\./);
});

test("What turned a line around before it was refused in names is left out", async () => {
  const { text } = await readPdf(await invoiceTo("A\u202Eevil\u202C Te\u200Bxtiles\uE000"));
  expect(text).toContain("Aevil Textiles\uFFFD");
});

describe("One character that Chinese, Japanese and Korean write differently is printed", () => {
  test.each([
    ["the Chinese way by itself", "直", "NotoSansHans"],
    ["the Japanese way beside kana", "直かな", "NotoSansJP"],
    ["the Korean way beside Hangul", "直 한국", "NotoSansKR"],
  ])("%s", async (_way, name, font) => {
    const { fonts } = await readPdf(await invoiceTo(name));
    expect(familiesOf(fonts)).toEqual(["Inter", font]);
  });
});

// Fonts that machines commonly have contain this letter.
test("A character that no font of ours has is printed as a box of ours and costs only the promise of PDF/UA", async () => {
  const [boxed, plain] = await Promise.all([invoiceTo("Kaveri ⵣ"), invoiceTo("Kaveri ")]);
  const { fonts, tagged, accessible } = await readPdf(boxed);
  expect(familiesOf(fonts)).toEqual(["Inter"]);
  expect(await countGlyphs(boxed, /^Inter/)).toBe((await countGlyphs(plain, /^Inter/)) + 2);
  expect({ tagged, accessible }).toEqual({ tagged: true, accessible: false });
});

// Only on Linux can the font folders be set for a single process.
describe.runIf(process.platform === "linux")("On a machine that has other fonts under the names of ours", () => {
  const folder = mkdtempSync(join(tmpdir(), "prahari-fonts-"));
  const ofProcess = process.env["FONTCONFIG_FILE"];
  let there: Documents;
  beforeAll(() => {
    for (const weight of ["400Regular", "600SemiBold"]) {
      const odia = readFileSync(new URL(`fonts/NotoSansOriya_${weight}.ttf`, import.meta.url));
      writeFileSync(join(folder, `${weight}.ttf`), renamed(odia, "Noto Sans Oriya", "Noto Sans Tamil"));
    }
    writeFileSync(join(folder, "fonts.conf"), `<fontconfig><dir>${folder}</dir></fontconfig>`);
    process.env["FONTCONFIG_FILE"] = join(folder, "fonts.conf");
    there = startDocuments();
  });
  afterAll(async () => {
    if (ofProcess === undefined) delete process.env["FONTCONFIG_FILE"];
    else process.env["FONTCONFIG_FILE"] = ofProcess;
    await there.close();
    rmSync(folder, { recursive: true });
  });

  test("ours are used", async () => {
    const { accessible, fonts } = await readPdf(await there.render("invoice", sampleInvoice({ name: "தமிழ்" })));
    expect(accessible).toBe(true);
    expect(familiesOf(fonts)).toEqual(["Inter", "NotoSansTamil"]);
  });
});

/** The letters, marks and symbols of a Unicode range, sampled if it is long; a mark is put on the letter before it. */
function everyLetter(first: number, last: number): string {
  let letter = "";
  const step = Math.ceil((last - first) / 2000);
  return codePoints(first, last)
    .filter((_, index) => index % step === 0)
    .filter((character) => !/[\p{C}\p{Z}]/u.test(character))
    .map((character) => {
      if (!/\p{M}/u.test(character)) letter = character;
      return /\p{M}/u.test(character) ? `${letter}${character}` : character;
    })
    .join(" ");
}

function codePoints(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
}

const familiesOf = (fonts: string[]) => [...new Set(fonts.map((font) => font.split("-")[0]))];

/** A font under another name of the same length. */
function renamed(font: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(font);
  const [old, other] = [from, to].map((name) => Buffer.from(name, "utf16le").swap16()) as [Buffer, Buffer];
  for (let at = copy.indexOf(old); at >= 0; at = copy.indexOf(old, at)) other.copy(copy, at);
  return copy;
}
