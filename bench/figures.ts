/** The figures that benchmarks measure, each with its aim and its limit: a missed limit fails `npm run bench`. */
export interface Figure {
  /** The file that measures it, without its extension. */
  bench: string;
  what: string;
  unit: Unit;
  /** Whether a higher or a lower value is better. */
  best: "high" | "low";
  /** The value to work towards; an idle machine reaches it, unless there is work left to do. */
  aim: number;
  /** The bound that no change may miss. */
  limit: number;
}

type Unit = "of it" | "times" | "ms" | "s" | "MB" | "kB" | "points" | "shift";

const high = (bench: string, what: string, unit: Unit, aim: number, limit: number): Figure => ({
  bench,
  what,
  unit,
  best: "high",
  aim,
  limit,
});
const low = (bench: string, what: string, unit: Unit, aim: number, limit: number): Figure => ({
  ...high(bench, what, unit, aim, limit),
  best: "low",
});

export const figures = {
  "My Quotes": high("my-quotes", "answers a second, of bare node:http + pg with the same SQL", "of it", 0.75, 0.5),
  "My Quotes, slowest": low("my-quotes", "the 99th percentile of its time, to the median", "times", 4, 8),
  "sign-ins": high("sign-ins", "password to mailed code, of bare argon2id on all cores", "of it", 0.85, 0.35),
  "beside sign-ins": low("sign-ins", "99th percentile of others' My Quotes meanwhile", "ms", 50, 250),
  "start again": low("memory", "to the first home page, with its own PostgreSQL, median", "ms", 1000, 2500),
  "start again, outside": low("memory", "the same with DATABASE_URL, median", "ms", 1000, 2000),
  "memory at start": low("memory", "resident, three seconds after", "MB", 220, 260),
  "memory after loads": low("memory", "resident, three seconds after the largest of all loads", "MB", 350, 420),
  "memory grown": low("memory", "second half of the rounds of loads, above the first", "MB", 20, 60),
  "pages, prerendered": high("pages", "the slowest of two, of a bare server of the same bytes", "of it", 0.75, 0.5),
  "pages, rendered": high("pages", "the slowest of three, of a bare server of the same bytes", "of it", 0.75, 0.5),
  "page weight": low("pages", "the heaviest public page before the first interaction", "kB", 90, 100),
  "script after it": low("pages", "the most script a public page loads afterwards", "kB", 125, 140),
  "script, sign-in": low("pages", "script of the sign-in", "kB", 110, 115),
  "script, portals": low("pages", "the most script of a portal's page", "kB", 150, 166),
  "Lighthouse, speed": high("pages", "the lowest score of six pages on a phone", "points", 98, 85),
  "Lighthouse, the rest": high("pages", "the lowest of their other three scores", "points", 100, 95),
  "largest paint": low("pages", "the latest of six, on a phone", "s", 1.5, 2.5),
  "layout shift": low("pages", "the largest of six", "shift", 0.01, 0.1),
  growth: low(
    "long-lists",
    "pages, sorts and searches of every list, cards and charts, the worst median from few rows to many",
    "times",
    1.5,
    4,
  ),
  "growth, slowest": low(
    "long-lists",
    "of each list the 99th percentile, the worst from few rows to many",
    "times",
    1.5,
    4,
  ),
  "palette, provider's": low("palette", "the slowest of seventeen looks, its median", "ms", 50, 150),
  "palette, partner's": low("palette", "the slowest of seventeen looks, its median", "ms", 50, 150),
  "whole list": low("whole-list", "all customers as a stream, to PostgreSQL's own COPY", "times", 6, 12),
  "whole list, a million": low("whole-list", "the time of a million customers at this speed", "s", 60, 150),
  "whole list, memory": low("whole-list", "grown while they are read, the median", "MB", 60, 100),
  "log search": low("log-search", "980 rows, the slowest of 26 things that people type", "ms", 10, 50),
  "log search, long": low("log-search", "100,000 rows, the slowest of 26 things that people type", "ms", 20, 100),
  proposal: low("proposal", "quote to PDF, to a bare Typst compile", "times", 1.3, 2),
  "proposal, loop": low("proposal", "the event loop held meanwhile, 99th percentile", "ms", 20, 100),
  "copies, quotes": high("copies", "My Quotes by three copies on these cores, to one", "of it", 0.9, 0.3),
  "copies, estimates": high("copies", "estimates by three copies on these cores, to one", "of it", 0.9, 0.3),
  "copies, mailed": high("copies", "of their estimates, those mailed once", "of it", 1, 0.999),
  "copies, told": low("copies", "what one publishes, until all three have it, the slowest of twenty", "s", 1, 5),
  "engines, a round": low("engines", "1,000 bindings with 100,000 devices asked and stored once", "s", 30, 60),
  "engines, storing": low("engines", "the same, to reading the answers alone", "times", 4, 8),
  "coverage, a round": low("engines", "the coverage of 1,000 customers with 100,000 devices counted once", "s", 15, 60),
  "beside overviews": low("heavy-reads", "My Quotes, six overviews at once beside it, 99th percentile", "ms", 100, 400),
  "beside searches": low("heavy-reads", "the same, twenty searches for two letters beside it", "ms", 100, 400),
  overload: high("overload", "of what somebody signed in asks, answered under a flood", "of it", 1, 0.98),
  "overload, median": low("overload", "of the time of these answers", "ms", 250, 1000),
  "overload, visitors": high("overload", "answered or told to come back, of the flood", "of it", 1, 0.99),
  "overload, memory": low("overload", "at most, under the flood", "MB", 400, 500),
} as const satisfies Record<string, Figure>;

export type FigureName = keyof typeof figures;

/** The measured value of a figure; `detail` says how it came about. */
export interface Measured {
  figure: FigureName;
  value: number;
  detail: string;
}

/** A value compared with its figure's aim and limit. */
export type Verdict = "met" | "missed" | "limit missed";

export function judge(figure: FigureName, value: number): Verdict {
  const { best, aim, limit }: Figure = figures[figure];
  // NaN misses everything.
  const reaches = (bound: number) => (best === "high" ? value >= bound : value <= bound);
  if (!reaches(limit)) return "limit missed";
  return reaches(aim) ? "met" : "missed";
}

/** A figure's value with its unit, for people. */
export function written(figure: FigureName, value: number): string {
  const { unit } = figures[figure];
  const digits = unit === "of it" || unit === "times" || unit === "shift" || unit === "s" ? 2 : 0;
  const number = value.toLocaleString("en-IN", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (
    { "of it": number, shift: number, points: number, times: `${number} times` }[unit as string] ?? `${number} ${unit}`
  );
}
