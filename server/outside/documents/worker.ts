import { NodeCompiler, type NodeTypstDocument } from "@myriaddreamin/typst-ts-node-compiler";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import type { TemplateName } from "./documents.ts";

/** Renders one document after the other, away from the thread that answers people. */

export interface RenderRequest {
  template: TemplateName;
  /** JSON. */
  data: string;
}
export type RenderAnswer = { pdf: Uint8Array<ArrayBuffer> } | { error: string };

const templates: Record<TemplateName, string> = { proposal: "quotes/proposal.typ", invoice: "orders/invoice.typ" };
const server = fileURLToPath(new URL("../../", import.meta.url));

// For scripts that the shipped fonts lack, Typst takes what the machine has.
const compiler = NodeCompiler.create({
  workspace: server,
  fontArgs: [{ fontPaths: [fileURLToPath(new URL("fonts", import.meta.url))] }],
});

parentPort?.on("message", ({ template, data }: RenderRequest) => {
  const answer = render(template, data);
  parentPort?.postMessage(answer, "pdf" in answer ? [answer.pdf.buffer] : []);
  compiler.evictCache(10);
});

function render(template: TemplateName, data: string): RenderAnswer {
  try {
    // People's words reach the template as strings inside JSON: Typst never reads them as markup.
    const compiled = compiler.compile({ mainFilePath: server + templates[template], inputs: { data } });
    if (!compiled.result)
      return { error: JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? "no document") };
    return { pdf: new Uint8Array(exportPdf(compiled.result)) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** PDF/UA, for screen readers; a character that no font has is against that standard, so such a document is only tagged. */
function exportPdf(document: NodeTypstDocument): Buffer {
  try {
    return compiler.pdf(document, { pdfStandard: "ua-1" });
  } catch {
    return compiler.pdf(document);
  }
}
