import { type CompileDocArgs, NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";
import { existsSync, readFileSync } from "node:fs";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { writeWhole } from "../../settings/write-whole.ts";
import type { AttachedFile, TemplateName } from "./documents.ts";
import { fontPaths } from "./fonts.ts";
import { qrCode } from "./qr-code.ts";
import type { Signer } from "./sign-pdf.ts";

/** Runs in the thread for documents, which renders one after the other. */

export interface RenderRequest {
  template: TemplateName;
  /** JSON. */
  data: string;
  attached: AttachedFile | undefined;
  signing: Signing;
}

/**
 * What signs documents: a key with its certificates, a self-signed one that is created and kept in a file, or nothing.
 */
export type Signing = { pem: string } | { selfSignedFile: string; name: string } | null;

interface Template {
  file: string;
  /** PDF/UA serves screen readers; so does PDF/A-3a, which is also for archiving and can embed the document's data. */
  standard: "ua-1" | "a-3a";
  isSigned: boolean;
}

const templates: Record<TemplateName, Template> = {
  proposal: { file: "quotes/proposal.typ", standard: "ua-1", isSigned: false },
  acceptance: { file: "quotes/proposal.typ", standard: "a-3a", isSigned: true },
  invoice: { file: "billing/invoice.typ", standard: "a-3a", isSigned: true },
  proforma: { file: "billing/proforma.typ", standard: "a-3a", isSigned: false },
  receipt: { file: "billing/voucher.typ", standard: "a-3a", isSigned: true },
  refundVoucher: { file: "billing/voucher.typ", standard: "a-3a", isSigned: true },
  account: { file: "ledger/account.typ", standard: "ua-1", isSigned: false },
  serviceReport: { file: "service-reports/report.typ", standard: "a-3a", isSigned: false },
  retention: { file: "service-reports/certificate.typ", standard: "a-3a", isSigned: true },
  reportDraft: { file: "obligations/report-draft.typ", standard: "ua-1", isSigned: false },
  dossier: { file: "dossiers/timeline.typ", standard: "ua-1", isSigned: false },
  creditNote: { file: "billing/credit-note.typ", standard: "a-3a", isSigned: true },
};
const server = fileURLToPath(new URL("../../", import.meta.url));

// Typst also sees the machine's fonts, which can't be turned off: letter.typ names ours, and of two with the same name
// the first wins.
const compiler = NodeCompiler.create({ workspace: server, fontArgs: [{ fontPaths }] });
const signers = new Map<string, Promise<Signer | null>>();

/** Renders a PDF. @throws Error with Typst's message when the template does not compile */
export async function render({ template, data, attached, signing }: RenderRequest): Promise<Uint8Array> {
  const { file, standard, isSigned } = templates[template];
  try {
    const now = new Date();
    const by = isSigned ? await signerAt(now, signing) : null;
    // User input reaches the template as strings inside JSON, so that Typst never reads it as markup.
    const inputs = { data, ...(by && { signedBy: by.name }), ...drawn(data) };
    const source = { mainFilePath: server + file, inputs };
    if (attached) compiler.mapShadow(server + attached.name, Buffer.from(attached.bytes));
    const pdf = exportPdf(source, standard);
    return by ? await by.sign(pdf, now) : new Uint8Array(pdf);
  } catch (error) {
    throw new Error(messageOf(error), { cause: error });
  } finally {
    compiler.evictCache(1);
    // An idle thread does not turn its event loop, which is what frees Typst's memory.
    await turnOfTheLoop();
  }
}

/**
 * The parts of the data that are printed for machines to read; passed as an image, so that the embedded data stays
 * small.
 */
function drawn(data: string): { qrCode?: string } {
  const { signedQr } = JSON.parse(data) as { signedQr?: string };
  return signedQr ? { qrCode: qrCode(signedQr) } : {};
}

/** Null also once the certificate has expired: an invoice needs no signature, and the system screen reports it. */
async function signerAt(now: Date, signing: Signing): Promise<Signer | null> {
  const key = JSON.stringify(signing);
  const opening = signers.get(key) ?? openOwnSigner(signing);
  signers.set(key, opening);
  const opened = await opening;
  return opened?.isValidAt(now) ? opened : null;
}

/** Loads the signing code with the first signed document. */
async function openOwnSigner(signing: Signing): Promise<Signer | null> {
  if (!signing) return null;
  const { openSigner } = await import("./sign-pdf.ts");
  if ("pem" in signing) return openSigner(signing.pem);
  const { makeSelfSigned } = await import("./self-signed.ts");
  if (!existsSync(signing.selfSignedFile))
    writeWhole(signing.selfSignedFile, await makeSelfSigned(signing.name, new Date()));
  return openSigner(readFileSync(signing.selfSignedFile, "utf8"));
}

/** A character missing from every font violates both standards: such a document is only tagged. */
function exportPdf(source: CompileDocArgs, standard: Template["standard"]): Buffer {
  try {
    return compiler.pdf(source, { pdfStandard: standard });
  } catch (error) {
    if (/PDF\/(UA-1|A-3a) error/.test(messageOf(error))) return compiler.pdf(source);
    throw error;
  }
}

/** Typst's diagnostics come in `code`. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || String((error as NodeJS.ErrnoException).code);
}
