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
/** Extensions of compressible files; the build stores .br and .gz forms beside them. */
export const compressedTypes = new Set(
  Object.keys(types).filter((ending) => /^(text|application|image\/svg)/.test(types[ending] ?? "")),
);

/** A file of the built site, in each form in which it may be sent. */
export interface BuiltFile {
  /** /assets/root.css, or /about for about/index.html. */
  address: string;
  ending: string;
  bytes: KeptAnswer["bytes"];
  /** Null for a page: the site's address has still to be filled in. */
  etag: string | null;
}

export interface KeptFile {
  answer: KeptAnswer;
  isPage: boolean;
  /** Whether the smallest form has been made or is queued. */
  isShrunk: boolean;
}

/** Reads the built files once; they are few. */
export function readFiles(folder: string): BuiltFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => readFile(folder, join(entry.parentPath, entry.name)));
}

function readFile(folder: string, path: string): BuiltFile {
  const ending = extname(path);
  const address = `/${relative(folder, path).replaceAll("\\", "/")}`;
  const identity = new Uint8Array(readFileSync(path));
  const isPacked = compressedTypes.has(ending) && ending !== pageEnding;
  const packed = { br: isPacked ? readIfThere(`${path}.br`) : null, gzip: isPacked ? readIfThere(`${path}.gz`) : null };
  return { address, ending, bytes: { identity, ...packed }, etag: ending === pageEnding ? null : etagOf(identity) };
}

const pageEnding = ".html";

/** The files ready to be sent. Keys are addresses: /about for about/index.html. */
export async function keepFiles(files: BuiltFile[], services: Services): Promise<Map<string, KeptFile>> {
  const kept = new Map(
    await Promise.all(
      files.map(
        async (file) => [file.address.replace(/\/?index\.html$/, "") || "/", await keepFile(file, services)] as const,
      ),
    ),
  );
  const home = kept.get("");
  if (home) kept.set("/", home);
  return kept;
}

async function keepFile(file: BuiltFile, services: Services): Promise<KeptFile> {
  const isPage = file.ending === pageEnding;
  const bytes = isPage ? await addressed(file, services.publicUrl) : file.bytes;
  const identity = bytes.identity ?? new Uint8Array();
  const etag = file.etag ?? etagOf(identity);
  const type = types[file.ending] ?? "application/octet-stream";
  const headers: Record<string, string> = {
    "Content-Security-Policy": contentSecurityPolicy(services, isPage ? inlineScriptHashes(identity) : []),
    ...standardHeaders(services, file.address),
    "Content-Type": type,
    ETag: etag,
    "Cache-Control": file.address.startsWith("/assets/")
      ? "public, max-age=31536000, immutable"
      : "public, max-age=0, must-revalidate",
    ...(compressedTypes.has(file.ending) && { Vary: "Accept-Encoding" }),
    ...(type.startsWith("video/") && { "Accept-Ranges": "bytes" }),
  };
  return { answer: { status: 200, bytes, headers, etag }, isPage, isShrunk: !isPage };
}

/** Fills in the site's address, which was unknown at build time. */
async function addressed({ bytes }: BuiltFile, publicUrl: string): Promise<KeptAnswer["bytes"]> {
  const page = new TextDecoder().decode(bytes.identity ?? undefined).replaceAll(addressMark, publicUrl);
  const identity = new Uint8Array(Buffer.from(page));
  return { identity, ...(await compressed(identity)) };
}

function readIfThere(path: string): Uint8Array<ArrayBuffer> | null {
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : null;
}

/**
 * Hashes of a prebuilt page's inline scripts, which are all ours. Structured data is not a script and needs no hash.
 */
function inlineScriptHashes(page: Uint8Array): string[] {
  const inline = /<script(?![^>]*\s(?:src=|type="application\/ld\+json"))[^>]*>([\s\S]*?)<\/script>/g;
  const scripts = new TextDecoder().decode(page).matchAll(inline);
  return Array.from(scripts, ([, script = ""]) => `sha256-${createHash("sha256").update(script).digest("base64")}`);
}
