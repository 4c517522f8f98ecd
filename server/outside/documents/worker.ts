import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";

/** Renders one document after the other, away from the thread that answers people. */

const server = fileURLToPath(new URL("../..", import.meta.url));
const templates = { proposal: "quotes/proposal.typ", invoice: "orders/invoice.typ" };

export type TemplateName = keyof typeof templates;
export interface RenderRequest {
  id: number;
  template: TemplateName;
  data: unknown;
}
export type RenderAnswer = { id: number; pdf: Uint8Array } | { id: number; error: string };

const compiler = NodeCompiler.create({
  workspace: server,
  fontArgs: [{ fontPaths: [fileURLToPath(new URL("./fonts", import.meta.url))] }],
});
const sources = Object.fromEntries(
  Object.entries(templates).map(([name, path]) => [name, readFileSync(`${server}/${path}`, "utf8")]),
) as Record<TemplateName, string>;

parentPort?.on("message", ({ id, template, data }: RenderRequest) => {
  let answer: RenderAnswer;
  try {
    // People's words reach the template as strings inside JSON: Typst never reads them as markup.
    compiler.addSource(`${server}/${templates[template]}`, sources[template]);
    const pdf = compiler.pdf({ mainFilePath: `${server}/${templates[template]}`, inputs: { data: JSON.stringify(data) } });
    answer = { id, pdf: new Uint8Array(pdf) };
    compiler.evictCache(10);
  } catch (error) {
    answer = { id, error: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});
