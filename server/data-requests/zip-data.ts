import { strToU8, zipSync, type Zippable } from "fflate";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { isOutage } from "../failures/outage.ts";
import type { Services } from "../services.ts";
import type { PersonData } from "./collect-data.ts";

/**
 * A ZIP of a person's data: `index.html` to read, `data.json` for machines, and the PDFs, as far as they have room: all of
 * it is held in memory. What is not there is told.
 */
export async function zipData(
  { files: store, log }: Services,
  data: PersonData,
  documentBytesMax = 1024 ** 2 * limits.dataExportDocumentsMegabytes,
): Promise<Uint8Array> {
  const entries: Zippable = { "data.json": strToU8(JSON.stringify(asJson(data), null, 2)) };
  const missing: Missing = new Map();
  let room = documentBytesMax;
  for (const { file, shownAs } of data.files) {
    if (room <= 0) {
      missing.set(shownAs, "there was no room for it; please ask for it");
      continue;
    }
    try {
      // oxlint-disable-next-line no-await-in-loop -- one at a time: they are held in memory
      const bytes = await store.read(file);
      room -= bytes.length;
      // PDFs are compressed already.
      entries[`files/${nameInZip(shownAs)}`] = [bytes, { level: 0 }];
    } catch (error) {
      // Tried again later, when the store is there.
      if (isOutage(error)) throw error;
      log.error({ err: error, file }, "a file of somebody's data could not be read");
      missing.set(shownAs, "could not be read; please ask for it");
    }
  }
  entries["index.html"] = strToU8(pageOf(data, missing));
  // At once: only the JSON is compressed, in milliseconds, and threads of fflate's own would not survive the bundle.
  return zipSync(entries);
}

/** An operator may call themselves "A/B" or "..": no name leads out of the folder that the ZIP is unpacked in. */
const nameInZip = (shownAs: string) => shownAs.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-").replace(/^\.+/, "");

const asJson = ({ email, collectedAt, sections }: PersonData) => ({
  email,
  collectedAt,
  from: brand.legalName,
  ...Object.fromEntries(sections.map(({ name, rows }) => [name, rows])),
});

/** What is not in the ZIP, and why. */
type Missing = Map<string, string>;

function pageOf({ email, collectedAt, sections, files }: PersonData, missing: Missing): string {
  const filled = sections.filter(({ rows }) => rows.length > 0);
  const empty = sections.filter(({ rows }) => rows.length === 0);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What ${escaped(brand.name)} keeps about ${escaped(email)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: minmax(8rem, 1fr) 3fr; gap: 0 1rem; border-top: 1px solid #888; padding-top: 1rem; }
dt { font-weight: 600; }
dd { margin: 0; white-space: pre-wrap; }
</style>
<h1>What ${escaped(brand.legalName)} keeps about ${escaped(email)}</h1>
<p>As of ${escaped(collectedAt)}. The same stands in data.json, for other software. Times are in UTC, amounts in paise.</p>
<h2>Contents</h2>
<ul>
${filled.map(({ name, title, rows }) => `<li><a href="#${name}">${escaped(title)}</a>: ${rows.length}</li>`).join("\n")}
${files.length > 0 ? '<li><a href="#files">Documents</a></li>' : ""}
</ul>
${empty.length > 0 ? `<p>Nothing is kept under: ${escaped(empty.map(({ title }) => title).join("; "))}.</p>` : ""}
${filled.map(({ name, title, rows }) => `<h2 id="${name}">${escaped(title)}</h2>\n${rows.map(listOf).join("\n")}`).join("\n")}
${documentsOf(files, missing)}
</html>
`;
}

function documentsOf(files: PersonData["files"], missing: Missing): string {
  if (files.length === 0) return "";
  const items = files.map(({ shownAs }) =>
    missing.has(shownAs)
      ? `<li>${escaped(shownAs)}: ${escaped(missing.get(shownAs) ?? "")}</li>`
      : `<li><a href="files/${encodeURIComponent(nameInZip(shownAs))}">${escaped(shownAs)}</a></li>`,
  );
  return `<h2 id="files">Documents</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
}

function listOf(row: Record<string, unknown>): string {
  const told = Object.entries(row).filter(([, value]) => value !== null && value !== "" && value !== undefined);
  const lines = told.map(([name, value]) => `<dt>${escaped(wordsOf(name))}</dt><dd>${escaped(textOf(value))}</dd>`);
  return `<dl>\n${lines.join("\n")}\n</dl>`;
}

/** "First name" from "firstName". */
const wordsOf = (name: string) => {
  const words = name.replaceAll(/([A-Z])/g, " $1").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
