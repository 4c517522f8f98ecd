import type { PgTable } from "drizzle-orm/pg-core";
import { DatabaseError } from "pg";
import { limits } from "../../contract/limits.ts";
import type { ListQuery } from "../../contract/lists.ts";
import { Failure } from "../failures/failure.ts";
import type { Database } from "./database.ts";
import { isUuid } from "./is-uuid.ts";
import { type Condition, type FieldsOf, type List, type RowOf, writeCondition, writeList } from "./list.ts";

export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
  total: number;
}

/** What a row carries for its page. */
interface Place {
  place_id: string;
  place_sorted: string;
  place_total: number;
}

/**
 * One page of a list by keyset: a later page costs what the first does, and rows added meanwhile shift nothing.
 * The newest first unless `sort` names a column, with "-" for downwards.
 * `owner` stands for $1 of the list; null where it has none. `narrowed` are more conditions. A narrowed list counts at most `limits.searchCountMax` rows.
 * @throws Failure invalid for a cursor that is not ours
 */
export async function listPage<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  database: Database,
  list: List<Table, Fields, Sort>,
  owner: string | null,
  query: ListQuery<Sort>,
  narrowed: readonly Condition[] = [],
): Promise<Page<RowOf<Fields>>> {
  const { rows } = await database.$client
    .query<RowOf<Fields> & Place>(pageStatement(list, owner, query, narrowed))
    .catch((error: unknown) => {
      throw query.cursor && isDataException(error) ? unknownPlace() : error;
    });
  const more = rows.length > query.limit;
  const shown = more ? rows.slice(0, -1) : rows;
  const last = shown.at(-1);
  const { bigints } = writeList(list);
  for (const row of shown) readNumbers(row, bigints);
  return {
    rows: shown,
    nextCursor: more && last ? writeCursor(last.place_sorted, last.place_id) : null,
    total: rows[0]?.place_total ?? 0,
  };
}

/** The statement behind `listPage`; exported for the benchmark, which asks the same of a bare server. */
export function pageStatement<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  list: List<Table, Fields, Sort>,
  owner: string | null,
  query: ListQuery<Sort>,
  narrowed: readonly Condition[] = [],
) {
  const written = writeList(list);
  const order = orderOf(list, query.sort);
  const values: unknown[] = owner === null ? [query.limit + 1] : [owner, query.limit + 1];
  const limit = `$${values.length}`;
  const conditions = written.where ? [written.where] : [];
  if (query.search) {
    values.push(`%${query.search.replace(/[\\%_]/g, "\\$&")}%`);
    conditions.push(`${written.searched} like lower($${values.length})`);
  }
  for (const condition of narrowed) {
    values.push(condition.value);
    conditions.push(writeCondition(condition, values.length));
  }
  const isNarrowed = query.search !== undefined || narrowed.length > 0;
  const counted = `${written.table} ${whereAll(conditions)}`;
  if (query.cursor) {
    values.push(...readCursor(query.cursor));
    const place = `($${values.length - 1}::${order.type}, $${values.length}::uuid)`;
    conditions.push(`(${order.column}, ${written.id}) ${order.downwards ? "<" : ">"} ${place}`);
  }
  const direction = order.downwards ? "desc" : "asc";
  const text = `select ${written.fields}, ${written.id} as place_id, ${order.column}::text as place_sorted,
      ${countOf(counted, isNarrowed)} as place_total
    from ${written.table} ${written.joins} ${whereAll(conditions)}
    order by ${order.column} ${direction}, ${written.id} ${direction} limit ${limit}`;
  // What a search finds decides how it is best looked for: it is planned each time, the others once.
  if (isNarrowed) return { text, values };
  return { name: [list.name, query.cursor && "cursor", order.name].filter(Boolean).join("_"), text, values };
}

function countOf(counted: string, isNarrowed: boolean): string {
  return isNarrowed
    ? `(select count(*)::int from (select from ${counted} limit ${limits.searchCountMax}) as found)`
    : `(select count(*)::int from ${counted})`;
}

const whereAll = (conditions: string[]) => (conditions.length > 0 ? `where ${conditions.join(" and ")}` : "");

function orderOf<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  list: List<Table, Fields, Sort>,
  sort: Sort | `-${Sort}` | undefined,
) {
  const { sorts, id } = writeList(list);
  const asked = sort ?? (list.newest ? `-${list.newest}` : "");
  const by = sorts.get(asked.replace(/^-/, "")) ?? { column: id, type: "uuid" };
  return { name: sort?.replace("-", "down_") ?? "", ...by, downwards: asked === "" || asked.startsWith("-") };
}

/** The driver gives bigints as text; ours are paise and counts, far below 2^53. */
function readNumbers(row: Record<string, unknown>, bigints: readonly string[]): void {
  for (const name of bigints) row[name] = row[name] === null ? null : Number(row[name]);
}

function writeCursor(value: string, id: string): string {
  return Buffer.from(JSON.stringify([value, id])).toString("base64url");
}

function readCursor(cursor: string): [value: string, id: string] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (
      Array.isArray(read) &&
      read.length === 2 &&
      read.every((part) => typeof part === "string") &&
      isUuid(String(read[1]))
    )
      return read as [string, string];
  } catch {
    // falls through: a cursor that can't be read is one that is not ours
  }
  throw unknownPlace();
}

/** A value that is none of its column's type: nobody but the writer of the cursor can send one. */
const isDataException = (error: unknown) => error instanceof DatabaseError && error.code?.startsWith("22");

function unknownPlace(): Failure {
  const sentence = "This place in the list is not known. Please start from the first page.";
  return new Failure("invalid", sentence, { fields: { cursor: sentence } });
}
