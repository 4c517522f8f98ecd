import { Column, is, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "./database.ts";

/** A select that has not run yet, with flat fields. */
export interface Select {
  getSQL(): SQL;
  readonly _: { readonly selectedFields: Record<string, unknown> };
}

type Row = Record<string, unknown>;

let cursors = 0;

/**
 * Reads a select's rows in portions by a cursor, so that neither side holds more. May be repeated in one transaction.
 */
export async function* readInTurn(transaction: Transaction, select: Select, atOnce = 200): AsyncGenerator<Row[]> {
  const cursor = sql.identifier(`in_turn_${++cursors}`);
  const fields = Object.entries(select._.selectedFields);
  // Columns get numbers as names: two tables may share a name, and computed columns have none.
  const numbers = sql.join(
    fields.map((_, index) => sql.identifier(String(index))),
    sql`, `,
  );
  await transaction.execute(
    sql`declare ${cursor} no scroll cursor for select * from (${select.getSQL()}) as found (${numbers})`,
  );
  const named = (row: Row): Row =>
    Object.fromEntries(fields.map(([name, field], index) => [name, asSelected(field, row[index])]));
  for (;;) {
    const { rows } = await transaction.execute<Row>(sql`fetch ${sql.raw(String(atOnce))} from ${cursor}`);
    if (rows.length > 0) yield rows.map(named);
    if (rows.length < atOnce) break;
  }
  await transaction.execute(sql`close ${cursor}`);
}

/** Maps a value as the select itself would have. */
const asSelected = (field: unknown, value: unknown) =>
  is(field, Column) && value !== null ? field.mapFromDriverValue(value) : value;
