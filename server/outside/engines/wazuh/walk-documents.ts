import { z } from "zod";
import { earlier } from "../../../../contract/durations.ts";
import type { Batch, Finding } from "../engine.ts";
import { halving } from "../engine-failure.ts";
import { readCursor } from "../read-cursor.ts";
import type { Hit, Indexer } from "./indexer.ts";

/**
 * Where a walk over documents stands. Behind `after`, or, when it came to its end, at everything since `from`; `until` is when
 * it began, as what changes after that may stand behind which it has come.
 */
const Cursor = z.object({
  from: z.string(),
  after: z.array(z.union([z.string(), z.number()])).nullable(),
  until: z.string().nullish(),
});
type Cursor = z.infer<typeof Cursor>;

const pageSize = 500;
/** Documents arrive late, as an agent keeps what it can't send: so far each new walk goes back. */
const overlap = { minutes: 10 };
const firstLook = { hours: 24 };

/**
 * Walks documents in the order of their time, behind the last one of each page: what comes in between shifts nothing. A
 * walk that was broken off goes on where it was; the next one after a whole one begins a little earlier.
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
    // A document from the future must not let the next walk begin there.
    const end = [newest, until].toSorted()[0] ?? newest;
    const next = [from, earlier(new Date(end), overlap).toISOString()].toSorted().at(-1) ?? from;
    yield { items, unreadable, cursor: writeCursor(isLast ? { from: next, after: null } : { from, after, until }) };
    if (isLast) return;
  }
}

interface Walk {
  /** What is looked for since an instant in ISO 8601. */
  query(from: string): object;
  /** The field that the documents are in order of. */
  time: string;
  /** What is read of each. */
  fields: string[];
  read(hits: Hit[]): { items: Finding[]; unreadable: number };
}

const writeCursor = (cursor: Cursor) => JSON.stringify(cursor);
