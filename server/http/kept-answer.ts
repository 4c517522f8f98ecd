import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import { createHash } from "node:crypto";

/** An answer that is in memory as a whole, ready in each encoding. */
export interface KeptAnswer {
  status: number;
  /** Null where there is no body, or no such form of it. */
  bytes: Record<"identity" | "br" | "gzip", Uint8Array<ArrayBuffer> | null>;
  headers: Record<string, string>;
  /** Null for what nobody should compare with. */
  etag: string | null;
}

/** Weak: all encodings of the same content share it. */
export function etagOf(content: Uint8Array): string {
  return `W/"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
}

/** Sends it in the smallest form the asker takes, or 304 to who has it. */
export function sendKept(context: Context, { status, bytes, headers, etag }: KeptAnswer): Response {
  if (etag && isKnown(context, etag)) return new Response(null, { status: 304, headers });
  const range = headers["Accept-Ranges"] && /^bytes=(\d+)-(\d*)$/.exec(context.req.header("range") ?? "");
  if (range) return sendRange(bytes.identity, headers, Number(range[1]), range[2] ? Number(range[2]) : Infinity);
  const encoding = (["br", "gzip"] as const).find((form) => bytes[form] && accepts(context, form));
  return new Response(encoding ? bytes[encoding] : bytes.identity, {
    status,
    headers: encoding ? { ...headers, "Content-Encoding": encoding } : headers,
  });
}

function accepts(context: Context, encoding: "br" | "gzip"): boolean {
  return parseAccept(context.req.header("accept-encoding") ?? "").some(({ type, q }) => type === encoding && q > 0);
}

/** Compared as RFC 9110 says for If-None-Match: a proxy may have weakened the tag, and several may be named. */
function isKnown(context: Context, etag: string): boolean {
  const named = (context.req.header("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return named.includes("*") || named.includes(etag.replace(/^W\//, ""));
}

/** One range of bytes, RFC 9110 section 14: some browsers play a video only from a server that gives them. */
function sendRange(
  bytes: KeptAnswer["bytes"]["identity"],
  headers: KeptAnswer["headers"],
  first: number,
  last: number,
): Response {
  const size = bytes?.length ?? 0;
  const end = Math.min(last, size - 1);
  if (!bytes || first > end)
    return new Response(null, { status: 416, headers: { ...headers, "Content-Range": `bytes */${size}` } });
  const range = { "Content-Range": `bytes ${first}-${end}/${size}` };
  return new Response(bytes.subarray(first, end + 1), { status: 206, headers: { ...headers, ...range } });
}
