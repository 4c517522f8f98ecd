import { extractText, getDocumentProxy, getResolvedPDFJS } from "unpdf";

export interface ReadPdf {
  /** Runs of white space are one space. */
  text: string;
  pages: string[];
  tagged: boolean;
  /** Whether it says to meet PDF/UA, which allows no character without a glyph. */
  accessible: boolean;
  title: string;
  fonts: string[];
}

/** What a reader gets out of a PDF. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text } = await extractText(document, { mergePages: false });
  const pages = text.map((page) => page.replace(/\s+/g, " "));
  const { info } = await document.getMetadata();
  return {
    text: pages.join(" "),
    pages,
    tagged: (await document.getMarkInfo())?.Marked === true,
    accessible: Buffer.from(bytes).includes("pdfuaid:part"),
    title: String((info as { Title?: string }).Title),
    fonts: await fontsOf(document),
  };
}

/** Names of the embedded fonts, without the letters that mark a subset. */
async function fontsOf(document: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<string[]> {
  const { OPS } = await getResolvedPDFJS();
  const names = new Set<string>();
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { fnArray, argsArray } = await page.getOperatorList();
    fnArray.forEach((operator, index) => {
      if (operator !== OPS.setFont) return;
      const font = page.commonObjs.get(String(argsArray[index]?.[0])) as { name: string };
      names.add(font.name.replace(/^[A-Z]{6}\+/, ""));
    });
  }
  return [...names].toSorted();
}
