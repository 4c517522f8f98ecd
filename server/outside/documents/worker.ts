import { type CompileDocArgs, NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import type { TemplateName } from "./documents.ts";
import { fontPaths } from "./fonts.ts";

/** Renders one document after the other, away from the thread that answers people. */

export interface RenderRequest {
  template: TemplateName;
  /** JSON. */
  data: string;
}
export type RenderAnswer = { pdf: Uint8Array<ArrayBuffer> } | { error: string };

const templates: Record<TemplateName, string> = {
  proposal: "quotes/proposal.typ",
  invoice: "billing/invoice.typ",
  creditNote: "billing/credit-note.typ",
};
const server = fileURLToPath(new URL("../../", import.meta.url));

// Typst sees the machine's fonts too and can't be told not to: letter.typ names ours, and of two of one name the first wins.
const compiler = NodeCompiler.create({ workspace: server, fontArgs: [{ fontPaths }] });

parentPort?.on("message", ({ template, data }: RenderRequest) => {
  const answer = render(template, data);
  parentPort?.postMessage(answer, "pdf" in answer ? [answer.pdf.buffer] : []);
  compiler.evictCache(10);
});

function render(template: TemplateName, data: string): RenderAnswer {
  // People's words reach the template as strings inside JSON: Typst never reads them as markup.
  const source = { mainFilePath: server + templates[template], inputs: { data } };
  try {
    return { pdf: new Uint8Array(exportPdf(source)) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** PDF/UA, for screen readers; a character that no font has is against that standard, so such a document is only tagged. */
function exportPdf(source: CompileDocArgs): Buffer {
  try {
    return compiler.pdf(source, { pdfStandard: "ua-1" });
  } catch (error) {
    if (messageOf(error).includes("PDF/UA-1 error")) return compiler.pdf(source);
    throw error;
  }
}

/** Typst's diagnostics come in `code`. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || String((error as NodeJS.ErrnoException).code);
}
