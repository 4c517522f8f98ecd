import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { compressed, etagOf, type KeptAnswer, shrinkLater } from "./kept-answer.ts";
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

/** A file of the built site as it lies on the disk, in each form in which it may be sent. */
export interface BuiltFile {
  /** /assets/root.css, or /about for about/index.html. */
  address: string;
  ending: string;
  bytes: KeptAnswer["bytes"];
  /** Of a page's own inline scripts. */
  scriptHashes: string[];
}

/** Reads the built files once; they are few. Pages are compressed here, side by side: they name the address of this site. */
export function readFiles(folder: string, publicUrl: string): Promise<BuiltFile[]> {
  if (!existsSync(folder)) return Promise.resolve([]);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
      .map((entry) => readFile(folder, join(entry.parentPath, entry.name), publicUrl)),
  );
}

async function readFile(folder: string, path: string, publicUrl: string): Promise<BuiltFile> {
  const ending = extname(path);
  const isPage = ending === ".html";
  const address = `/${relative(folder, path).replaceAll("\\", "/")}`;
  const identity = isPage ? addressed(readFileSync(path, "utf8"), publicUrl) : new Uint8Array(readFileSync(path));
  const small = compressedTypes.has(ending);
  const packed = isPage
    ? await compressed(identity, 9)
    : { br: small ? readIfThere(`${path}.br`) : null, gzip: small ? readIfThere(`${path}.gz`) : null };
  const bytes = { identity, ...packed };
  if (isPage) shrinkLater({ bytes });
  return { address, ending, bytes, scriptHashes: isPage ? inlineScriptHashes(identity) : [] };
}

/** The files as they are answered. Keys are addresses: /about for about/index.html. */
export function keepFiles(files: BuiltFile[], services: Services): Map<string, KeptAnswer> {
  const kept = new Map(
    files.map((file) => [file.address.replace(/\/?index\.html$/, "") || "/", keepFile(file, services)]),
  );
  const home = kept.get("");
  if (home) kept.set("/", home);
  return kept;
}

function keepFile({ address, ending, bytes, scriptHashes }: BuiltFile, services: Services): KeptAnswer {
  const type = types[ending] ?? "application/octet-stream";
  const etag = etagOf(bytes.identity ?? new Uint8Array());
  const headers: Record<string, string> = {
    "Content-Security-Policy": contentSecurityPolicy(services, scriptHashes),
    ...standardHeaders(services, address),
    "Content-Type": type,
    ETag: etag,
    "Cache-Control": address.startsWith("/assets/")
      ? "public, max-age=31536000, immutable"
      : "public, max-age=0, must-revalidate",
    ...(compressedTypes.has(ending) && { Vary: "Accept-Encoding" }),
    ...(type.startsWith("video/") && { "Accept-Ranges": "bytes" }),
  };
  return { status: 200, bytes, headers, etag };
}

/** A page as it is at this address: when it was built, that was not known. */
const addressed = (page: string, publicUrl: string) =>
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
