import { addAbortSignal, PassThrough, pipeline, Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";

/** Adds one entry. Resolves once its content was read to the end, so that the next one is produced only then. */
export type AddEntry = (
  name: string,
  chunks: AsyncIterable<string> | Iterable<string | Uint8Array>,
  compress?: boolean,
) => Promise<void>;

/**
 * A ZIP produced while it is read: `fill` adds its entries one by one. An error of `fill` becomes the stream's error.
 */
export function writeZip(fill: (add: AddEntry) => Promise<void>): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  // An error becomes the error of `output`.
  pipeline(zip.outputStream, output, () => {});
  zip.on("error", (error) => output.destroy(error));
  // The reader has everything, or has left: then nothing more is read, and the database connection is released.
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

/** File names may be "../A/B" or "...": no entry's name may lead out of the folder that the ZIP is unpacked in. */
export const nameInZip = (shownAs: string) => shownAs.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-").replace(/^\.+/, "");
