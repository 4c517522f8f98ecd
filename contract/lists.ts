import { z } from "zod";
import { SearchText } from "./fields.ts";
import { limits } from "./limits.ts";

/**
 * The number of rows. `total` is counted for the first page and stops at 10,000; `totalIsCapped` says that there are
 * more.
 */
export const counted = { total: z.number().int(), totalIsCapped: z.boolean() };

/** What every list answers besides its array. */
export const listPage = { nextCursor: z.string().nullable(), ...counted };

type FieldOf<Row extends z.ZodObject> = keyof z.output<Row> & string;

/**
 * Declares a list once for contract, server and table: the schema of a row, the sorts and the searched fields, each a
 * field of the row. `named` holds sorts with names of their own and the fields that they sort by.
 */
export function listOf<
  Row extends z.ZodObject,
  const Field extends FieldOf<Row>,
  const Named extends Readonly<Record<string, readonly FieldOf<Row>[]>>,
>(row: Row, { sorts, named, searched }: { sorts: readonly Field[]; named: Named; searched: readonly FieldOf<Row>[] }) {
  type Sort = Field | (keyof Named & string);
  const own = sorts.map((field) => [field, [field]]);
  const fieldsOfSort = { ...Object.fromEntries(own), ...named } as Readonly<Record<Sort, readonly FieldOf<Row>[]>>;
  const names = Object.keys(fieldsOfSort) as Sort[];
  const orders = names.flatMap((name) => [name, `-${name}`] as const);
  const query = z.object({
    limit: z.coerce.number().int().min(1).max(limits.listLimitMax).default(limits.listLimitDefault),
    // The cursor holds the last row's sort values: at most an organisation's name, three bytes a character, in base64.
    cursor: z.string().max(600).optional(),
    search: SearchText.optional(),
    /** Set when the list is downloaded as a file, which leaves an audit entry. */
    export: z.enum(["csv", "jsonl"]).optional(),
    sort: z.enum(orders, `Please sort by one of: ${names.join(", ")}`).optional(),
  });
  /** For the summary of an operation. */
  const summary = `Sorts: ${names.join(", ")}, with "-" for downwards. A search looks through ${searched.join(", ")}`;
  return { row, fieldsOfSort, searched, query, summary };
}

/** The names by which a declared list can be sorted. */
export type SortOf<Declared extends { fieldsOfSort: object }> = keyof Declared["fieldsOfSort"] & string;

/** The input that all lists share; a call without any of it gets the first page. */
export interface ListQuery<Sort extends string> {
  limit: number;
  cursor?: string | undefined;
  search?: string | undefined;
  sort?: Sort | `-${Sort}` | undefined;
}
