import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A complete answer in memory, in each encoding. */
export interface KeptAnswer {
  status: number;
  /** Null without a body or that encoding. */
  bytes: Record<"identity" | "br" | "gzip", Uint8Array<ArrayBuffer> | null>;
  /** All headers, including those of every answer. */
  headers: Record<string, string>;
  /** Null for an answer that must not be revalidated. */
  etag: string | null;
}

/** A weak tag: all encodings of the same content share it. */
export function etagOf(content: Uint8Array): string {
  return `W/"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
}

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** For the request at hand: takes a twentieth of the time of the best quality, for a result an eighth larger. */
const fastQuality = 5;

/** Compresses fast, not to the smallest size. */
export async function compressed(identity: Uint8Array): Promise<Pick<KeptAnswer["bytes"], Encoding>> {
  const [br, gzipped] = await Promise.all([brotli(identity, fastQuality), compress.gzip(identity)]);
  return { br, gzip: new Uint8Array(gzipped) };
}

async function brotli(identity: Uint8Array, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await compress.br(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }));
}

const shrinkings = { afterMs: 5000, pauseMs: 250, waitingMax: 50 };
let waiting = 0;
let shrinking = Promise.resolve();

/**
 * After a few seconds, replaces the brotli form with the smallest possible one, if the answer is still kept then: this
 * takes ten times as long as the fast form, too long to wait for. Runs one at a time with pauses, so that requests for
 * endless pages tie up neither a core nor memory. Returns false if too many are queued.
 */
export function shrinkLater({ bytes }: Pick<KeptAnswer, "bytes">, isKept = () => true): boolean {
  if (waiting >= shrinkings.waitingMax) return false;
  waiting++;
  const shrink = async () => {
    waiting--;
    if (!bytes.identity || !isKept()) return;
    bytes.br = await brotli(bytes.identity, constants.BROTLI_MAX_QUALITY);
    await sleep(shrinkings.pauseMs, undefined, { ref: false });
  };
  const goOn = () => {
    // If this fails, the fast form stays.
    shrinking = shrinking.then(shrink).catch(() => undefined);
  };
  setTimeout(goOn, shrinkings.afterMs).unref();
  return true;
}

/** Chooses what to send: 304 if the client has it, a range, or the smallest form that it accepts. */
function formFor({ status, bytes, headers, etag }: KeptAnswer, asked: IncomingHttpHeaders): Sent {
  if (etag && isKnown(asked["if-none-match"], etag)) return { status: 304, headers, body: null };
  const range = headers["Accept-Ranges"] && /^bytes=(\d+)-(\d*)$/.exec(asked.range ?? "");
  if (range) return rangeOf(bytes.identity, headers, Number(range[1]), range[2] ? Number(range[2]) : Infinity);
  const encoding = encodingsIn(asked["accept-encoding"]).find((form) => bytes[form]);
  return encoding ? { status, headers, encoding, body: bytes[encoding] } : { status, headers, body: bytes.identity };
}

interface Sent {
  status: number;
  headers: Record<string, string>;
  encoding?: Encoding;
  body: Uint8Array<ArrayBuffer> | null;
}

/** The answer for a request handled by the application. */
export function sendKept(context: Context, kept: KeptAnswer): Response {
  const { status, headers, encoding, body } = formFor(kept, context.req.header());
  return new Response(body, { status, headers: encoding ? { ...headers, "Content-Encoding": encoding } : headers });
}

/** Writes the answer without the application, which would cost several times as much. */
export function writeKept(request: IncomingMessage, response: ServerResponse, kept: KeptAnswer): void {
  const sent = formFor(kept, request.headers);
  response.writeHead(sent.status, linesOf(sent));
  response.end(request.method === "HEAD" ? null : sent.body);
}

const keptLines = new WeakMap<Uint8Array, string[]>();

/** Header names and values in turn, built once for each form of an answer. */
function linesOf({ headers, encoding, body }: Sent): string[] {
  const known = body && keptLines.get(body);
  if (known) return known;
  const lines = Object.entries(headers).flat();
  if (encoding) lines.push("Content-Encoding", encoding);
  if (!body) return lines;
  lines.push("Content-Length", String(body.length));
  keptLines.set(body, lines);
  return lines;
}

type Encoding = "br" | "gzip";

const encodingsOf = new Map<string, readonly Encoding[]>();

/** Browsers send few different headers: each is parsed once. */
function encodingsIn(header = ""): readonly Encoding[] {
  const known = encodingsOf.get(header);
  if (known) return known;
  const accepted = parseAccept(header).filter(({ q }) => q > 0);
  const encodings = (["br", "gzip"] as const).filter((form) => accepted.some(({ type }) => type === form));
  if (encodingsOf.size < 100) encodingsOf.set(header, encodings);
  return encodings;
}

/** Compares as RFC 9110 says for If-None-Match: weakly, as a proxy may have weakened the tag, and with several tags. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const named = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return named.includes("*") || named.includes(etag.replace(/^W\//, ""));
}

/** One range of bytes, RFC 9110 section 14: some browsers play videos only from servers that support ranges. */
function rangeOf(bytes: Sent["body"], headers: Sent["headers"], first: number, last: number): Sent {
  const size = bytes?.length ?? 0;
  const end = Math.min(last, size - 1);
  if (!bytes || first > end)
    return { status: 416, headers: { ...headers, "Content-Range": `bytes */${size}` }, body: null };
  const range = { "Content-Range": `bytes ${first}-${end}/${size}` };
  return { status: 206, headers: { ...headers, ...range }, body: bytes.subarray(first, end + 1) };
}
