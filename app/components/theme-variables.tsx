import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from "@mantine/core";
import { quietColours, theme } from "../theme.ts";

/**
 * Where our theme differs from the components' own, as a style that React puts into the head: the components would put
 * theirs into the body, where no style may stand.
 */
export function ThemeVariables() {
  return (
    <style href="theme" precedence="theme">
      {css}
    </style>
  );
}

type Variables = Record<string, string>;

const css = convertCssVariables(differences(), ":root");

function differences() {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const shipped = defaultCssVariablesResolver(DEFAULT_THEME);
  const [ours, quiet] = [defaultCssVariablesResolver(merged), quietColours(merged)];
  const changed = (name: "variables" | "light" | "dark") => {
    const [before, after]: Variables[] = [{ ...shipped[name] }, { ...ours[name], ...quiet[name] }];
    return Object.fromEntries(Object.entries(after ?? {}).filter(([key, value]) => before?.[key] !== value));
  };
  return { variables: changed("variables"), light: changed("light"), dark: changed("dark") };
}
