import { type Column, getTableName, is, sql, type SQL } from "drizzle-orm";
import { PgColumn, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import type { SortOf } from "../../contract/lists.ts";
import { drizzleConfig } from "./database.ts";

type ColumnOf<Table extends PgTable> = Table["_"]["columns"][keyof Table["_"]["columns"]];
/** Bare columns are the listed table's own: those of others come by `joined` or `alwaysJoined`. */
export type FieldsOf<Table extends PgTable> = Record<string, ColumnOf<Table> | SQL>;

/** What a list is made of. Everything here is written by us; what people send goes into parameters. */
export interface List<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string> {
  /**
   * Name of the prepared statements, for a list whose owners have few rows each: it is planned once for all of them.
   * Others are planned each time, for the best way depends on how many rows the owner has.
   */
  name?: string;
  /** The one table whose rows are listed: what filters, sorts, searches and counts is a column of it. */
  table: Table;
  /**
   * What a row holds. Whether there is something else is counted, without `exists`: to answer that for each row PostgreSQL
   * may read all there is.
   */
  fields: Fields;
  /** Left joins that only add columns. */
  joins?: SQL;
  /** Bound by $1 to an actor, an organisation, a role or an instant. Missing in a list of everything, for administrators. */
  where?: SQL;
  /** More about the row with this id, which other tables say: a search asks it of what it has found, not of each row that it walks. */
  whereOf?: (id: SQL) => SQL;
  /** Column that tells rows apart and orders them by time, unless `newest` does. */
  id: ColumnOf<Table>;
  /** Which of the sorts, downwards, is the list's own order. */
  newest?: Sort;
  /** What is looked through: text in lower case. */
  searched: ColumnOf<Table> | SQL;
  /** What each sort goes by: a column, or text made of columns. */
  sorts: Record<Sort, ColumnOf<Table> | SQL<string>>;
  /** A b-tree index that has just the rows of the list, where these are few of its table's. */
  countedBy?: string;
}

/** One more condition, on a column of the listed table: what is asked for goes into a parameter. */
export interface Condition {
  column: PgColumn;
  compared: "=" | "= any" | "@>" | ">=" | "<";
  value: string | Date | readonly string[];
}

/** A row as its list's fields say. */
export type RowOf<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends SQL<infer Value>
    ? Value
    : Fields[Name] extends Column
      ? DataOf<Fields[Name]>
      : never;
};
type DataOf<Of extends Column> = Of["_"]["notNull"] extends true ? Of["_"]["data"] : Of["_"]["data"] | null;

/** The list that the contract declares, as rows of its table: a sort without its column, or a wrong column, does not compile. */
export function listFrom<
  Table extends PgTable,
  Fields extends FieldsOf<Table>,
  Declared extends { fieldsOfSort: object },
>(_declared: Declared, list: List<Table, Fields, SortOf<Declared>>): List<Table, Fields, SortOf<Declared>> {
  return list;
}

/** A column of a joined table: null where nothing was joined. */
export const joined = <Of extends Column>(column: Of): SQL<DataOf<Of> | null> => sql`${column}`;
/** A column of a joined table that has a row for each of the listed one. */
export const alwaysJoined = <Of extends Column>(column: Of): SQL<DataOf<Of>> => sql`${column}`;

/**
 * Makes a list that of a partner. Its search goes by what only the index that begins with the partner has: a word that
 * many others have and none of its own is soon found to be nowhere, whatever the planner makes of it.
 */
export const ofPartner = ({ partnerId, searched }: Record<"partnerId" | "searched", PgColumn>) => ({
  where: sql`${partnerId} = $1`,
  searched: sql`(${searched} || '')`,
});

/** A list's parts as SQL. */
interface WrittenList {
  fields: string;
  table: string;
  joins: string;
  where: string;
  whereOf: (id: string) => string[];
  id: string;
  searched: string;
  sorts: Map<string, { column: string; type: string }>;
}
const written = new WeakMap<object, WrittenList>();

/** A list's parts as SQL, written once for each list. */
export function writeList<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string>(
  list: List<Table, Fields, Sort>,
): WrittenList {
  const kept = written.get(list);
  if (kept) return kept;
  const fields: [string, Column | SQL][] = Object.entries(list.fields);
  const sorts: [string, Column | SQL][] = Object.entries(list.sorts);
  const made = {
    fields: fields.map(([name, field]) => `${write(field)} as "${name}"`).join(", "),
    table: getTableName(list.table),
    joins: list.joins ? write(list.joins) : "",
    where: list.where ? write(list.where) : "",
    whereOf: (id: string) => (list.whereOf ? [write(list.whereOf(sql.raw(id)))] : []),
    id: write(list.id),
    searched: write(list.searched),
    sorts: new Map(sorts.map(([name, by]) => [name, { column: `(${write(by)})`, type: typeOf(by) }])),
  };
  written.set(list, made);
  return made;
}

/** A condition on the parameter of this number. */
export const writeCondition = ({ column, compared }: Condition, parameter: number): string =>
  compared === "= any" ? `${write(column)} = any ($${parameter})` : `${write(column)} ${compared} $${parameter}`;

/** What is one of a single value equals it: by that, and not by "any", an index gives rows in its order. */
export function ofOne(condition: Condition): Condition {
  const { compared, value } = condition;
  if (compared !== "= any" || typeof value === "string" || value instanceof Date) return condition;
  const [only, ...others] = value;
  return only === undefined || others.length > 0 ? condition : { ...condition, compared: "=", value: only };
}

const dialect = new PgDialect(drizzleConfig);

function write(part: Column | SQL): string {
  const { sql: text, params } = dialect.sqlToQuery(sql`${part}`);
  if (params.length > 0) throw new Error(`A list is written without values: ${text}`);
  return text;
}

const typeOf = (part: Column | SQL) => (is(part, PgColumn) ? part.getSQLType() : "text");
