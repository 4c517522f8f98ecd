import { withoutFaults } from "../../../contract/plain-text.ts";
import { type Threads, threads as ofProcess } from "../../process/threads.ts";
import type { Documents } from "./documents.ts";
import type { RenderRequest, Signing } from "./render.ts";

/**
 * Renders one document after the other, each within `limitMs`. If a thread dies or takes longer, only its current
 * document fails; those waiting get a new thread.
 */
export function startDocuments({
  limitMs = 30_000,
  signing = null,
  threads = ofProcess,
}: { limitMs?: number; signing?: Signing; threads?: Threads } = {}): Documents {
  const stopping = new AbortController();
  const module = new URL("./render.ts", import.meta.url);
  return {
    async render(template, data, attached) {
      if (stopping.signal.aborted) throw new Error("The product is stopping; no documents are rendered");
      const input: RenderRequest = { template, data: JSON.stringify(data, printable), attached, signing };
      const call = { module, function: "render", input };
      try {
        return await threads.run<Uint8Array>("documents", call, { limitMs, stop: stopping.signal });
      } catch (error) {
        if (error === stopping.signal.reason) throw error;
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`The document could not be rendered: ${why}`, { cause: error });
      }
    },
    close() {
      stopping.abort(new Error("The product stopped before the document was rendered"));
      return Promise.resolve();
    },
  };
}

/** Input stored before names were checked may still contain characters that reverse a line's direction. */
function printable(_key: string, value: unknown): unknown {
  return typeof value === "string" ? withoutFaults(value.normalize("NFC")) : value;
}
