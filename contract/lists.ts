import { z } from "zod";
import { SearchText } from "./fields.ts";
import { limits } from "./limits.ts";

/**
 * How many rows there are. `total` is what was counted for the first page, 10,000 at most; `totalIsCapped` says that
 * there are more than that.
 */
export const counted = { total: z.number().int(), totalIsCapped: z.boolean() };

/** What every list answers beside its array. */
export const listPage = { nextCursor: z.string().nullable(), ...counted };

type FieldOf<Row extends z.ZodObject> = keyof z.output<Row> & string;

/**
 * Declares a list once for contract, server and table: what a row is, by what it can be sorted and what a search looks
 * through, each a field of the row. `named` are sorts with a name of their own, and the fields that they go by.
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
    // It carries what the page ended with: at most an organisation's name, three bytes a character, as base64.
    cursor: z.string().max(600).optional(),
    search: SearchText.optional(),
    /** The list is fetched to be kept as a file, which leaves an audit entry. */
    export: z.enum(["csv", "jsonl"]).optional(),
    sort: z.enum(orders, `Please sort by one of: ${names.join(", ")}`).optional(),
  });
  /** For the summary of an operation. */
  const summary = `Sorts: ${names.join(", ")}, with "-" for downwards. A search looks through ${searched.join(", ")}`;
  return { row, fieldsOfSort, searched, query, summary };
}

/** The names that a declared list can be sorted by. */
export type SortOf<Declared extends { fieldsOfSort: object }> = keyof Declared["fieldsOfSort"] & string;

/** What every list call may send; a call without any gets the first page. */
export interface ListQuery<Sort extends string> {
  limit: number;
  cursor?: string | undefined;
  search?: string | undefined;
  sort?: Sort | `-${Sort}` | undefined;
}
