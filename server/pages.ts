import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { contentSecurityPolicy } from "./security-headers.ts";
import type { Services } from "./services.ts";

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
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".data": "text/x-script; charset=utf-8",
  ".png": "image/png",
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".mp4": "video/mp4",
  ".webmanifest": "application/manifest+json",
};
/** Endings of files that become smaller; the build keeps their .br and .gz forms beside them. */
export const compressedTypes = new Set(
  Object.keys(types).filter((ending) => /^(text|application|image\/svg)/.test(types[ending] ?? "")),
);

/** Serves the built site: prerendered pages and assets from memory, everything else rendered on the server. */
export async function openPages(buildFolder: string, services: Services): Promise<Pages> {
  const build = (await import(pathToFileURL(join(buildFolder, "server/index.js")).href)) as ServerBuild;
  const render = createRequestHandler(build, "production");
  const kept = keepFiles(join(buildFolder, "client"), services);
  return {
    async answer(context) {
      const path = safeDecode(context.req.path);
      const file = kept.get(path) ?? kept.get(path.replace(/\/$/, ""));
      return file ? answerFile(context, file) : renderPage(context, render, services);
    },
  };
}

async function renderPage(context: Context, render: ReturnType<typeof createRequestHandler>, services: Services) {
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(services, [`nonce-${nonce}`]);
  // Handed to entry.server.tsx by a header of the request, which a browser can't have set: it is replaced here.
  const request = new Request(context.req.raw);
  request.headers.set("x-script-nonce", nonce);
  const answer = await render(request, new RouterContextProvider());
  const headers = new Headers(answer.headers);
  headers.set("Content-Security-Policy", policy);
  headers.set("Cache-Control", "no-store");
  return new Response(answer.body, { status: answer.status, headers });
}

function answerFile(context: Context, { bytes, headers }: KeptFile): Response {
  if (isKnown(context, headers["ETag"] ?? "")) return new Response(null, { status: 304, headers });
  const accepted = parseAccept(context.req.header("accept-encoding") ?? "");
  const encoding = (["br", "gzip"] as const).find(
    (form) => bytes[form] && accepted.some(({ type, q }) => type === form && q > 0),
  );
  return new Response(encoding ? bytes[encoding] : bytes.identity, {
    headers: encoding ? { ...headers, "Content-Encoding": encoding } : headers,
  });
}

/** Compared as RFC 9110 says for If-None-Match: a proxy may have weakened the tag, and several may be named. */
function isKnown(context: Context, etag: string): boolean {
  const named = (context.req.header("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return named.includes("*") || named.includes(etag.replace(/^W\//, ""));
}

/** Reads the built files once; they are few. Keys are addresses: /about for about/index.html. */
function keepFiles(folder: string, services: Services): Map<string, KeptFile> {
  const kept = new Map<string, KeptFile>();
  if (!existsSync(folder)) return kept;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(br|gz)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const address = `/${relative(folder, path).replaceAll("\\", "/")}`;
    kept.set(address.replace(/\/?index\.html$/, "") || "/", keepFile(path, address, services));
  }
  const home = kept.get("");
  if (home) kept.set("/", home);
  return kept;
}

function keepFile(path: string, address: string, services: Services): KeptFile {
  const identity = new Uint8Array(readFileSync(path));
  const type = types[extname(path)] ?? "application/octet-stream";
  const isPage = extname(path) === ".html";
  const small = compressedTypes.has(extname(path));
  const headers: Record<string, string> = {
    "Content-Type": type,
    // Weak: all encodings of the file share it.
    ETag: `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`,
    "Cache-Control": address.startsWith("/assets/")
      ? "public, max-age=31536000, immutable"
      : "public, max-age=0, must-revalidate",
    ...(small && { Vary: "Accept-Encoding" }),
    ...(isPage && { "Content-Security-Policy": contentSecurityPolicy(services, inlineScriptHashes(identity)) }),
  };
  return {
    bytes: {
      identity,
      br: small ? readIfThere(`${path}.br`) : null,
      gzip: small ? readIfThere(`${path}.gz`) : null,
    },
    headers,
  };
}

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
