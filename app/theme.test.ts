import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { themeVariables } from "../scripts/theme-variables.ts";

it("The theme's style sheet is what `npx node scripts/theme-variables.ts` writes", () => {
  expect(readFileSync("app/styles-theme.css", "utf8")).toBe(themeVariables());
});
