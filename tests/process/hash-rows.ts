import type { Client } from "pg";
import { listTables, publicName } from "../../server/backup/database-shape.ts";

/** A hash of every row of every table, computed columns included; of what is only `counted`, how many there are. */
export async function hashRows(
  client: Client,
  counted: (table: string) => boolean = () => false,
): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const { name } of await listTables(client)) {
    const row = counted(name) ? "count(*)::text" : "md5(t::text)";
    const found = await client.query<{ row: string }>(`select ${row} as row from ${publicName(name)} t order by 1`);
    rows[name] = found.rows.map((each) => each.row);
  }
  return rows;
}
