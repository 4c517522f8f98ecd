import { type Column, getTableName, is, sql, type SQL } from "drizzle-orm";
import { PgColumn, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import type { SortOf } from "../../contract/lists.ts";
import { drizzleConfig } from "./database.ts";

type ColumnOf<Table extends PgTable> = Table["_"]["columns"][keyof Table["_"]["columns"]];
/** Plain columns belong to the listed table; columns of others are wrapped in `joined` or `alwaysJoined`. */
export type FieldsOf<Table extends PgTable> = Record<string, ColumnOf<Table> | SQL>;

/** The definition of a list. All SQL in it is our own; user input only becomes parameters. */
export interface List<Table extends PgTable, Fields extends FieldsOf<Table>, Sort extends string> {
  /**
   * Name of the prepared statements, for lists where each owner has few rows: one plan suits all owners. Other lists
   * are planned each time, because the best plan depends on how many rows the owner has.
   */
  name?: string;
  /** The one table whose rows are listed: filters, sorts, searches and counts use only its columns. */
  table: Table;
  /**
   * The fields of a row. Whether related rows exist is asked by counting, not by `exists`: to answer that for each row,
   * PostgreSQL may read the whole other table.
   */
  fields: Fields;
  /** Left joins that only add columns. */
  joins?: SQL;
  /** Bound by $1 to an actor, an organisation, a role or an instant. Missing in administrators' lists of everything. */
  where?: SQL;
  /**
   * A condition on the row with this id that needs other tables: searches apply it to matches, not to each scanned row.
   */
  whereOf?: (id: SQL) => SQL;
  /** Unique column, which also orders the rows by time unless `newest` does. */
  id: ColumnOf<Table>;
  /** The sort that, descending, is the list's default order. */
  newest?: Sort;
  /** The text that a search looks through, in lower case. */
  searched: ColumnOf<Table> | SQL;
  /** What each sort orders by: a column, or text made of columns. */
  sorts: Record<Sort, ColumnOf<Table> | SQL<string>>;
  /** A b-tree index over just the list's rows, if these are few of the table's: its size tells how many they are. */
  countedBy?: string;
}

/** One more condition, on a column of the listed table; its value becomes a parameter. */
export interface Condition {
  column: PgColumn;
  compared: "=" | "= any" | "@>" | ">=" | "<";
  value: string | Date | readonly string[];
}

/** A row with the types of its list's fields. */
export type RowOf<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends SQL<infer Value>
    ? Value
    : Fields[Name] extends Column
      ? DataOf<Fields[Name]>
      : never;
};
type DataOf<Of extends Column> = Of["_"]["notNull"] extends true ? Of["_"]["data"] : Of["_"]["data"] | null;

/** Defines a list that the contract declares: a missing sort column, or a wrong column, does not compile. */
export function listFrom<
  Table extends PgTable,
  Fields extends FieldsOf<Table>,
  Declared extends { fieldsOfSort: object },
>(_declared: Declared, list: List<Table, Fields, SortOf<Declared>>): List<Table, Fields, SortOf<Declared>> {
  return list;
}

/** A column of a joined table: null if no row was joined. */
export const joined = <Of extends Column>(column: Of): SQL<DataOf<Of> | null> => sql`${column}`;
/** A column of a joined table that always has a matching row. */
export const alwaysJoined = <Of extends Column>(column: Of): SQL<DataOf<Of>> => sql`${column}`;

/**
 * Restricts a list to a partner. Its search expression is one that only the index beginning with the partner has, so
 * the planner must use that index: a word common among others' rows but absent from the partner's is soon known to be
 * absent.
 */
export const ofPartner = ({ partnerId, searched }: Record<"partnerId" | "searched", PgColumn>) => ({
  where: sql`${partnerId} = $1`,
  searched: sql`(${searched} || '')`,
});

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

/** A list's parts as SQL text, made once per list. */
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

/** A condition as SQL, with the number of its parameter. */
export const writeCondition = ({ column, compared }: Condition, parameter: number): string =>
  compared === "= any" ? `${write(column)} = any ($${parameter})` : `${write(column)} ${compared} $${parameter}`;

/** Turns `= any` of a single value into `=`: only then can an index give the rows in its order. */
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
