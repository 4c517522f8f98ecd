// Writes the table of environment variables in the README from the schema that reads them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { Variables } from "../server/settings/variables.ts";

const path = join(import.meta.dirname, "..", "README.md");
const [begin, end] = ["<!-- begin of the table by scripts/configuration-table.ts -->", "<!-- end of the table -->"];

/**
 * The README with the table from the present schema.
 * @throws when the README has no markers for it
 */
export function withConfigurationTable(readme: string): string {
  const [before, after] = [readme.indexOf(begin), readme.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`The README has no place between ${begin} and ${end}.`);
  return `${readme.slice(0, before)}${begin}\n\n${configurationTable()}\n\n${readme.slice(after)}`;
}

function configurationTable(): string {
  const rows = Object.entries<z.ZodType>(Variables.shape).map(([name, shape]) => {
    const { description = "", without } = shape.meta() ?? {};
    return [`\`${name}\``, description, typeof without === "string" ? without : defaultOf(shape)];
  });
  const table = [["Variable", "Meaning", "Without it"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}

/** The default in the form in which it would be set in the environment. */
function defaultOf(shape: z.ZodType): string {
  const value = shape instanceof z.ZodDefault ? shape.def.defaultValue : "";
  return typeof value === "boolean" ? String(Number(value)) : String(value);
}

if (import.meta.main) writeFileSync(path, withConfigurationTable(readFileSync(path, "utf8")));
