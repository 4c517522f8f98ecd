import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { sha256Of } from "../protection/sha256-of.ts";

/** The list of a dossier's files with their SHA-256, in the format of `sha256sum`. */
export const sumsName = "SHA256SUMS";

const line = /^([\da-f]{64}) [ *]([^/.][^\\]*)$/;

/** Which files of an unpacked dossier match its list; null if it is no such list. */
export function verifyDossier(path: string, list: Uint8Array) {
  const sums = Buffer.from(list)
    .toString("utf8")
    .trim()
    .split("\n")
    .map((each) => line.exec(each));
  if (sums.some((sum) => sum === null || sum[2]?.includes("../"))) return null;
  const folder = dirname(path);
  const named = new Map(sums.map((sum) => [sum?.[2] ?? "", sum?.[1] ?? ""]));
  const more = namesIn(folder).filter((name) => name !== basename(path) && !named.has(name));
  return {
    says: [
      `Dossier with ${named.size} files. Its list has the fingerprint ${sha256Of(list)}: compare it with the one in the audit log.`,
    ],
    checks: [
      ...[...named].map(([name, sha256]) => [name, isUnchanged(join(folder, name), sha256)] as const),
      ...more.map((name) => [`${name}: it is not in the list`, false] as const),
    ],
  };
}

const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => !each.isDirectory())
    .map((each) => relative(folder, join(each.parentPath, each.name)))
    .toSorted();

function isUnchanged(path: string, sha256: string): boolean {
  try {
    return sha256Of(readFileSync(path)) === sha256;
  } catch {
    return false;
  }
}
