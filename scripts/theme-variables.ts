// Writes a style sheet with the variables in which our theme differs from the component library's, whose provider would
// compute it in every browser.
import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from "@mantine/core";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { quietColours, theme } from "../app/theme.ts";

const app = join(import.meta.dirname, "..", "app");

type Variables = Record<string, string>;

/** The style sheet of the present theme. */
export function themeVariables(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const shipped = defaultCssVariablesResolver(DEFAULT_THEME);
  const [ours, quiet] = [defaultCssVariablesResolver(merged), quietColours(merged)];
  const changed = (name: "variables" | "light" | "dark") => {
    const [before, after]: Variables[] = [{ ...shipped[name] }, { ...ours[name], ...quiet[name] }];
    return Object.entries(after ?? {}).filter(([key, value]) => before?.[key] !== value);
  };
  const rule = (selector: string, variables: [string, string][]) =>
    `${selector} {\n${variables.map(([name, value]) => `  ${name}: ${value.replaceAll("'", '"')};\n`).join("")}}\n`;
  return [
    "/* Written by scripts/theme-variables.ts. */\n",
    rule(":root", changed("variables")),
    rule(':root[data-mantine-color-scheme="dark"]', changed("dark")),
    rule(':root[data-mantine-color-scheme="light"]', changed("light")),
  ].join("");
}

/**
 * The rules of interactive pages that depend on the colour scheme's attribute, rewritten for browsers without the
 * script that sets it: there the system's scheme decides.
 */
export function lookWithoutScript(): string {
  const imported = readFileSync(join(app, "styles-mantine.css"), "utf8").matchAll(/@import "([^"]+)"/g);
  const components = [...imported].map(([, file]) =>
    readFileSync(fileURLToPath(import.meta.resolve(file ?? "")), "utf8"),
  );
  const parts = [rulesByScheme(components.join("\n")), rulesByScheme(themeVariables())] as const;
  const [shared, own] = parts.map(
    ({ always, dark }) => `${always}@media screen and (prefers-color-scheme: dark) {\n${dark}}\n`,
  );
  return `/* Written by scripts/theme-variables.ts. */\n@layer mantine.shared {\n${shared}}\n${own}`;
}

/** The rules that name the scheme's attribute, with `:root`, which has the same specificity, in its place. */
function rulesByScheme(sheet: string): { always: string; dark: string } {
  const found = { always: "", dark: "" };
  const attribute = /\[data-mantine-color-scheme(?:=['"](\w+)['"])?\]/g;
  for (const [, selectors = "", body = ""] of sheet.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    for (const selector of selectors.split(/,(?![^(]*\))/)) {
      if (!selector.includes("data-mantine-color-scheme") || selector.includes(":host")) continue;
      const kind = /scheme=['"]dark/.test(selector) ? "dark" : "always";
      found[kind] += `${selector.trim().replaceAll(attribute, ":root")} {${body.replaceAll(/\s+/g, " ")}}\n`;
    }
  }
  return found;
}

if (import.meta.main) {
  writeFileSync(join(app, "styles-theme.css"), themeVariables());
  writeFileSync(join(app, "styles-without-script.css"), lookWithoutScript());
}
