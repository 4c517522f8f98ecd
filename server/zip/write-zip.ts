import { addAbortSignal, PassThrough, pipeline, Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";

/** Adds one entry. Answers once it was read to its end, so that the next is made only then. */
export type AddEntry = (
  name: string,
  chunks: AsyncIterable<string> | Iterable<string | Uint8Array>,
  compress?: boolean,
) => Promise<void>;

/** A ZIP that is made while it is read: `fill` adds one entry after the other. What it fails with comes out of the stream. */
export function writeZip(fill: (add: AddEntry) => Promise<void>): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  // What fails comes out of the stream that is taken.
  pipeline(zip.outputStream, output, () => {});
  zip.on("error", (error) => output.destroy(error));
  // Whoever took it has what they need, or takes no more: then nothing more is read, and the database is let go.
  const taken = new AbortController();
  output.once("close", () => taken.abort());
  const add: AddEntry = async (name, chunks, compress = true) => {
    const content = addAbortSignal(taken.signal, Readable.from(chunks, { objectMode: false }));
    zip.addReadStream(content, name, { compress });
    await finished(content);
  };
  fill(add)
    .then(() => zip.end())
    .catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  return output;
}

/** People call files "../A/B" or "...": no name leads out of the folder that the ZIP is unpacked in. */
export const nameInZip = (shownAs: string) => shownAs.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-").replace(/^\.+/, "");
