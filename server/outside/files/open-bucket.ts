import { Disk } from "flydrive";
import type { Readable } from "node:stream";
import type { Logger } from "pino";
import type { Env } from "../../settings/env.ts";

/** How long one try may take before an S3-compatible store counts as down. */
export interface StorePatience {
  connectMs: number;
  /** Time without traffic. For 6 seconds and more, the client's timeout fires three seconds late. */
  silentMs: number;
  tries: number;
}

/** A hanging store is reported within 12 seconds: meanwhile requests and mails occupy places that others need. */
export const patience: StorePatience = { connectMs: 3000, silentMs: 5500, tries: 2 };

export interface BucketSettings {
  patience?: StorePatience;
  /** Where the client's warnings go, in place of the console. */
  log?: Logger;
}

/** The AWS client is loaded only where it is used: it doubles the start-up time. */
export async function openBucket(
  s3: NonNullable<Env["s3"]>,
  { patience: { connectMs, silentMs, tries } = patience, log }: BucketSettings,
): Promise<Disk> {
  const [{ S3Driver }, { S3Client }] = await Promise.all([import("flydrive/drivers/s3"), import("@aws-sdk/client-s3")]);
  const client = new S3Client({
    credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
    ...(s3.endpoint && { endpoint: s3.endpoint, forcePathStyle: true }),
    region: s3.region,
    // Not all stores other than Amazon's support the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silentMs, ...warningsTo(log) },
    maxAttempts: tries,
    ...warningsTo(log),
  });
  client.middlewareStack.add(
    (next) => async (request) => {
      const result = await next(request);
      refuseWebPage(result.response as StoreAnswer);
      return result;
    },
    // Beside the connection: before the answer is read.
    { step: "deserialize", priority: "low" },
  );
  return new Disk(new S3Driver({ client, bucket: s3.bucket, visibility: "private", supportsACL: false }));
}

/** Without a log, the client warns on the console. What it tells besides repeats each call, with the bytes of files. */
function warningsTo(log: Logger | undefined) {
  if (!log) return {};
  const warn = (text: unknown) => log.warn({ where: "file store" }, String(text));
  return { logger: { debug() {}, info() {}, warn, error() {} } };
}

interface StoreAnswer {
  headers: Record<string, string>;
  body: Readable;
}

/**
 * A wrong address, or a proxy on the way that wants a sign-in, answers everything with a page: a document would count as
 * stored that is nowhere, and customers would be mailed the page as their invoice.
 * @throws an error that says so
 */
function refuseWebPage({ headers, body }: StoreAnswer): void {
  if (!headers["content-type"]?.startsWith("text/html")) return;
  body.destroy();
  throw new Error(
    "A web page came from where the file store should be: S3_ENDPOINT is wrong, or a proxy answers for it",
  );
}
