import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, openSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { extract, pack } from "tar-stream";
import { sha256Of } from "../protection/sha256-of.ts";
import { StartRefused } from "../settings/env.ts";
import { type Contents, Manifest } from "./manifest.ts";

const manifestName = "manifest.json";

/** Adds one entry, which must fit into memory; larger content is split into several. */
export type Add = (name: string, bytes: Uint8Array) => Promise<void>;

/** Writes a .tar.gz that only its owner can read. The last entry is the manifest, with a hash of every other one. */
export async function writeArchive(path: string, fill: (add: Add) => Promise<Contents>): Promise<Manifest> {
  const tar = pack();
  // Open at once: a stream opens its file a moment later, perhaps after the caller has removed a failed one.
  const file = createWriteStream(path, { fd: openSync(path, "wx", 0o600), flush: true });
  const written = pipeline(tar, createGzip(), file);
  const put = async (name: string, bytes: Uint8Array) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry = tar.entry({ name, mode: 0o600 }, bytes, (error) => (error ? reject(error) : resolve()));
    // The callback gets the error as well.
    entry.on("error", () => {});
    await Promise.race([promise, written]);
  };
  const hashes: Record<string, string> = {};
  const close = async () => {
    const contents = await fill(async (name, bytes) => {
      hashes[name] = sha256Of(bytes);
      await put(name, bytes);
    });
    const manifest = { ...contents, hashes };
    await put(manifestName, Buffer.from(JSON.stringify(manifest, null, 2)));
    tar.finalize();
    return manifest;
  };
  const [manifest] = await Promise.all([
    close().catch((error: unknown) => {
      tar.destroy(error as Error);
      throw error;
    }),
    written,
  ]);
  return manifest;
}

export interface Entry {
  name: string;
  chunks: AsyncIterable<Buffer>;
}

/** Every entry except the manifest, in order; each must be read before the next one is requested. */
export async function* readArchive(path: string): AsyncGenerator<Entry> {
  const tar = extract();
  const read = pipeline(createReadStream(path), createGunzip(), tar);
  // The loop below throws its error as well.
  read.catch(() => {});
  for await (const entry of tar)
    if (entry.header.name === manifestName) entry.resume();
    else {
      yield { name: entry.header.name, chunks: entry as AsyncIterable<Buffer> };
      // Skips what the caller did not read.
      entry.resume();
    }
  await read;
}

/**
 * Reads a whole backup and answers its manifest.
 * @throws StartRefused unless every entry is as it was written
 */
export async function verifyArchive(path: string): Promise<Manifest> {
  const tar = extract();
  const read = pipeline(createReadStream(path), createGunzip(), tar);
  read.catch(() => {});
  const found = new Map<string, string>();
  let closing: Buffer | null = null;
  try {
    for await (const entry of tar) {
      if (entry.header.name === manifestName) {
        closing = await buffer(entry as AsyncIterable<Buffer>);
        continue;
      }
      const hash = createHash("sha256");
      for await (const chunk of entry as AsyncIterable<Buffer>) hash.update(chunk);
      found.set(entry.header.name, hash.digest("hex"));
    }
    await read;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new StartRefused(`There is no file ${path}.`);
    throw new StartRefused(`${path} is not a whole backup: ${message}.`);
  }
  if (!closing) throw new StartRefused(`${path} is not a whole backup: it has no ${manifestName}.`);
  const manifest = Manifest.safeParse(JSON.parse(closing.toString()));
  if (!manifest.success)
    throw new StartRefused(`${path} was made by a version of Prahari that this one does not know.`);
  const { hashes } = manifest.data;
  const damaged = [...new Set([...found.keys(), ...Object.keys(hashes)])].find(
    (name) => found.get(name) !== hashes[name],
  );
  if (damaged) throw new StartRefused(`${path} is damaged: ${damaged} is not as it was written.`);
  return manifest.data;
}
