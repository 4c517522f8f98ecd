import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { compressed, etagOf, type KeptAnswer } from "./kept-answer.ts";
import { contentSecurityPolicy, standardHeaders } from "./security-headers.ts";
import type { Services } from "../services.ts";
import { addressMark } from "../../contract/site-address.ts";

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

/** Reads the built files once; they are few. Keys are addresses: /about for about/index.html. */
export async function keepFiles(folder: string, services: Services): Promise<Map<string, KeptAnswer>> {
  const kept = new Map<string, KeptAnswer>();
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

async function keepFile(path: string, address: string, services: Services): Promise<KeptAnswer> {
  const type = types[extname(path)] ?? "application/octet-stream";
  const isPage = extname(path) === ".html";
  const identity = isPage ? addressed(readFileSync(path, "utf8"), services) : new Uint8Array(readFileSync(path));
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
  };
  const packed = isPage
    ? await compressed(identity, 9)
    : { br: small ? readIfThere(`${path}.br`) : null, gzip: small ? readIfThere(`${path}.gz`) : null };
  return { status: 200, bytes: { identity, ...packed }, headers, etag };
}

/** A page as it is at this address: when it was built, that was not known. */
const addressed = (page: string, { publicUrl }: Services) =>
  new Uint8Array(Buffer.from(page.replaceAll(addressMark, publicUrl)));

function readIfThere(path: string): Uint8Array<ArrayBuffer> | null {
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : null;
}

/** Of a page made at build time: all its scripts are ours. Structured data is no script, and needs no hash. */
function inlineScriptHashes(page: Uint8Array): string[] {
  const inline = /<script(?![^>]*\s(?:src=|type="application\/ld\+json"))[^>]*>([\s\S]*?)<\/script>/g;
  const scripts = new TextDecoder().decode(page).matchAll(inline);
  return Array.from(scripts, ([, script = ""]) => `sha256-${createHash("sha256").update(script).digest("base64")}`);
}
