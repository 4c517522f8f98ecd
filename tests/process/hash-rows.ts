import type { Client } from "pg";
import { listTables, publicName } from "../../server/backup/database-shape.ts";

/** A hash of every row of every table, computed columns included. */
export async function hashRows(client: Client): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const { name } of await listTables(client)) {
    const found = await client.query<{ row: string }>(
      `select md5(t::text) as row from ${publicName(name)} t order by 1`,
    );
    rows[name] = found.rows.map((each) => each.row);
  }
  return rows;
}
