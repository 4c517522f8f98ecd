import { Disk, errors } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import { createHmac, randomUUID } from "node:crypto";
import { chmodSync, createReadStream, createWriteStream, mkdirSync, readdirSync, statSync } from "node:fs";
import { access, constants, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { limits } from "../../../contract/limits.ts";
import type { Env } from "../../settings/env.ts";
import { StartRefused } from "../../settings/start-refused.ts";
import { isSameSecret } from "../../protection/is-same-secret.ts";
import { deriveKey } from "../../protection/tokens.ts";
import { type BucketSettings, openBucket, patience, type StorePatience } from "./open-bucket.ts";
import type { FileStore } from "./store.ts";

const expiresInSeconds = limits.signedUrlMinutes * 60;

const contentTypes: Record<string, string> = {
  ".pdf": "application/pdf",
  ".avif": "image/avif",
  ".webp": "image/webp",
  // Exports of a person's data.
  ".zip": "application/zip",
};
export const contentTypeOf = (name: string) => contentTypes[extname(name)] ?? "application/octet-stream";

type StoreEnv = Pick<Env, "s3" | "dataDir" | "tokenSecret">;

/** An S3-compatible store, or a folder under DATA_DIR whose signed addresses this server answers itself. */
export function openFileStore(
  env: StoreEnv,
  publicUrl: string,
  now: () => Date,
  settings: BucketSettings = {},
): FileStore {
  return env.s3 ? bucketStore(env.s3, env.dataDir, settings) : folderStore(env, publicUrl, now);
}

function folderStore(env: StoreEnv, publicUrl: string, now: () => Date): FileStore {
  const folder = join(env.dataDir, "files");
  closeToOthers(folder);
  const disk = new Disk(new FSDriver({ location: folder, visibility: "private" }));
  return {
    origins: [],
    write: (name, bytes) => writePart(folder, Readable.from([bytes]), (part) => takeName(folder, part, name)),
    async writeStream(name, bytes) {
      await removeStaleParts(folder);
      await writePart(folder, bytes, (part) => takeName(folder, part, name));
    },
    read: (name) => disk.getBytes(name),
    async check() {
      await access(folder, constants.R_OK | constants.W_OK);
      const { bavail, bsize } = await statfs(folder);
      return { place: `The folder ${folder}`, freeBytes: bavail * bsize };
    },
    async *list() {
      for await (const name of listDisk(disk)) if (!name.endsWith(partEnding)) yield name;
    },
    remove: (name) => disk.delete(name),
    signedUrl: async (name, shownAs) => signAddress({ ...env, publicUrl, now }, name, shownAs),
  };
}

/** The ending of a file that is still being written; it gets its own name only when complete. */
const partEnding = ".part";

/**
 * Writes the stream to a local file, flushes it, hands it over and removes what is left. The row that names the file is
 * committed afterwards and must not outlive it in a power failure.
 */
async function writePart(folder: string, bytes: Readable, handOver: (part: string) => Promise<void>): Promise<void> {
  const part = join(folder, `${randomUUID()}${partEnding}`);
  try {
    await pipeline(bytes, createWriteStream(part, { mode: 0o600, flush: true }));
    await handOver(part);
  } finally {
    await rm(part, { force: true });
  }
}

/** Renames the complete file and flushes the folder, so that the name is on disk too. Windows can't open a folder. */
async function takeName(folder: string, part: string, name: string): Promise<void> {
  await rename(part, join(folder, name));
  if (process.platform === "win32") return;
  const opened = await open(folder);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/** Removes parts older than an hour, left by a process that was killed. */
async function removeStaleParts(folder: string): Promise<void> {
  const parts = (await readdir(folder)).filter((name) => name.endsWith(partEnding)).map((name) => join(folder, name));
  for (const part of parts) {
    const begun = await stat(part).catch(() => null);
    if (begun && Date.now() - begun.mtimeMs > 3_600_000) await rm(part, { force: true });
  }
}

/**
 * Makes the folder unreadable for other users of this machine: the files show what people bought, and for how much. If
 * the folder was open, its files are closed first, so that an interrupted start is completed by the next.
 * @throws StartRefused when they belong to another user
 */
function closeToOthers(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if ((statSync(folder).mode & 0o077) === 0) return;
  try {
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o600);
    chmodSync(folder, 0o700);
  } catch (error) {
    throw new StartRefused(
      `The files in ${folder} can't be closed to other users (${(error as Error).message}); make them the property of the user who starts this.`,
    );
  }
}

function bucketStore(s3: NonNullable<Env["s3"]>, dataDir: string, settings: BucketSettings): FileStore {
  const opened = openBucket(s3, settings);
  // Every method awaits this promise and fails with it; this only avoids an unhandled rejection.
  opened.catch(() => undefined);
  return {
    origins: [s3.endpoint ? new URL(s3.endpoint).origin : `https://${s3.bucket}.s3.${s3.region}.amazonaws.com`],
    write: async (name, bytes) => (await opened).put(name, bytes, { contentType: contentTypeOf(name) }),
    // S3 needs the length beforehand.
    async writeStream(name, bytes) {
      await removeStaleParts(dataDir);
      await writePart(dataDir, bytes, async (part) =>
        (await opened).putStream(name, createReadStream(part), { contentType: contentTypeOf(name) }),
      );
    },
    async read(name) {
      const file = await (await opened).getStream(name);
      return readInTime(file, settings.patience ?? patience).catch((cause: unknown) => {
        throw new errors.E_CANNOT_READ_FILE([name], { cause });
      });
    },
    async check() {
      await (await opened).listAll("", { recursive: true });
      return { place: `The bucket ${s3.bucket}`, freeBytes: null };
    },
    list: () => listDisk(opened),
    remove: async (name) => (await opened).delete(name),
    signedUrl: async (name, shownAs) =>
      (await opened).getSignedUrl(name, {
        expiresIn: `${expiresInSeconds}s`,
        contentType: contentTypeOf(name),
        contentDisposition: `${name.endsWith(".zip") ? "attachment" : "inline"}; filename="${saveableName(shownAs)}"`,
      }),
  };
}

/** The slowest acceptable average, in bytes per millisecond: 64 kB a second, as for uploads to us. */
const slowestBytes = 64;

/**
 * A store that trickles bytes never trips the silence limit, and would keep the caller waiting without end.
 * @throws an error that counts as an outage
 */
async function readInTime(file: Readable, { silentMs, tries }: StorePatience): Promise<Uint8Array> {
  const begun = performance.now();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (performance.now() - begun > tries * silentMs + bytes / slowestBytes)
      throw Object.assign(new Error("The file store sends too slowly"), { code: "ETIMEDOUT" });
  }
  return Buffer.concat(chunks);
}

/** A file name that every system accepts and that fits in a quoted header. */
const saveableName = (shownAs: string) => shownAs.replace(/[^\w.-]+/g, "-");

/** Lists page by page, as S3 does. */
async function* listDisk(opening: Disk | null | Promise<Disk>): AsyncGenerator<string> {
  const disk = await opening;
  if (!disk) return;
  for (let paginationToken: string | undefined; ;) {
    const page = await disk.listAll("", { recursive: true, ...(paginationToken && { paginationToken }) });
    for (const object of page.objects) if (object.isFile) yield object.key;
    paginationToken = page.paginationToken;
    if (!paginationToken) return;
  }
}

interface Signer {
  tokenSecret: string;
  publicUrl: string;
  now(): Date;
}

/** An address at which this server gives the file to anyone who has it, for `limits.signedUrlMinutes`. */
export function signAddress({ tokenSecret, publicUrl, now }: Signer, name: string, shownAs: string): string {
  const expires = Math.floor(now().getTime() / 1000) + expiresInSeconds;
  const as = saveableName(shownAs);
  const signature = signatureOf(tokenSecret, name, expires, as);
  return `${publicUrl}/api/files/${name}?${new URLSearchParams({ as, expires: String(expires), signature })}`;
}

/** Whether we signed this address for this file and it has not expired; `expires` is in seconds since 1970. */
export function isSignedAddress(secret: string, name: string, query: Record<string, string>, now: Date): boolean {
  const expires = Number(query["expires"]);
  const signature = signatureOf(secret, name, expires, query["as"] ?? "");
  return isSameSecret(query["signature"] ?? "", signature) && expires * 1000 > now.getTime();
}

function signatureOf(secret: string, name: string, expires: number, as: string): string {
  return createHmac("sha256", deriveKey(secret, "file address")).update(`${name}:${expires}:${as}`).digest("base64url");
}
