import { DatabaseError, type QueryResultRow } from "pg";
import type { ListQuery } from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";
import { Failure } from "../failures/failure.ts";
import type { Database } from "./database.ts";

/** What a list is made of. Everything here is written by us; what people send goes into parameters. */
export interface List {
  /** Name of the prepared statement. */
  name: string;
  columns: string;
  /** The one table whose rows are listed: what filters, sorts, searches and counts is a column of it. */
  table: string;
  /** Left joins that only add columns. */
  joins?: string;
  /** Bound by $1 to an actor, an organisation, a role or an instant. Missing in a list of everything, for administrators. */
  where?: string;
  /** Column that tells rows apart and orders them by time, unless `newest` does. */
  id: string;
  /** Which of the sorts, downwards, is the list's own order. */
  newest?: string;
  /** Column that is looked through: text in lower case. */
  searched: string;
  /** What may be sorted by: the name on the wire, its column and PostgreSQL type. */
  sorts: Record<string, { column: string; type: string }>;
}

export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
  total: number;
}

/**
 * One page of a list by keyset: a later page costs what the first does, and rows added meanwhile shift nothing.
 * The newest first unless `sort` names a column, with "-" for downwards.
 * `owner` stands for $1 of the list; null where it has none. A search counts at most `limits.searchCountMax` rows.
 * @throws Failure invalid for an unknown sort or a cursor that is not ours
 */
export async function listPage<Row extends QueryResultRow & { id: string }>(
  database: Database,
  list: List,
  owner: string | null,
  query: ListQuery,
): Promise<Page<Row>> {
  const { rows } = await database.$client
    .query<Row & { sorted_by: string; total: number }>(pageStatement(list, owner, query))
    .catch((error: unknown) => {
      throw query.cursor && isDataException(error) ? unknownPlace() : error;
    });
  const more = rows.length > query.limit;
  const shown = more ? rows.slice(0, -1) : rows;
  const last = shown.at(-1);
  return {
    rows: shown,
    nextCursor: more && last ? writeCursor(last.sorted_by, last.id) : null,
    total: rows[0]?.total ?? 0,
  };
}

/** The statement behind `listPage`; exported for the benchmark, which asks the same of a bare server. */
export function pageStatement(list: List, owner: string | null, query: ListQuery) {
  const order = readSort(list, query.sort);
  const values: unknown[] = owner === null ? [query.limit + 1] : [owner, query.limit + 1];
  const limit = `$${values.length}`;
  const conditions = list.where ? [list.where] : [];
  if (query.search) {
    values.push(`%${query.search.replace(/[\\%_]/g, "\\$&")}%`);
    conditions.push(`${list.searched} like lower($${values.length})`);
  }
  const counted = `${list.table} ${whereAll(conditions)}`;
  if (query.cursor) {
    values.push(...readCursor(query.cursor));
    const place = `($${values.length - 1}::${order.type}, $${values.length}::uuid)`;
    conditions.push(`(${order.column}, ${list.id}) ${order.downwards ? "<" : ">"} ${place}`);
  }
  const direction = order.downwards ? "desc" : "asc";
  const text = `select ${list.columns}, ${order.column}::text as sorted_by, ${countOf(counted, query)} as total
    from ${list.table} ${list.joins ?? ""} ${whereAll(conditions)}
    order by ${order.column} ${direction}, ${list.id} ${direction} limit ${limit}`;
  // What a search finds decides how it is best looked for: it is planned each time, the others once.
  if (query.search) return { text, values };
  return { name: [list.name, query.cursor && "cursor", order.name].filter(Boolean).join("_"), text, values };
}

function countOf(counted: string, query: ListQuery): string {
  return query.search
    ? `(select count(*)::int from (select from ${counted} limit ${limits.searchCountMax}) as found)`
    : `(select count(*)::int from ${counted})`;
}

const whereAll = (conditions: string[]) => (conditions.length > 0 ? `where ${conditions.join(" and ")}` : "");

function readSort(list: List, sort: string | undefined) {
  if (!sort && !list.newest) return { name: "", column: list.id, type: "uuid", downwards: true };
  return findSort(list, sort ?? `-${list.newest}`);
}

function findSort(list: List, sort: string) {
  const wire = sort.replace(/^-/, "");
  const known = Object.hasOwn(list.sorts, wire) ? list.sorts[wire] : undefined;
  if (!known) throw invalid("sort", `Please sort by one of: ${Object.keys(list.sorts).join(", ")}.`);
  return { name: sort.replace("-", "down_"), ...known, downwards: sort.startsWith("-") };
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
      /^[\da-f-]{36}$/.test(String(read[1]))
    )
      return read as [string, string];
  } catch {
    // falls through: a cursor that can't be read is one that is not ours
  }
  throw unknownPlace();
}

/** A value that is none of its column's type: nobody but the writer of the cursor can send one. */
const isDataException = (error: unknown) => error instanceof DatabaseError && error.code?.startsWith("22");

const unknownPlace = () => invalid("cursor", "This place in the list is not known. Please start from the first page.");

const invalid = (field: string, sentence: string) =>
  new Failure("invalid", sentence, { fields: { [field]: sentence } });
