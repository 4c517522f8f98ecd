import { Column, is, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "./database.ts";

/** A select that was not asked yet, of columns beside each other. */
export interface Select {
  getSQL(): SQL;
  readonly _: { readonly selectedFields: Record<string, unknown> };
}

type Row = Record<string, unknown>;

let cursors = 0;

/** Reads what a select finds, so many rows at a time, so that neither side ever holds more. One transaction may do so several times. */
export async function* readInTurn(transaction: Transaction, select: Select, atOnce = 200): AsyncGenerator<Row[]> {
  const cursor = sql.identifier(`in_turn_${++cursors}`);
  const fields = Object.entries(select._.selectedFields);
  // By number, as columns of two tables may have one name, and computed ones have none.
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

/** What the select would have answered itself. */
const asSelected = (field: unknown, value: unknown) =>
  is(field, Column) && value !== null ? field.mapFromDriverValue(value) : value;
