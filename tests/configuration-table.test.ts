import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { z } from "zod";
import { withConfigurationTable } from "../scripts/configuration-table.ts";
import { Variables } from "../server/settings/variables.ts";

it("The README's table of variables is what `npx node scripts/configuration-table.ts` writes", () => {
  const readme = readFileSync("README.md", "utf8");
  expect(readme).toBe(withConfigurationTable(readme));
});

it("Each variable says what it means", () => {
  const unexplained = Object.entries<z.ZodType>(Variables.shape).filter(([, shape]) => !shape.meta()?.description);
  expect(unexplained.map(([name]) => name)).toEqual([]);
});
