import { z } from "zod";
import { earlier } from "../../../../contract/durations.ts";
import type { Batch, Finding } from "../engine.ts";
import { halving } from "../engine-failure.ts";
import { readCursor } from "../read-cursor.ts";
import type { Hit, Indexer } from "./indexer.ts";

/**
 * Where a walk continues: after the document `after`, or, once it has ended, from the time `from`. `until` is when it
 * began: a document that changes later may lie before `after`, where this walk no longer looks.
 */
const Cursor = z.object({
  from: z.string(),
  after: z.array(z.union([z.string(), z.number()])).nullable(),
  until: z.string().nullish(),
});
type Cursor = z.infer<typeof Cursor>;

const pageSize = 500;
/** Documents arrive late, because an agent keeps what it can't send: each new walk goes back this far. */
const overlap = { minutes: 10 };
const firstLook = { hours: 24 };

/**
 * Walks documents in order of time, each page after the last document of the one before, so that new documents shift
 * nothing. An interrupted walk is resumed; after a complete one, the next begins a little earlier.
 */
export async function* walkDocuments(
  indexer: Indexer,
  pattern: string,
  given: { cursor: string | null; now: Date },
  { query, time, fields, read }: Walk,
): AsyncGenerator<Batch<Finding>> {
  const stands = readCursor(Cursor, given.cursor);
  const from = stands?.from ?? earlier(given.now, firstLook).toISOString();
  let after = stands?.after ?? null;
  const until = (after && stands?.until) ?? given.now.toISOString();
  let newest = from;
  const search = async (count: number) => ({
    size: count,
    hits: await indexer.search(pattern, {
      size: count,
      _source: fields,
      sort: [{ [time]: "asc" }, { _id: "asc" }],
      query: query(from),
      ...(after && { search_after: after }),
    }),
  });
  for (let most = pageSize; ;) {
    const { size, hits } = await halving(most, search);
    most = size;
    const { items, unreadable } = read(hits);
    for (const { at } of items) if (at.toISOString() > newest) newest = at.toISOString();
    after = hits.at(-1)?.sort ?? after;
    const isLast = hits.length < size;
    // A document dated in the future must not move the start of the next walk there.
    const end = [newest, until].toSorted()[0] ?? newest;
    const next = [from, earlier(new Date(end), overlap).toISOString()].toSorted().at(-1) ?? from;
    yield { items, unreadable, cursor: writeCursor(isLast ? { from: next, after: null } : { from, after, until }) };
    if (isLast) return;
  }
}

interface Walk {
  /** The query for everything since an instant in ISO 8601. */
  query(from: string): object;
  /** The time field by which the documents are sorted. */
  time: string;
  /** The fields to read of each document. */
  fields: string[];
  read(hits: Hit[]): { items: Finding[]; unreadable: number };
}

const writeCursor = (cursor: Cursor) => JSON.stringify(cursor);
