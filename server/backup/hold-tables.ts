import { type Client, DatabaseError } from "pg";
import { StartRefused } from "../settings/env.ts";
import { listTables, longRun, publicName, type Table } from "./database-shape.ts";

/** A starting copy applies all new migrations in one transaction, so the second try finds the tables in final shape. */
const triesMax = 5;

/**
 * Begins a backup's transaction and answers its tables. Their shape can't change until it ends.
 * @throws StartRefused when tables appear and disappear at every try
 */
export async function holdTables(client: Client): Promise<Table[]> {
  for (let tries = 0; tries < triesMax; tries++) {
    // oxlint-disable-next-line no-await-in-loop -- until the tables stay the same
    const tables = await tryToHold(client);
    if (tables) return tables;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await client.query("rollback");
  }
  throw new StartRefused(
    "The tables of the database changed each time the backup began. Wait until every copy of the product has started, then make the backup again.",
  );
}

/** Null if a table appeared or disappeared between listing and locking. */
async function tryToHold(client: Client): Promise<Table[] | null> {
  const names = (await listTables(client)).map(({ name }) => name);
  await client.query("begin isolation level repeatable read read only");
  await client.query(longRun);
  // Lock before the first read fixes the snapshot: in an older one, a table rewritten during the wait would be empty.
  try {
    await client.query(`lock table ${names.map(publicName).join(", ")} in access share mode`);
  } catch (error) {
    if (error instanceof DatabaseError && metMigration.has(error.code ?? "")) return null;
    throw error;
  }
  const tables = await listTables(client);
  return tables.every(({ name }) => names.includes(name)) ? tables : null;
}

/** undefined_table (a table was dropped) and deadlock_detected. */
const metMigration: ReadonlySet<string> = new Set(["42P01", "40P01"]);
