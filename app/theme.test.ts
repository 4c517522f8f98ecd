import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { lookWithoutScript, themeVariables } from "../scripts/theme-variables.ts";

it("The theme's style sheets are what `npx node scripts/theme-variables.ts` writes", () => {
  expect(readFileSync("app/styles-theme.css", "utf8")).toBe(themeVariables());
  expect(readFileSync("app/styles-without-script.css", "utf8")).toBe(lookWithoutScript());
});
