// Writes where our theme differs from the components' own variables, as a style sheet: their provider would reckon it out in
// every browser.
import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from "@mantine/core";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { quietColours, theme } from "../app/theme.ts";

type Variables = Record<string, string>;

/** The style sheet as the theme has it now. */
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

if (import.meta.main) writeFileSync(join(import.meta.dirname, "..", "app", "styles-theme.css"), themeVariables());
