import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import { S3Driver } from "flydrive/drivers/s3";
import { createHmac, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { limits } from "../../../contract/limits.ts";
import type { Env } from "../../env.ts";
import { deriveKey } from "../../tokens.ts";
import type { FileStore } from "./store.ts";

const expiresInSeconds = limits.signedUrlMinutes * 60;

/** An S3-compatible store, or a folder under DATA_DIR whose signed addresses this server answers itself. */
export function openFileStore(env: Env, publicUrl: string, now: () => Date): FileStore {
  const disk = new Disk(env.s3 ? s3Driver(env.s3) : new FSDriver({ location: join(env.dataDir, "files"), visibility: "private" }));
  return {
    write: (name, bytes) => disk.put(name, bytes, { contentType: "application/pdf" }),
    read: (name) => disk.getBytes(name),
    signedUrl: async (name) =>
      env.s3
        ? disk.getSignedUrl(name, { expiresIn: `${expiresInSeconds}s`, contentType: "application/pdf" })
        : `${publicUrl}/api/files/${name}?${signFileAddress(env.tokenSecret, name, Math.floor(now().getTime() / 1000) + expiresInSeconds)}`,
  };
}

/** `expires` is in seconds since 1970. */
function signFileAddress(secret: string, name: string, expires: number): string {
  return new URLSearchParams({ expires: String(expires), signature: signatureOf(secret, name, expires) }).toString();
}

/** Whether the address was made by us for this file and is still in time. */
export function isSignedAddress(secret: string, name: string, query: Record<string, string>, now: Date): boolean {
  const expires = Number(query["expires"]);
  const given = Buffer.from(query["signature"] ?? "");
  const expected = Buffer.from(signatureOf(secret, name, expires));
  return given.length === expected.length && timingSafeEqual(given, expected) && expires * 1000 > now.getTime();
}

function signatureOf(secret: string, name: string, expires: number): string {
  return createHmac("sha256", deriveKey(secret, "file address")).update(`${name}:${expires}`).digest("base64url");
}

function s3Driver(s3: NonNullable<Env["s3"]>): S3Driver {
  return new S3Driver({
    credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
    ...(s3.endpoint && { endpoint: s3.endpoint, forcePathStyle: true }),
    region: s3.region,
    bucket: s3.bucket,
    visibility: "private",
    supportsACL: false,
  });
}
