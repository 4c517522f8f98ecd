import { inflateSync } from "node:zlib";
import { Certificate, ContentInfo, SignedData } from "pkijs";
import { commonNameOf } from "./sign-pdf.ts";

/** A document's signature; `holds`: the document is byte for byte as it was signed. */
export interface SignatureReport {
  signer: string;
  holds: boolean;
}

/** Reads the document's last signature; null where there is none. Does not check whether the signer can be trusted. */
export async function readSignature(pdf: Uint8Array): Promise<SignatureReport | null> {
  const text = Buffer.from(pdf).toString("latin1");
  const found = /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)\s*\]/g;
  const [from = 0, length = 0, again = 0, rest = 0] = [...text.matchAll(found)].at(-1)?.slice(1).map(Number) ?? [];
  if (length === 0) return null;
  const padded = Buffer.from(text.slice(length + 1, again - 1), "hex");
  try {
    // DER starts with 30 82 and two bytes for the length; the rest of the room is padding.
    const content = ContentInfo.fromBER(new Uint8Array(padded.subarray(0, 4 + padded.readUInt16BE(2))));
    const signed = new SignedData({ schema: content.content });
    const bytes = new Uint8Array(Buffer.concat([pdf.subarray(0, length), pdf.subarray(again, again + rest)]));
    const isWhole = from === 0 && again + rest === pdf.length;
    const holds = isWhole && (await signed.verify({ signer: 0, data: bytes.buffer }).catch(() => false));
    const certificate = signed.certificates?.find((each) => each instanceof Certificate);
    return { signer: certificate ? commonNameOf(certificate) : "somebody without a certificate", holds };
  } catch {
    return { signer: "nobody that can be read", holds: false };
  }
}

/** The files embedded in a document, by name, as Typst writes them. */
export function readAttachments(pdf: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(pdf);
  const text = bytes.toString("latin1");
  const files = new Map<string, Buffer>();
  for (const [, name = "", number = ""] of text.matchAll(
    /\/Type \/Filespec\s+\/F \(([^)]*)\)[^]*?\/EF <<\s*\/F (\d+) 0 R/g,
  )) {
    const at = text.indexOf(`\n${number} 0 obj\n`);
    const start = text.indexOf("stream\n", at) + "stream\n".length;
    const dictionary = text.slice(at, start);
    const [, length] = /\/Length (\d+)/.exec(dictionary) ?? [];
    const stream = bytes.subarray(start, start + Number(length));
    files.set(name, dictionary.includes("/FlateDecode") ? inflateSync(stream) : stream);
  }
  return files;
}
