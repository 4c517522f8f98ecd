import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { basic, type EngineApi, openApi } from "../engine-api.ts";
import type { Binding, LastEvents } from "../engine.ts";
import { EngineFailure } from "../engine-failure.ts";
import type { Surroundings } from "../engines.ts";
import { shortened } from "../read-records.ts";
import { readTime } from "../read-time.ts";

/** Where Wazuh keeps its findings: an OpenSearch, on port 9200. */
export interface Indexer {
  /** Whether any index that this login may read matches the pattern. */
  holds(pattern: string): Promise<boolean>;
  /** One page of documents. @throws EngineFailure where some shards did not answer */
  search(pattern: string, body: object): Promise<Hit[]>;
  /** For each device with documents in the last `withinMinutes`: the time of its last one, and their log sources. */
  lastOfEach(
    pattern: string,
    withinMinutes: number,
    fields: { time: string; device: string; source: string },
    filter: object[],
  ): Promise<Pick<LastEvents, "at" | "sources">>;
}

export interface Hit {
  id: string;
  source: unknown;
  /** The sort values after which the next page starts (`search_after`). */
  sort: (string | number)[];
}

const Found = z.object({
  timed_out: z.boolean().default(false),
  _shards: z.object({ total: z.number(), failed: z.number().default(0) }),
  hits: z.object({
    hits: z.array(
      z.object({
        _id: z.string(),
        _source: z.unknown(),
        sort: z.array(z.union([z.string(), z.number()])).default([]),
      }),
    ),
  }),
});

const Buckets = Found.extend({
  aggregations: z
    .object({
      devices: z.object({
        after_key: z.object({ device: z.string() }).optional(),
        buckets: z.array(
          z.object({
            key: z.object({ device: z.string() }),
            last: z.object({ value: z.number().nullable() }),
            sources: z.object({ buckets: z.array(z.object({ key: z.string() })) }).optional(),
          }),
        ),
      }),
    })
    .optional(),
});

const bucketsOfPage = 1000;
const sourcesOfDeviceMax = 10;

export function openIndexer(binding: Binding, { connection, called, now }: Surroundings): Indexer | null {
  if (!binding.indexerAddress) return null;
  const credentials = basic(binding.indexerUsername ?? binding.username ?? "", binding.indexerSecret ?? binding.secret);
  const api = openApi(connection, binding.indexerAddress, credentials, `The indexer of ${called}`, now);
  const ask = (pattern: string, body: object) => askWhole(api, Found, pattern, body, called);
  return {
    async holds(pattern) {
      const { _shards: shards } = await ask(pattern, { size: 0 });
      return shards.total > 0;
    },
    async search(pattern, body) {
      const { hits } = await ask(pattern, body);
      return hits.hits.map(({ _id, _source, sort }) => ({ id: _id, source: _source, sort }));
    },
    async lastOfEach(pattern, withinMinutes, { time, device, source }, filter) {
      const at = new Map<string, Date>();
      const sources = new Map<string, string[]>();
      let after: { device: string } | undefined;
      for (;;) {
        const { aggregations } = await askWhole(
          api,
          Buckets,
          pattern,
          {
            size: 0,
            query: { bool: { filter: [{ range: { [time]: { gte: `now-${withinMinutes}m` } } }, ...filter] } },
            aggs: {
              devices: {
                composite: {
                  size: bucketsOfPage,
                  sources: [{ device: { terms: { field: device } } }],
                  ...(after && { after }),
                },
                aggs: {
                  last: { max: { field: time } },
                  sources: { terms: { field: source, size: sourcesOfDeviceMax } },
                },
              },
            },
          },
          called,
        );
        for (const { key, last, sources: named } of aggregations?.devices.buckets ?? []) {
          const instant = readTime(last.value);
          if (instant) at.set(key.device, instant);
          if (named) sources.set(key.device, named.buckets.map((bucket) => shortened(bucket.key)).toSorted());
        }
        const next = aggregations?.devices.after_key;
        if (!next) break;
        if (isDeepStrictEqual(next, after))
          throw new EngineFailure(
            "answer",
            `The indexer of ${called} answers one page of its devices again and again.`,
          );
        after = next;
      }
      return { at, sources };
    },
  };
}

/** Refuses partial answers: the cursor would move past the documents that are missing. */
async function askWhole<Shape extends typeof Found>(
  api: EngineApi,
  shape: Shape,
  pattern: string,
  body: object,
  called: string,
): Promise<z.output<Shape>> {
  const found = await api.post(shape, `/${pattern}/_search`, body, {
    ignore_unavailable: "true",
    allow_no_indices: "true",
  });
  const { timed_out: isLate, _shards: shards } = found;
  if (isLate || shards.failed > 0)
    throw new EngineFailure(
      "answer",
      `The indexer of ${called} answered in part only. Look at the health of its index.`,
    );
  return found;
}
