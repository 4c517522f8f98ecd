import { z } from "zod";
import { inMilliseconds } from "../../../../contract/durations.ts";
import type { EngineApi } from "../engine-api.ts";
import { readCursor } from "../read-cursor.ts";

/**
 * The times from which each walk continues: `created` and `updated`, and `open` as long as the first walk over open
 * cases lasts.
 */
const Cursor = z.object({ open: z.number().nullish(), created: z.number(), updated: z.number() });
type Cursor = z.infer<typeof Cursor>;

const Record = z.object({ _id: z.string(), _createdAt: z.number(), _updatedAt: z.number().nullish() });

const overlapMs = inMilliseconds({ minutes: 10 });
const firstLookMs = inMilliseconds({ hours: 24 });

/** The stage's name is fixed in TheHive: no administrator can rename it. */
const stillOpen = { _ne: { _field: "stage", _value: "Closed" } };

/**
 * Walks records that were created, then those that were updated, each from its own time. The first time it also walks
 * all cases that are still open, which may not change for long. `_updatedAt` is missing until the first update. A page
 * starts at the time where the last one ended, not at a row number: records that change in between move to the end and
 * would shift the rows.
 */
export async function* walkChanges(
  api: EngineApi,
  list: "listAlert" | "listCase",
  { pageSize, cursor: written, now }: { pageSize: number; cursor: string | null; now: Date },
): AsyncGenerator<{ records: unknown[]; cursor: string }> {
  const firstLook = now.getTime() - firstLookMs;
  const theirs = now.getTime() + (api.skewSeconds() ?? 0) * 1000;
  const open = list === "listCase" ? 0 : null;
  const start = readCursor(Cursor, written) ?? { open, created: firstLook, updated: firstLook };
  let cursor: Cursor = start;
  for (const [name, field] of [
    ["open", "_createdAt"],
    ["created", "_createdAt"],
    ["updated", "_updatedAt"],
  ] as const) {
    const stands = start[name];
    if (typeof stands !== "number") continue;
    // If the engine's clock was ahead during an interrupted walk and has been set back, the walk continues no later
    // than now.
    const since = stands > theirs ? theirs - overlapMs : stands;
    const filters = name === "open" ? [stillOpen] : [];
    for await (const { records, reached, isLast } of walkBy(api, list, field, { since, pageSize, filters })) {
      const safe = isLast ? Math.max(since, Math.min(reached, now.getTime()) - overlapMs) : reached;
      cursor = { ...cursor, [name]: name === "open" && isLast ? null : safe };
      yield { records, cursor: JSON.stringify(cursor) };
    }
  }
}

interface Walk {
  since: number;
  pageSize: number;
  filters: object[];
}

async function* walkBy(
  api: EngineApi,
  list: string,
  field: "_createdAt" | "_updatedAt",
  { since, pageSize, filters }: Walk,
) {
  const seen = new Set<string>();
  let [from, skip] = [since, 0];
  for (;;) {
    const records = await api.post(
      z.array(z.unknown()),
      "/api/v1/query",
      {
        query: [
          { _name: list },
          ...[{ _gte: { _field: field, _value: from } }, ...filters].map((filter) => ({ _name: "filter", ...filter })),
          { _name: "sort", _fields: [{ [field]: "asc" }] },
          { _name: "page", from: skip, to: skip + pageSize },
        ],
        excludeFields: ["description"],
      },
      { name: list },
    );
    const keys = records.map((record) => Record.safeParse(record).data);
    const versions = keys.map((key, index) => (key ? versionOf(key) : `unreadable ${skip + index}`));
    const fresh = records.filter((_record, index) => !seen.has(versions[index] ?? ""));
    for (const version of versions) seen.add(version);
    const reached = Math.max(from, ...keys.map((key) => key?.[field] ?? 0));
    const isLast = records.length < pageSize;
    yield { records: fresh, reached, isLast };
    if (isLast) return;
    [from, skip] = reached > from ? [reached, 0] : [from, skip + pageSize];
  }
}

const versionOf = ({ _id: id, _updatedAt: updatedAt }: z.output<typeof Record>) => `${id}:${updatedAt ?? ""}`;
