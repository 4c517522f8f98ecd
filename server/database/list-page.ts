import type { PgTable } from "drizzle-orm/pg-core";
import { DatabaseError } from "pg";
import { limits } from "../../contract/limits.ts";
import type { ListQuery } from "../../contract/lists.ts";
import type { Database } from "./database.ts";
import type { Condition, FieldsOf, List, RowOf } from "./list.ts";
import { type Counted, readCursor, unknownPlace, writeCursor } from "./list-cursor.ts";
import {
  canBeLookedUp,
  lookUpStatement,
  pageStatement,
  type Place,
  rowsToWalk,
  type Statement,
  walkedMax,
  walkStatement,
} from "./list-statements.ts";

export interface Page<Row> extends Counted {
  rows: Row[];
  nextCursor: string | null;
}

/** The rows found, one more than a page shows if there are more, and the count. */
interface Found<Row> extends Counted {
  rows: (Row & Place)[];
}

/**
 * One page of a list by keyset: later pages cost as much as the first, and rows added meanwhile shift nothing. Newest
 * first, unless `sort` names a column, with "-" for descending order. The first page counts up to `limits.countedMax`
 * rows; later pages repeat its count.
 * @param owner the value of $1 in the list's `where`; null for a list without one
 * @param narrowed further conditions
 * @throws Failure invalid for a cursor that is not ours
 */
export async function listPage<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  database: Database,
  list: List<Table, Fields, Sort>,
  owner: string | null,
  query: ListQuery<Sort>,
  narrowed: readonly Condition[] = [],
): Promise<Page<RowOf<Fields>>> {
  const ask = async (statement: Statement) => {
    const asked = { ...statement, rowMode: "array" as const };
    const { rows, fields } = await database.$client.query<unknown[]>(asked).catch((error: unknown) => {
      throw query.cursor && isDataException(error) ? unknownPlace() : error;
    });
    const toRow = rowMaker<RowOf<Fields> & Place>(fields.map(({ name }) => name));
    return rows.map(toRow);
  };
  const found = query.search
    ? await searchRows(ask, list, owner, { ...query, search: query.search }, narrowed)
    : counted(await ask(pageStatement(list, owner, query, narrowed)));
  const { total, totalIsCapped } = query.cursor ? readCursor(query.cursor) : found;
  const more = found.rows.length > query.limit;
  const shown = more ? found.rows.slice(0, -1) : found.rows;
  const last = shown.at(-1);
  return {
    rows: shown,
    nextCursor:
      more && last?.place_id
        ? writeCursor({ sorted: last.place_sorted, id: last.place_id, total, totalIsCapped })
        : null,
    total,
    totalIsCapped,
  };
}

/**
 * First scans the next rows in the list's order, then asks the trigram index: the scan fills the page for a word that
 * many rows have, and otherwise the index has few rows to sort. For a word that only a part of a million rows have, it
 * scans further, as the index would give tens of thousands.
 */
async function searchRows<Row, Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  ask: (statement: Statement) => Promise<(Row & Place)[]>,
  list: List<Table, Fields, Sort>,
  owner: string | null,
  query: ListQuery<Sort> & { search: string },
  narrowed: readonly Condition[],
): Promise<Found<Row>> {
  const walk = async (rowsMax: number) => {
    const walked = await ask(walkStatement(list, owner, query, narrowed, rowsMax));
    const rows = walked.filter((row) => row.place_id !== null);
    const isWhole = (walked[0]?.place_walked ?? rowsMax) < rowsMax;
    const found: Found<Row> = isWhole ? counted(rows) : { ...counted(rows), totalIsCapped: true };
    return { found, decides: isWhole || rows.length > query.limit, tableRows: walked[0]?.place_table_rows ?? 0 };
  };
  const near = await walk(walkedMax);
  if (near.decides || !canBeLookedUp(query.search)) return near.found;
  const further = rowsToWalk(near.found.rows.length, query.limit, near.tableRows);
  const far = further > 0 ? await walk(further) : near;
  return far.decides ? far.found : counted(await ask(lookUpStatement(list, owner, query, narrowed)));
}

function counted<Row extends Place>(rows: Row[]) {
  const all = rows[0]?.place_total ?? 0;
  return { rows, total: Math.min(all, limits.countedMax), totalIsCapped: all > limits.countedMax };
}

type RowMaker<Row> = (values: unknown[]) => Row;
const rowMakers = new Map<string, RowMaker<unknown>>();

/**
 * Makes row objects from arrays of values. Generated code creates each object in its final shape; the driver adds one
 * property after the other, which was a sixth of the memory allocated for an answer.
 */
function rowMaker<Row>(names: readonly string[]): RowMaker<Row> {
  const shape = JSON.stringify(names);
  const made = rowMakers.get(shape) ?? writeRowMaker(names);
  rowMakers.set(shape, made);
  return made as RowMaker<Row>;
}

function writeRowMaker(names: readonly string[]): RowMaker<unknown> {
  const fields = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`);
  // oxlint-disable-next-line no-implied-eval -- the text holds only field names of our own lists, and numbers
  return new Function("values", `return { ${fields.join(", ")} };`) as RowMaker<unknown>;
}

/** PostgreSQL's error class 22: a value that does not fit its column's type, which only a forged cursor can send. */
const isDataException = (error: unknown) => error instanceof DatabaseError && error.code?.startsWith("22");
