/**
 * Adds room for a signature to a PDF as an incremental update, which keeps every existing byte (ISO 32000-1, 7.5.6 and
 * 12.8.1). Reads PDFs as Typst writes them: objects in plain text and a classic cross-reference table.
 */

/** Room for the signature: a chain of four certificates of 4,096 bits takes half of it. */
const signatureBytes = 16_384;
/** Room for four numbers of at most ten digits: filling them in later must not move anything. */
const rangeWidth = 43;

interface Changed {
  number: number;
  text: string;
}

/**
 * The PDF with an invisible, empty signature on its first page. @throws when the PDF has another structure than
 * expected
 */
export function withSignatureField(pdf: Uint8Array, { name, at }: { name: string; at: Date }): Buffer<ArrayBuffer> {
  const text = Buffer.from(pdf).toString("latin1");
  const trailer = text.slice(text.lastIndexOf("trailer"));
  const size = Number(find(trailer, /\/Size (\d+)/));
  const table = Number(find(trailer, /startxref\s+(\d+)/));
  const root = Number(find(trailer, /\/Root (\d+) 0 R/));
  const offsets = readTable(text, table);
  const read = (number: number) => readObject(text, number, offsets[number]);
  const page = firstPage(read, Number(find(read(root), /\/Pages (\d+) 0 R/)));
  const signature = size;
  const widget = size + 1;
  const update = [
    { number: root, text: withEntry(read(root), `/AcroForm << /SigFlags 3 /Fields [${widget} 0 R] >>`) },
    { number: page, text: withAnnotation(read(page), widget) },
    { number: signature, text: emptySignature(name, at) },
    // Zero size keeps it invisible; flags 132: printed and locked.
    {
      number: widget,
      text: `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature) /V ${signature} 0 R /P ${page} 0 R /F 132 /Rect [0 0 0 0] >>`,
    },
  ];
  const kept = trailer.match(/\/Info \d+ 0 R|\/ID \[[^\]]*\]/g) ?? [];
  const facts = [`/Size ${size + 2}`, `/Root ${root} 0 R`, `/Prev ${table}`, ...kept].join(" ");
  return withRange(append(text, update, facts));
}

/** The bytes that the signature covers: everything except itself. */
export function signedBytes(pdf: Buffer): Buffer<ArrayBuffer> {
  const { from, until } = placeOfSignature(pdf);
  return Buffer.concat([pdf.subarray(0, from), pdf.subarray(until)]);
}

/** Inserts the signature (DER). @throws when it does not fit */
export function withSignature(pdf: Buffer<ArrayBuffer>, signature: Uint8Array): Uint8Array<ArrayBuffer> {
  if (signature.length > signatureBytes) throw new Error(`A signature of ${signature.length} bytes has no room.`);
  pdf.write(Buffer.from(signature).toString("hex"), placeOfSignature(pdf).from + 1, "latin1");
  return new Uint8Array(pdf);
}

function emptySignature(name: string, at: Date): string {
  return [
    "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached",
    `/Name <feff${Buffer.from(name, "utf16le").swap16().toString("hex")}>`,
    `/M (D:${at.toISOString().replaceAll(/\D/g, "").slice(0, 14)}Z)`,
    `/ByteRange [${" ".repeat(rangeWidth)}]`,
    `/Contents <${"0".repeat(2 * signatureBytes)}> >>`,
  ].join("\n");
}

/** The last signature's /Contents, from before the `<` to after the `>`. */
function placeOfSignature(pdf: Buffer): { from: number; until: number } {
  const from = pdf.lastIndexOf("/Contents <0") + "/Contents ".length;
  return { from, until: from + 2 * signatureBytes + 2 };
}

function withRange(pdf: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const { from, until } = placeOfSignature(pdf);
  const range = [0, from, until, pdf.length - until].join(" ");
  pdf.write(range.padEnd(rangeWidth), pdf.lastIndexOf("/ByteRange [") + "/ByteRange [".length, "latin1");
  return pdf;
}

/** The offset of each object, by its number. */
function readTable(text: string, at: number): number[] {
  const lines = text.slice(at).split(/\r?\n/);
  if (lines[0]?.trim() !== "xref" || !lines[1]?.startsWith("0 ")) throw new Error("The PDF has no plain table.");
  const count = Number(lines[1].split(" ")[1]);
  return lines.slice(2, 2 + count).map((line) => Number(line.slice(0, 10)));
}

function readObject(text: string, number: number, offset = -1): string {
  const start = `${number} 0 obj`;
  if (!text.startsWith(start, offset)) throw new Error(`The PDF has no object ${number} where its table says.`);
  return text.slice(offset + start.length, text.indexOf("endobj", offset)).trim();
}

function firstPage(read: (number: number) => string, pages: number): number {
  const first = Number(find(read(pages), /\/Kids \[\s*(\d+) 0 R/));
  return /\/Type \/Pages\b/.test(read(first)) ? firstPage(read, first) : first;
}

function withAnnotation(page: string, widget: number): string {
  if (!page.includes("/Annots")) return withEntry(page, `/Annots [${widget} 0 R]`);
  if (!page.includes("/Annots [")) throw new Error("The annotations of the PDF's first page are not on it.");
  return page.replace("/Annots [", `/Annots [${widget} 0 R `);
}

function withEntry(dictionary: string, entry: string): string {
  return `${dictionary.slice(0, dictionary.lastIndexOf(">>"))}${entry}\n>>`;
}

function append(text: string, update: Changed[], facts: string): Buffer<ArrayBuffer> {
  let whole = text.endsWith("\n") ? text : `${text}\n`;
  let table = "xref\n";
  for (const { number, text: object } of update) {
    table += `${number} 1\n${String(whole.length).padStart(10, "0")} 00000 n \n`;
    whole += `${number} 0 obj\n${object}\nendobj\n`;
  }
  return Buffer.from(`${whole}${table}trailer\n<< ${facts} >>\nstartxref\n${whole.length}\n%%EOF\n`, "latin1");
}

function find(text: string, pattern: RegExp): string {
  const [, found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new Error(`The PDF has nothing like ${pattern.source}.`);
  return found;
}
