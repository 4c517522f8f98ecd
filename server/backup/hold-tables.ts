import { type Client, DatabaseError } from "pg";
import { StartRefused } from "../settings/env.ts";
import { listTables, longRun, publicName, type Table } from "./database-shape.ts";

/** A copy applies all that is new in one transaction: beside it, the second try finds the tables as they stay. */
const triesMax = 5;

/**
 * Begins the transaction of a backup and answers the tables of its moment, whose shape nobody can change until it ends.
 * @throws StartRefused where tables come and go all the time
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

/** Null where a table came or went between the list and the locks. */
async function tryToHold(client: Client): Promise<Table[] | null> {
  const names = (await listTables(client)).map(({ name }) => name);
  await client.query("begin isolation level repeatable read read only");
  await client.query(longRun);
  // Before anything is read: whoever writes a table anew while this waits leaves it empty for a moment that is fixed already.
  try {
    await client.query(`lock table ${names.map(publicName).join(", ")} in access share mode`);
  } catch (error) {
    if (error instanceof DatabaseError && metMigration.has(error.code ?? "")) return null;
    throw error;
  }
  const tables = await listTables(client);
  return tables.every(({ name }) => names.includes(name)) ? tables : null;
}

/** A table went, or both waited for each other: undefined_table, deadlock_detected. */
const metMigration: ReadonlySet<string> = new Set(["42P01", "40P01"]);
