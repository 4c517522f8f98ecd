import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as schema from "../server/database/schema/index.ts";

it("docs/scale.md says of every table where it would lie beyond one PostgreSQL, and of each once", () => {
  const [, section = ""] = readFileSync("docs/scale.md", "utf8").split("\n## Beyond one PostgreSQL\n");
  const rows = section.split("\n").filter((line) => line.startsWith("| **"));
  const placed = rows.flatMap((row) =>
    Array.from(row.split("|")[2]?.matchAll(/`(\w+)`/g) ?? [], ([, name = ""]) => name),
  );
  const tables = Object.values(schema).flatMap((part) => (is(part, PgTable) ? [getTableName(part)] : []));
  expect(placed.toSorted()).toEqual(tables.toSorted());
});
