import type { PgTable } from "drizzle-orm/pg-core";
import { limits } from "../../contract/limits.ts";
import type { ListQuery } from "../../contract/lists.ts";
import { type Condition, type FieldsOf, type List, ofOne, writeCondition, writeList } from "./list.ts";
import { readCursor } from "./list-cursor.ts";

/** A statement as the driver takes it; with a name it is planned once. */
export interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/** What a row carries for its page. */
export interface Place {
  /** Null in the one row of a search that found none. */
  place_id: string | null;
  place_sorted: string;
  /** Counted on a first page only, and by a search. */
  place_total?: number;
  /** How many rows of the list a search has looked at. */
  place_walked?: number;
  /** How many rows the table has, or of it the list, as PostgreSQL last counted them; -1 where it never has. */
  place_table_rows?: number;
}

/** So many rows of a list are looked at first, in its order: what every fortieth row has fills a page by then. */
export const walkedMax = 2000;

/** The statement of a page without a search; exported for the benchmark, which asks the same of a bare server. */
export function pageStatement<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  list: List<Table, Fields, Sort>,
  owner: string | null,
  query: ListQuery<Sort>,
  narrowed: readonly Condition[] = [],
): Statement {
  const { written, order, values, limit, place, ...parts } = partsOf(list, owner, query, narrowed);
  const listed = [...parts.listed, ...written.whereOf(written.id)];
  // In its order a list is counted by the index that gives its pages; one that is narrowed by what gives these rows soonest.
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
 * A search that looks at the next `rows` of the list in its order: what many rows have is found soon.
 * Answers one row without an id where it finds none, so that it always says how many it has looked at.
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
 * A search by the index of words: what few rows have is found soon. Nothing but that index helps the rows that are
 * kept here, so that no estimate of the planner makes it walk the table in the list's order.
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
 * How many rows to look at before a page is full, when so many of the first `walkedMax` were found: 0 where the index of
 * words finds all there are with less.
 */
export function rowsToWalk(found: number, limit: number, tableRows: number): number {
  // Fewer of them say little about the others.
  if (found < 5) return 0;
  const share = found / walkedMax;
  const rows = Math.ceil((1.5 * (limit + 1)) / share);
  // A row by that index lies anywhere and costs as much as three in the list's order.
  return rows < 3 * share * tableRows ? rows : 0;
}

/** Whether the index of words can answer a search: it knows letters and digits only. */
export const canBeLookedUp = (search: string) => /[\p{L}\p{N}]/u.test(search);

/**
 * Three letters or digits in a row are found anywhere, the vowel signs of Indian words counted as letters, and so is what
 * begins with a sign; fewer where a word begins: the index of words has no shorter pieces than three, or the beginning of a
 * word. It takes a word to begin after any sign, and so must what asks it, or it gives rows by the ten thousand that are
 * then thrown away.
 */
function searchedBy(column: string, search: string, values: unknown[], asks: "index" | "text"): string {
  const add = (value: string) => `lower($${values.push(value)})`;
  const escaped = search.replace(/[\\%_]/g, "\\$&");
  const isLike = (pattern: string) => `${column} like ${add(pattern)}`;
  if (isFoundAnywhere(search)) return isLike(`%${escaped}%`);
  const sign = "[ -/:-@[-`{-~]";
  const afterSign = `${column} ~ ${add(`(^|${sign})${search.replace(/[^\p{L}\p{N}\s]/gu, "\\$&")}`)}`;
  if (asks === "index") return afterSign;
  // An expression takes six times as long as these, and most words begin after a space.
  return `(${isLike(`${escaped}%`)} or ${isLike(`% ${escaped}%`)} or (${isLike(`%${escaped}%`)} and ${afterSign}))`;
}

const isFoundAnywhere = (search: string) => /[\p{L}\p{N}\p{M}]{3}/u.test(search) || /^[^\p{L}\p{N}]/u.test(search);

/** The parts that all statements about a page have: `values` begin with the owner, if any, and hold the place. */
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
