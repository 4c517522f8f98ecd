/* oxlint-disable no-console -- a command's output */
import { readdirSync, readFileSync } from "node:fs";
import { messages } from "../contract/messages.ts";

/**
 * Lists the texts that a specification quotes and that no test mentions, literally or by their name in
 * contract/messages.ts: `npx node scripts/untested-texts.ts <file>`. docs/decisions says which are left out on purpose.
 * Exits with 1 when the list is not empty.
 */

const quoted = /(?<=^|[\s(,:])'((?:[^'\n]|'(?=\w))+)'(?=[\s.,;:)]|$)/gm;
const sections = /^## [258]\. [\s\S]*?(?=^## |$(?![\s\S]))/gm;

const specification = readFileSync(process.argv[2] ?? "", "utf8");
const read = [...specification.matchAll(sections)].map(([section]) => section).join("\n");
const texts = new Set([...read.matchAll(quoted)].map(([, text = ""]) => text.replace(/\{.*\}/, "")));

const tests = ["contract", "server", "app", "tests"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`))
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(name, "utf8"))
  .join("\n");

const untested = [...texts].filter((text) => !tests.includes(text) && !namesOf(text).some(isUsed));
console.log(untested.length === 0 ? `All ${texts.size} texts are tested.` : untested.join("\n"));
process.exitCode = untested.length === 0 ? 0 : 1;

/**
 * The names in contract/messages.ts with this text; a message with a parameter is compared without the parameter's
 * value.
 */
function namesOf(text: string): string[] {
  return Object.entries(messages).flatMap(([name, message]) => {
    const written = typeof message === "function" ? message("") : message;
    return written === text || written.trim() === text.trim() ? [name] : [];
  });
}

function isUsed(name: string): boolean {
  return new RegExp(`messages\\.${name}\\b`).test(tests);
}
