import type { PgTable } from "drizzle-orm/pg-core";
import { limits } from "../../contract/limits.ts";
import type { ListQuery } from "../../contract/lists.ts";
import { type Condition, type FieldsOf, type List, ofOne, writeCondition, writeList } from "./list.ts";
import { readCursor } from "./list-cursor.ts";

/** A statement for the driver; one with a name is prepared, and so planned once. */
export interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/** Columns added to each row for paging. */
export interface Place {
  /** Null in the single row of a search that found nothing. */
  place_id: string | null;
  place_sorted: string;
  /** Counted on the first page, and by each search. */
  place_total?: number;
  /** How many rows of the list a search scanned. */
  place_walked?: number;
  /** PostgreSQL's estimate of the rows of the table, or of `countedBy`'s index; -1 if it was never analysed. */
  place_table_rows?: number;
}

/**
 * How many rows of a list a search scans first, in its order: enough to fill a page with what every fortieth row has.
 */
export const walkedMax = 2000;

/** The statement of a page without a search; exported for the benchmark, which runs it on a bare server. */
export function pageStatement<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  list: List<Table, Fields, Sort>,
  owner: string | null,
  query: ListQuery<Sort>,
  narrowed: readonly Condition[] = [],
): Statement {
  const { written, order, values, limit, place, ...parts } = partsOf(list, owner, query, narrowed);
  const listed = [...parts.listed, ...written.whereOf(written.id)];
  // In the list's order, the count uses the index that gives its pages; for a narrowed list the planner may choose.
  const inOrder = narrowed.length > 0 ? "" : `order by ${orderOf(list, undefined).text}`;
  const counted = `(select count(*)::int from (
      select from ${written.table} ${whereAll(listed)} ${inOrder} limit ${limits.countedMax + 1}
    ) as counted)`;
  const text = `select ${shownOf(written, order)}${query.cursor ? "" : `, ${counted} as place_total`}
    from ${written.table} ${written.joins} ${whereAll([...listed, ...place])}
    order by ${order.text} limit ${limit}`;
  if (!list.name || narrowed.length > 0) return { text, values };
  return { name: [list.name, query.cursor && "cursor", order.name].filter(Boolean).join("_"), text, values };
}

/**
 * A search that scans the next `rows` of the list in its order, which soon finds what many rows have. When it finds
 * nothing it gives one row without an id, so that the number of scanned rows is always known.
 */
export function walkStatement<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  list: List<Table, Fields, Sort>,
  owner: string | null,
  query: ListQuery<Sort>,
  narrowed: readonly Condition[],
  rows: number,
): Statement {
  const { written, order, values, limit, listed, place } = partsOf(list, owner, query, narrowed);
  const found = [searchedBy("walked_text", query.search ?? "", values, "text"), ...written.whereOf("found_id")];
  const text = `with walked as materialized (
      select ${written.id} as found_id, ${order.column} as found_by, ${written.searched} as walked_text
      from ${written.table} ${whereAll([...listed, ...place])} order by ${order.text} limit ${rows}
    ), found as materialized (
      select found_id, found_by from walked ${whereAll(found)}
    ), ${pageOfFound(order, limit)}
    select ${shownOf(written, order)}, (select count(*)::int from found) as place_total, place_walked,
      (select reltuples from pg_class where oid = '${list.countedBy ?? written.table}'::regclass) as place_table_rows
    from (select count(*)::int as place_walked from walked) as looked_at left join page on true
      left join ${written.table} on ${written.id} = page.found_id ${written.joins} order by ${order.text}`;
  return { text, values };
}

/**
 * A search by the trigram index, which soon finds what few rows have. `materialized` keeps the planner from walking the
 * table in the list's order instead, whatever it estimates.
 */
export function lookUpStatement<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  list: List<Table, Fields, Sort>,
  owner: string | null,
  query: ListQuery<Sort>,
  narrowed: readonly Condition[] = [],
): Statement {
  const { written, order, values, limit, listed, place } = partsOf(list, owner, query, narrowed);
  const words = searchedBy(written.searched, query.search ?? "", values, "index");
  const conditions = [...listed, ...place, words, ...written.whereOf(written.id)];
  const text = `with found as materialized (
      select ${written.id} as found_id, ${order.column} as found_by from ${written.table} ${whereAll(conditions)}
    ), ${pageOfFound(order, limit)}
    select ${shownOf(written, order)}, (select count(*)::int from found) as place_total
    from page join ${written.table} on ${written.id} = page.found_id ${written.joins} order by ${order.text}`;
  return { text, values };
}

/**
 * How many rows to scan to fill a page, when this many of the first `walkedMax` rows were found; 0 if the trigram index
 * finds all matches at less cost.
 */
export function rowsToWalk(found: number, limit: number, tableRows: number): number {
  // Fewer matches say little about the other rows.
  if (found < 5) return 0;
  const share = found / walkedMax;
  const rows = Math.ceil((1.5 * (limit + 1)) / share);
  // A row found by the index lies anywhere in the table and costs as much as three in the list's order.
  return rows < 3 * share * tableRows ? rows : 0;
}

/** Whether the trigram index can answer a search: it knows only letters and digits. */
export const canBeLookedUp = (search: string) => /[\p{L}\p{N}]/u.test(search);

/**
 * The condition of a search. With three letters or digits in a row, counting Indian vowel signs as letters, it matches
 * anywhere in the text, and so does a search that begins with a sign; a shorter one matches only at the beginning of a
 * word, because the index has no pieces shorter than three characters other than beginnings of words. To the index a
 * word begins after any sign, so the condition must say the same: otherwise the index gives rows by the ten thousand
 * that are then discarded.
 */
function searchedBy(column: string, search: string, values: unknown[], asks: "index" | "text"): string {
  const add = (value: string) => `lower($${values.push(value)})`;
  const escaped = search.replace(/[\\%_]/g, "\\$&");
  const isLike = (pattern: string) => `${column} like ${add(pattern)}`;
  if (isFoundAnywhere(search)) return isLike(`%${escaped}%`);
  const sign = "[ -/:-@[-`{-~]";
  const afterSign = `${column} ~ ${add(`(^|${sign})${search.replace(/[^\p{L}\p{N}\s]/gu, "\\$&")}`)}`;
  if (asks === "index") return afterSign;
  // A regular expression takes six times as long as `like`, and most words begin after a space.
  return `(${isLike(`${escaped}%`)} or ${isLike(`% ${escaped}%`)} or (${isLike(`%${escaped}%`)} and ${afterSign}))`;
}

const isFoundAnywhere = (search: string) => /[\p{L}\p{N}\p{M}]{3}/u.test(search) || /^[^\p{L}\p{N}]/u.test(search);

/** The parts that all statements of a page share. `values` begins with the owner, if any, and ends with the place. */
function partsOf<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  list: List<Table, Fields, Sort>,
  owner: string | null,
  query: ListQuery<Sort>,
  narrowed: readonly Condition[],
) {
  const written = writeList(list);
  const order = orderOf(list, query.sort);
  const values: unknown[] = owner === null ? [query.limit + 1] : [owner, query.limit + 1];
  const limit = `$${values.length}`;
  const listed = written.where ? [written.where] : [];
  for (const condition of narrowed.map(ofOne)) {
    values.push(condition.value);
    listed.push(writeCondition(condition, values.length));
  }
  const place: string[] = [];
  if (query.cursor) {
    const { sorted, id } = readCursor(query.cursor);
    values.push(sorted, id);
    const after = `($${values.length - 1}::${order.type}, $${values.length}::uuid)`;
    place.push(`(${order.column}, ${written.id}) ${order.downwards ? "<" : ">"} ${after}`);
  }
  return { written, order, values, limit, listed, place };
}

type Order = ReturnType<typeof orderOf>;

function orderOf<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  list: List<Table, Fields, Sort>,
  sort: Sort | `-${Sort}` | undefined,
) {
  const { sorts, id } = writeList(list);
  const asked = sort ?? (list.newest ? `-${list.newest}` : "");
  const by = sorts.get(asked.replace(/^-/, "")) ?? { column: id, type: "uuid" };
  const downwards = asked === "" || asked.startsWith("-");
  const direction = downwards ? "desc" : "asc";
  const text = `${by.column} ${direction}, ${id} ${direction}`;
  return { name: sort?.replace("-", "down_") ?? "", ...by, downwards, direction, text };
}

const shownOf = (written: ReturnType<typeof writeList>, order: Order) =>
  `${written.fields}, ${written.id} as place_id, ${order.column}::text as place_sorted`;

const pageOfFound = ({ direction }: Order, limit: string) =>
  `page as materialized (
      select found_id from found order by found_by ${direction}, found_id ${direction} limit ${limit}
    )`;

const whereAll = (conditions: string[]) => (conditions.length > 0 ? `where ${conditions.join(" and ")}` : "");
