import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { nameInZip } from "../zip/write-zip.ts";
import type { Collected, PersonData, Section } from "./collect-data.ts";

/** Files that are not in the ZIP, and why. */
export type Missing = Map<string, string>;
/** The number of records in each section. */
export type Counts = Map<string, number>;

/** The HTML page on which people read what is kept about them. */
export async function* pageOf(
  { email, files }: Pick<PersonData, "email" | "files">,
  { collectedAt, sections }: Collected,
  counts: Counts,
  missing: Missing,
): AsyncGenerator<string> {
  const countOf = ({ name }: Section) => counts.get(name) ?? 0;
  const filled = sections.filter((section) => countOf(section) > 0);
  const empty = sections.filter((section) => countOf(section) === 0);
  yield `<!doctype html>
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
${filled.map((section) => `<li><a href="#${section.name}">${escaped(section.title)}</a>: ${countOf(section)}</li>`).join("\n")}
${files.length > 0 ? '<li><a href="#files">Documents</a></li>' : ""}
</ul>
${empty.length > 0 ? `<p>Nothing is kept under: ${escaped(empty.map(({ title }) => title).join("; "))}.</p>` : ""}
`;
  for (const section of filled) yield* sectionOf(section, countOf(section));
  yield documentsOf(files, missing);
  yield "</html>\n";
}

async function* sectionOf({ name, title, rows }: Section, count: number): AsyncGenerator<string> {
  yield `<h2 id="${name}">${escaped(title)}</h2>\n`;
  let room = limits.dataExportShownRecords;
  for await (const some of rows()) {
    yield some.slice(0, room).map(listOf).join("");
    room -= some.length;
    if (room <= 0) break;
  }
  if (count > limits.dataExportShownRecords)
    yield `<p>These are ${limits.dataExportShownRecords} of ${count}, as more would make this page too long to open. All of them stand in data.json.</p>\n`;
}

function documentsOf(files: PersonData["files"], missing: Missing): string {
  if (files.length === 0) return "";
  const items = files.map(({ shownAs }) =>
    missing.has(shownAs)
      ? `<li>${escaped(shownAs)}: ${escaped(missing.get(shownAs) ?? "")}</li>`
      : `<li><a href="files/${encodeURIComponent(nameInZip(shownAs))}">${escaped(shownAs)}</a></li>`,
  );
  return `<h2 id="files">Documents</h2>\n<ul>\n${items.join("\n")}\n</ul>\n`;
}

function listOf(row: Record<string, unknown>): string {
  const told = Object.entries(row).filter(([, value]) => value !== null && value !== "" && value !== undefined);
  const lines = told.map(([name, value]) => `<dt>${escaped(wordsOf(name))}</dt><dd>${escaped(textOf(value))}</dd>`);
  return `<dl>\n${lines.join("\n")}\n</dl>\n`;
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
