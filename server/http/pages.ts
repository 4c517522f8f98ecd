import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { createRequestHandler, type RouterContext, RouterContextProvider, type ServerBuild } from "react-router";
import { answerVisitor } from "./api.ts";
import type { OperationName } from "../../contract/operations.ts";
import { addressMark } from "../../contract/site-address.ts";
import { isOutage } from "../failures/outage.ts";
import { contentSecurityPolicy } from "./security-headers.ts";
import type { Services } from "../services.ts";

export interface Pages {
  answer(context: Context): Promise<Response>;
}

interface KeptFile {
  bytes: Record<"identity" | "br" | "gzip", Uint8Array<ArrayBuffer> | null>;
  headers: Record<string, string>;
}

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".vtt": "text/vtt; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".data": "text/x-script; charset=utf-8",
  ".png": "image/png",
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".mp4": "video/mp4",
  ".webm": "video/webm",
  ".webmanifest": "application/manifest+json",
};
/** Endings of files that become smaller; the build keeps their .br and .gz forms beside them. */
export const compressedTypes = new Set(
  Object.keys(types).filter((ending) => /^(text|application|image\/svg)/.test(types[ending] ?? "")),
);

/** Serves the built site: prerendered pages and assets from memory, everything else rendered on the server. */
export async function openPages(buildFolder: string, services: Services): Promise<Pages> {
  const build = (await import(pathToFileURL(join(buildFolder, "server/index.js")).href)) as ServerBuild;
  const handle = createRequestHandler(build, "production");
  // app/server-api.ts: how a loader asks the API without leaving the process.
  const { serverApi } = build.entry.module as unknown as { serverApi: RouterContext };
  const render: Render = async (request) => {
    const context = new RouterContextProvider();
    let outage: unknown = null;
    const ask = (name: OperationName, input: unknown) =>
      answerVisitor(services, name, input).catch((error: unknown) => {
        if (isOutage(error)) outage = error;
        throw error;
      });
    context.set(serverApi, ask);
    const page = await handle(request, context);
    if (outage === null || !isDocument(page)) return page;
    services.tellOutage(outage, new URL(request.url).pathname);
    // Whatever the page makes of what it lacks, nobody is to keep it for what stands there.
    const headers = new Headers(page.headers);
    headers.set("Retry-After", "2");
    return new Response(page.body, { status: 503, headers });
  };
  const kept = await keepFiles(join(buildFolder, "client"), services);
  return {
    async answer(context) {
      const path = safeDecode(context.req.path);
      const file = kept.get(path) ?? kept.get(path.replace(/\/$/, ""));
      return file ? answerFile(context, file) : renderPage(context, render, services);
    },
  };
}

type Render = (request: Request) => Promise<Response>;

const isDocument = ({ status, headers }: Response) =>
  (status < 300 || status >= 400) && headers.get("Content-Type")?.startsWith("text/html") === true;

async function renderPage(context: Context, render: Render, services: Services) {
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(services, [`nonce-${nonce}`]);
  // Handed to entry.server.tsx by a header of the request, which a browser can't have set: it is replaced here.
  // Its address is the public one, whatever a proxy made of it: pages name themselves by it.
  const { pathname, search } = new URL(context.req.url);
  const request = new Request(services.publicUrl + pathname + search, context.req.raw);
  request.headers.set("x-script-nonce", nonce);
  const answer = await render(request);
  const headers = new Headers(answer.headers);
  headers.set("Content-Security-Policy", policy);
  headers.set("Cache-Control", "no-store");
  return compressed(context, new Response(answer.body, { status: answer.status, headers }));
}

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };
const quality = (level: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: level } });

/** A rendered page holds nothing secret beside what its address says, so that its length tells nothing. */
async function compressed(context: Context, page: Response): Promise<Response> {
  if (!accepts(context, "br") || !page.headers.get("Content-Type")?.startsWith("text/") || !page.body) return page;
  page.headers.set("Content-Encoding", "br");
  page.headers.append("Vary", "Accept-Encoding");
  return new Response(await compress.br(await page.arrayBuffer(), quality(5)), page);
}

function accepts(context: Context, encoding: "br" | "gzip"): boolean {
  return parseAccept(context.req.header("accept-encoding") ?? "").some(({ type, q }) => type === encoding && q > 0);
}

function answerFile(context: Context, { bytes, headers }: KeptFile): Response {
  if (isKnown(context, headers["ETag"] ?? "")) return new Response(null, { status: 304, headers });
  const range = headers["Accept-Ranges"] && /^bytes=(\d+)-(\d*)$/.exec(context.req.header("range") ?? "");
  if (range) return answerRange(bytes.identity, headers, Number(range[1]), range[2] ? Number(range[2]) : Infinity);
  const encoding = (["br", "gzip"] as const).find((form) => bytes[form] && accepts(context, form));
  return new Response(encoding ? bytes[encoding] : bytes.identity, {
    headers: encoding ? { ...headers, "Content-Encoding": encoding } : headers,
  });
}

/** One range of bytes, RFC 9110 section 14: some browsers play a video only from a server that gives them. */
function answerRange(bytes: KeptFile["bytes"]["identity"], headers: KeptFile["headers"], first: number, last: number) {
  const size = bytes?.length ?? 0;
  const end = Math.min(last, size - 1);
  if (!bytes || first > end)
    return new Response(null, { status: 416, headers: { ...headers, "Content-Range": `bytes */${size}` } });
  const range = { "Content-Range": `bytes ${first}-${end}/${size}` };
  return new Response(bytes.subarray(first, end + 1), { status: 206, headers: { ...headers, ...range } });
}

/** Compared as RFC 9110 says for If-None-Match: a proxy may have weakened the tag, and several may be named. */
function isKnown(context: Context, etag: string): boolean {
  const named = (context.req.header("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return named.includes("*") || named.includes(etag.replace(/^W\//, ""));
}

/** Reads the built files once; they are few. Keys are addresses: /about for about/index.html. */
async function keepFiles(folder: string, services: Services): Promise<Map<string, KeptFile>> {
  const kept = new Map<string, KeptFile>();
  if (!existsSync(folder)) return kept;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(br|gz)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const address = `/${relative(folder, path).replaceAll("\\", "/")}`;
    kept.set(address.replace(/\/?index\.html$/, "") || "/", await keepFile(path, address, services));
  }
  const home = kept.get("");
  if (home) kept.set("/", home);
  return kept;
}

async function keepFile(path: string, address: string, services: Services): Promise<KeptFile> {
  const isPage = extname(path) === ".html";
  const identity = isPage ? addressed(readFileSync(path, "utf8"), services) : new Uint8Array(readFileSync(path));
  const type = types[extname(path)] ?? "application/octet-stream";
  const small = compressedTypes.has(extname(path));
  const headers: Record<string, string> = {
    "Content-Type": type,
    // Weak: all encodings of the file share it.
    ETag: `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`,
    "Cache-Control": address.startsWith("/assets/")
      ? "public, max-age=31536000, immutable"
      : "public, max-age=0, must-revalidate",
    ...(small && { Vary: "Accept-Encoding" }),
    ...(type.startsWith("video/") && { "Accept-Ranges": "bytes" }),
    ...(isPage && {
      "Content-Security-Policy": contentSecurityPolicy(services, inlineScriptHashes(identity)),
    }),
  };
  const packed = isPage
    ? {
        br: new Uint8Array(await compress.br(identity, quality(9))),
        gzip: new Uint8Array(await compress.gzip(identity)),
      }
    : { br: small ? readIfThere(`${path}.br`) : null, gzip: small ? readIfThere(`${path}.gz`) : null };
  return { bytes: { identity, ...packed }, headers };
}

/** A page as it is at this address: when it was built, that was not known. */
const addressed = (page: string, { publicUrl }: Services) =>
  new Uint8Array(Buffer.from(page.replaceAll(addressMark, publicUrl)));

function readIfThere(path: string): Uint8Array<ArrayBuffer> | null {
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : null;
}

/** Hashes of the inline scripts of a page made at build time, for its Content-Security-Policy. */
function inlineScriptHashes(page: Uint8Array): string[] {
  const scripts = new TextDecoder().decode(page).matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g);
  return [...scripts].map(([, script = ""]) => `sha256-${createHash("sha256").update(script).digest("base64")}`);
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
