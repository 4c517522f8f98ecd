import type { QueryResultRow } from "pg";
import type { ListQuery } from "../../contract/fields.ts";
import { Failure } from "../errors.ts";
import type { Database } from "./database.ts";

/** What a list is made of. Everything here is written by us; what people send goes into parameters. */
export interface List {
  /** Name of the prepared statement. */
  name: string;
  columns: string;
  from: string;
  /** Bound to an actor or an organisation by $1. */
  where: string;
  /** Column that tells rows apart and orders them by time. */
  id: string;
  /** Columns that are looked through, as text. */
  searched: string[];
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
 * Newest first unless `sort` names a column, with "-" for downwards.
 * @throws Failure invalid for an unknown sort or a cursor that is not ours
 */
export async function listPage<Row extends QueryResultRow & { id: string }>(
  database: Database,
  list: List,
  owner: string,
  query: ListQuery,
): Promise<Page<Row>> {
  const { rows } = await database.$client.query<Row & { sorted_by: string; total: number }>(
    pageStatement(list, owner, query),
  );
  const more = rows.length > query.limit;
  const shown = more ? rows.slice(0, -1) : rows;
  const last = shown.at(-1);
  return {
    rows: shown,
    nextCursor: more && last ? writeCursor(last.sorted_by, last.id) : null,
    total: rows[0]?.total ?? 0,
  };
}

/** The prepared statement behind `listPage`; exported for the benchmark, which asks the same of a bare server. */
export function pageStatement(list: List, owner: string, query: ListQuery) {
  const order = readSort(list, query.sort);
  const parameters: unknown[] = [owner, query.limit + 1];
  const conditions = [list.where];
  if (query.search) {
    parameters.push(`%${query.search.replace(/[\\%_]/g, "\\$&")}%`);
    conditions.push(`concat_ws(' ', ${list.searched.join(", ")}) ilike $${parameters.length}`);
  }
  const matching = `${list.from} where ${conditions.join(" and ")}`;
  const counted = parameters.length;
  if (query.cursor) {
    const [value, id] = readCursor(query.cursor);
    parameters.push(value, id);
    const place = `($${counted + 1}::${order.type}, $${counted + 2}::uuid)`;
    conditions.push(`(${order.column}, ${list.id}) ${order.downwards ? "<" : ">"} ${place}`);
  }
  const direction = order.downwards ? "desc" : "asc";
  const text = `select ${list.columns}, ${order.column}::text as sorted_by, (select count(*)::int from ${matching}) as total
    from ${list.from} where ${conditions.join(" and ")}
    order by ${order.column} ${direction}, ${list.id} ${direction} limit $2`;
  const shape = [query.search && "search", query.cursor && "cursor", order.name].filter(Boolean).join("_");
  return { name: `${list.name}_${shape}`, text, values: parameters };
}

function readSort(list: List, sort: string | undefined) {
  if (!sort) return { name: "", column: list.id, type: "uuid", downwards: true };
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
  throw invalid("cursor", "This place in the list is not known. Please start from the first page.");
}

const invalid = (field: string, sentence: string) =>
  new Failure("invalid", sentence, { fields: { [field]: sentence } });
