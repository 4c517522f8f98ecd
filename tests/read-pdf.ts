import { extractText, getDocumentProxy, getResolvedPDFJS } from "unpdf";

export interface ReadPdf {
  /** With each run of white space as one space. */
  text: string;
  pages: string[];
  tagged: boolean;
  accessible: boolean;
  title: string;
  fonts: string[];
}

/** The content of a PDF as a reader gets it. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text } = await extractText(document, { mergePages: false });
  const pages = text.map((page) => page.replace(/\s+/g, " "));
  const { info } = await document.getMetadata();
  return {
    text: pages.join(" "),
    pages,
    tagged: (await document.getMarkInfo())?.Marked === true,
    accessible: isAccessible(bytes),
    title: String((info as { Title?: string }).Title),
    fonts: await fontsOf(document),
  };
}

/** Whether it declares PDF/UA or PDF/A with level A conformance: neither allows a character without a glyph. */
export function isAccessible(bytes: Uint8Array): boolean {
  const pdf = Buffer.from(bytes);
  return pdf.includes("pdfuaid:part") || pdf.includes("<pdfaid:conformance>A<");
}

/** The pieces of text on the first page that contain one of these characters, from left to right. */
export async function fromLeft(bytes: Uint8Array, characters: RegExp): Promise<string[]> {
  const page = await (await getDocumentProxy(new Uint8Array(bytes))).getPage(1);
  const { items } = await page.getTextContent();
  return (items as { str: string; transform: number[] }[])
    .filter(({ str }) => characters.test(str))
    .toSorted((one, other) => (one.transform[4] ?? 0) - (other.transform[4] ?? 0))
    .map(({ str }) => str);
}

interface TextItem {
  str: string;
  transform: number[];
  width: number;
}

/** The visible pieces of text of each page, and its box: left, bottom, right and top. */
async function textByPage(bytes: Uint8Array) {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const pages = Array.from({ length: document.numPages }, (_, index) => document.getPage(index + 1));
  return Promise.all(
    pages.map(async (found, index) => {
      const page = await found;
      const { items } = await page.getTextContent();
      return { number: index + 1, view: page.view, items: (items as TextItem[]).filter(({ str }) => str.trim()) };
    }),
  );
}

/** Pieces of text that overlap, page by page: whose lines are nearer than this share of a letter's height. */
export async function overlapsOf(bytes: Uint8Array, nearer = 0.5): Promise<string[]> {
  return (await textByPage(bytes)).flatMap(({ number, items }) =>
    items.flatMap((one, index) =>
      items
        .slice(index + 1)
        .filter((other) => isOver(one, other, nearer))
        .map((other) => `page ${number}: ${one.str} / ${other.str}`),
    ),
  );
}

/** Whether two pieces overlap by more than glyphs normally reach beyond their box. */
function isOver(one: TextItem, other: TextItem, nearer: number): boolean {
  const [, , , size = 0, left = 0, base = 0] = one.transform;
  const [, , , , otherLeft = 0, otherBase = 0] = other.transform;
  const beside = Math.min(left + one.width, otherLeft + other.width) - Math.max(left, otherLeft);
  return beside > 1 && Math.abs(base - otherBase) < size * nearer;
}

/** Pieces of horizontal text that reach beyond the page's edges at left and right, or out of the page, page by page. */
export async function outsideOf(bytes: Uint8Array): Promise<string[]> {
  return (await textByPage(bytes)).flatMap(({ number, view, items }) => {
    const [, bottom = 0, right = 0, top = 0] = view;
    const isInside = ({ transform, width }: TextItem) => {
      const [, , , size = 0, left = 0, base = 0] = transform;
      return left >= edge - 1 && left + width <= right - edge + 2 && base > bottom && base + size <= top;
    };
    const isHorizontal = ({ transform: [, slope = 0] }: TextItem) => Math.abs(slope) < 0.1;
    return items.filter((item) => isHorizontal(item) && !isInside(item)).map(({ str }) => `page ${number}: ${str}`);
  });
}

/** Lines that end with a day whose month begins the next. */
export async function brokenDays(bytes: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: false });
  return text.join("\n").match(/\b\d{1,2} *\n *(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*/g) ?? [];
}

const millimetre = 72 / 25.4;
/** The letterhead's margin at left and right. */
const edge = 17 * millimetre;
/** The letterhead's running header and footer lie outside these margins. */
const margin = 21 * millimetre;

/** The share of each page's height, between header and footer, that text fills: from the top down to the last line. */
export async function fillingOf(bytes: Uint8Array): Promise<number[]> {
  return (await textByPage(bytes)).map(({ view, items }) => {
    const [, bottom = 0, , top = 0] = view;
    const heights = items
      .map(({ transform }) => transform[5] ?? 0)
      .filter((height) => height > bottom + margin && height < top - margin);
    return (top - margin - Math.min(top - margin, ...heights)) / (top - bottom - 2 * margin);
  });
}

/** How many glyphs are drawn in fonts with a matching name. */
export async function countGlyphs(bytes: Uint8Array, font: RegExp): Promise<number> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { OPS } = await getResolvedPDFJS();
  let glyphs = 0;
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { fnArray, argsArray } = await page.getOperatorList();
    let fits = false;
    fnArray.forEach((operator, index) => {
      if (operator === OPS.setFont) fits = font.test(fontName(page, argsArray[index]));
      // The numbers between the glyphs are offsets.
      if (operator === OPS.showText && fits)
        glyphs += [argsArray[index]].flat(2).filter((shown) => typeof shown === "object").length;
    });
  }
  return glyphs;
}

/** Names of the embedded fonts, without the prefix that marks a subset. */
async function fontsOf(document: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<string[]> {
  const { OPS } = await getResolvedPDFJS();
  const names = new Set<string>();
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { fnArray, argsArray } = await page.getOperatorList();
    fnArray.forEach((operator, index) => {
      if (operator === OPS.setFont) names.add(fontName(page, argsArray[index]));
    });
  }
  return [...names].toSorted();
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>["getPage"]>>;

function fontName(page: Page, [id]: unknown[]): string {
  return (page.commonObjs.get(String(id)) as { name: string }).name.replace(/^[A-Z]{6}\+/, "");
}
