/**
 * The part of OpenSearch's search that the product uses: filters, a sort with a position to continue from, and the last
 * document of each device.
 */
export interface Document {
  _index: string;
  _id: string;
  _source: object;
}

type Filter = Partial<{
  bool: { filter?: Filter[]; should?: Filter[] };
  range: Record<string, { gte: string | number }>;
  term: Record<string, string>;
  terms: Record<string, string[]>;
  match_all: object;
}>;

export interface Search {
  size?: number;
  /** The fields to show; all if missing. */
  _source?: string[];
  query?: Filter;
  sort?: Record<string, "asc" | "desc">[];
  search_after?: (string | number)[];
  aggs?: {
    devices: {
      composite: { size: number; sources: [{ device: { terms: { field: string } } }]; after?: { device: string } };
      aggs?: { sources?: { terms: { field: string; size: number } } };
    };
  };
}

export function searchDocuments(documents: Document[], search: Search, now: Date) {
  const fits = documents.filter((document) => matches(document, search.query ?? {}, now));
  const time = Object.keys(search.sort?.[0] ?? {})[0] ?? "timestamp";
  const keyed = fits
    .map((document) => ({ document, key: keyOf(document, time, now) }))
    .toSorted((one, other) => compare(one.key, other.key));
  const { _source: fields } = search;
  const after = search.search_after as [number, string] | undefined;
  const rest = after ? keyed.filter(({ key }) => compare(key, after) > 0) : keyed;
  const hits = rest.slice(0, search.size ?? 10).map(({ document: { _source: source, ...document }, key }) => ({
    ...document,
    _source: fields ? shownOf(source, fields) : source,
    sort: key,
  }));
  return {
    hits: { total: { value: fits.length, relation: "eq" }, hits },
    ...(search.aggs && { aggregations: { devices: lastOfEach(fits, search.aggs.devices, now) } }),
  };
}

/** The parts of an object at these paths. */
function shownOf(source: object, fields: string[], under = ""): object {
  const shown = Object.entries(source).flatMap(([name, value]: [string, unknown]) => {
    const path = `${under}${name}`;
    if (fields.includes(path)) return [[name, value]];
    const isAbove = fields.some((field) => field.startsWith(`${path}.`));
    return isAbove && typeof value === "object" && value ? [[name, shownOf(value, fields, `${path}.`)]] : [];
  });
  return Object.fromEntries(shown);
}

const keyOf = (document: Document, time: string, now: Date): [number, string] => {
  const { _id: id } = document;
  return [instant(valueOf(document, time), now), id];
};

const compare = ([at, id]: [number, string], [otherAt, otherId]: [number, string]) =>
  at - otherAt || (id < otherId ? -1 : id > otherId ? 1 : 0);

function matches(document: Document, filter: Filter, now: Date): boolean {
  const { bool, range, term, terms } = filter;
  if (bool && !(bool.filter ?? []).every((each) => matches(document, each, now))) return false;
  if (bool?.should && !bool.should.some((each) => matches(document, each, now))) return false;
  const isIn = (field: string, wanted: string[]) =>
    [valueOf(document, field)].flat().some((value) => wanted.includes(String(value)));
  return [
    ...Object.entries(range ?? {}).map(
      ([field, { gte }]) => instant(valueOf(document, field), now) >= instant(gte, now),
    ),
    ...Object.entries(term ?? {}).map(([field, value]) => isIn(field, [value])),
    ...Object.entries(terms ?? {}).map(([field, values]) => isIn(field, values)),
  ].every(Boolean);
}

const valueOf = ({ _source }: Document, field: string): unknown =>
  field.split(".").reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], _source);

/** A number unchanged; an instant in milliseconds; "now-25m" as an instant. */
function instant(value: unknown, now: Date): number {
  if (typeof value === "number") return value;
  const [, minutes] = /^now-(\d+)m$/.exec(String(value)) ?? [];
  if (minutes) return now.getTime() - Number(minutes) * 60_000;
  return Date.parse(String(value).replace(/\+0000$/, "Z"));
}

function lastOfEach(documents: Document[], { composite, aggs }: NonNullable<Search["aggs"]>["devices"], now: Date) {
  const { size, sources, after } = composite;
  const last = new Map<string, { value: number; named: Set<string> }>();
  for (const document of documents) {
    const device = String(valueOf(document, sources[0].device.terms.field));
    const at = instant(valueOf(document, "timestamp") ?? valueOf(document, "@timestamp"), now);
    const known = last.get(device) ?? { value: 0, named: new Set<string>() };
    const named = aggs?.sources && valueOf(document, aggs.sources.terms.field);
    last.set(device, {
      value: Math.max(at, known.value),
      named: typeof named === "string" ? known.named.add(named) : known.named,
    });
  }
  const sorted = [...last].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const page = sorted.filter(([device]) => !after || device > after.device).slice(0, size);
  const buckets = page.map(([device, { value, named }]) => ({
    key: { device },
    doc_count: 1,
    last: { value },
    ...(aggs?.sources && { sources: { buckets: Array.from(named, (key) => ({ key, doc_count: 1 })) } }),
  }));
  return { buckets, ...(buckets.length === size && { after_key: buckets.at(-1)?.key }) };
}
