import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { etagOf, type KeptAnswer } from "./kept-answer.ts";
import { contentSecurityPolicy, standardHeaders } from "./security-headers.ts";
import type { Services } from "../services.ts";

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
  ".webm": "video/webm",
  ".webmanifest": "application/manifest+json",
};
/** Endings of files that become smaller; the build keeps their .br and .gz forms beside them. */
export const compressedTypes = new Set(
  Object.keys(types).filter((ending) => /^(text|application|image\/svg)/.test(types[ending] ?? "")),
);

/** Reads the built files once; they are few. Keys are addresses: /about for about/index.html. */
export function keepFiles(folder: string, services: Services): Map<string, KeptAnswer> {
  const kept = new Map<string, KeptAnswer>();
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

function keepFile(path: string, address: string, services: Services): KeptAnswer {
  const identity = new Uint8Array(readFileSync(path));
  const type = types[extname(path)] ?? "application/octet-stream";
  const isPage = extname(path) === ".html";
  const small = compressedTypes.has(extname(path));
  const etag = etagOf(identity);
  const headers: Record<string, string> = {
    "Content-Security-Policy": contentSecurityPolicy(services, isPage ? inlineScriptHashes(identity) : []),
    ...standardHeaders(services, address),
    "Content-Type": type,
    ETag: etag,
    "Cache-Control": address.startsWith("/assets/")
      ? "public, max-age=31536000, immutable"
      : "public, max-age=0, must-revalidate",
    ...(small && { Vary: "Accept-Encoding" }),
    ...(type.startsWith("video/") && { "Accept-Ranges": "bytes" }),
    ...(isPage && {
      Link: `<${services.publicUrl}${address.replace(/\/?index\.html$/, "") || "/"}>; rel="canonical"`,
    }),
  };
  const bytes = {
    identity,
    br: small ? readIfThere(`${path}.br`) : null,
    gzip: small ? readIfThere(`${path}.gz`) : null,
  };
  return { status: 200, bytes, headers, etag };
}

function readIfThere(path: string): Uint8Array<ArrayBuffer> | null {
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : null;
}

/** Of a page made at build time: all its scripts are ours. Structured data is no script, and needs no hash. */
function inlineScriptHashes(page: Uint8Array): string[] {
  const inline = /<script(?![^>]*\s(?:src=|type="application\/ld\+json"))[^>]*>([\s\S]*?)<\/script>/g;
  const scripts = new TextDecoder().decode(page).matchAll(inline);
  return Array.from(scripts, ([, script = ""]) => `sha256-${createHash("sha256").update(script).digest("base64")}`);
}
