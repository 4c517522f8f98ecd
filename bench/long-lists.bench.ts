import { writeCursor } from "../server/database/list-cursor.ts";
import { walkedMax } from "../server/database/list-statements.ts";
import type { Services } from "../server/services.ts";
import {
  figureCalls,
  type ListCall,
  listCalls,
  type ListOperation,
  listOperations,
  nameOf,
  openCall,
  sortsOf,
} from "../tests/list-calls.ts";
import { type Asked, recordStatements } from "../tests/record-statements.ts";
import { withFilledLists } from "./filled-lists.ts";
import { figures } from "./figures.ts";
import { median, option, percentile, report, tell, timeOf, whole } from "./measure.ts";

/**
 * Every list of the portals with its pages, sorts and searches, and the cards and charts: first with 10,000 rows, then
 * with `--rows=` rows (100,000 by default; tests/list-rows.ts caps customers at 100,000, and kinds that never grow that
 * large at 20,000). The aim is a cost that does not grow with the rows.
 */

const fewRows = 10_000;
const manyRows = option("rows", 100_000);
/** Matching every fourth row, one, none, and about one row in a hundred, two hundred and five thousand. */
const searches = ["kaveri", "ganga", "77123", "ka", "no such thing", "zz", "7b", "7b3", "c0ff"];
/** How often each call is timed, after a first untimed one. */
const rounds = 30;
const limit = 50;
/** The row count of nine tenths of each list in the small database; a list of two pages has no such depth. */
const depths = new Map<string, number>();
const firstTimes: number[] = [];

const few = await measureWith(fewRows);
const many = await measureWith(manyRows);
// The comparison is printed in any case: measuring a million rows takes too long to lose it because of a page that only
// one size has.
reportGrowth();
refuseOneSided();

/** The milliseconds of all calls: by list or dashboard, then by its page, sort or search. */
type Measured = Map<string, Map<string, number[]>>;

/** Measures everything in a database with this many rows. */
function measureWith(rows: number): Promise<Measured> {
  const started = performance.now();
  firstTimes.length = 0;
  return withFilledLists(rows, async (services) => {
    tell(`${whole(rows)} rows of each list filled in ${whole((performance.now() - started) / 1000)} s`);
    const measured = await measureAll(services);
    const [middle, late] = [median(firstTimes), percentile(firstTimes, 99)].map((ms) => ms.toFixed(1));
    tell(`of these, each question for the first time: ${middle} ms in the middle, 99th percentile ${late} ms`);
    return measured;
  });
}

async function measureAll(services: Services): Promise<Measured> {
  const measured: Measured = new Map();
  const measure = async (list: string, questions: Questions) => {
    const times = measured.get(list) ?? new Map<string, number[]>();
    for (const [what, ask] of questions) times.set(what, await timesOf(ask));
    measured.set(list, times);
  };
  const record = recordStatements(services.database.$client);
  for (const name of listOperations)
    // A test covers the plans for a partner with few customers.
    for (const call of listCalls[name].filter(({ as }) => as !== "smallPartner"))
      await measure(nameOf(name, call), await questionsOf(services, record, name, call));
  for (const [name, asking] of figureCalls.filter(([, { as }]) => as !== "smallPartner")) {
    const ask = await openCall(services, name, asking);
    await measure("cards and charts", [[nameOf(name, asking), () => ask()]]);
  }
  return measured;
}

async function timesOf(ask: () => Promise<object>): Promise<number[]> {
  // The first call may read from disk what a running service has in memory, so it is reported separately.
  firstTimes.push(await timeOf(ask));
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timeOf(ask));
  return times;
}

type Questions = [what: string, ask: () => Promise<object>][];
type Record = ReturnType<typeof recordStatements>;

async function questionsOf(
  services: Services,
  record: Record,
  name: ListOperation,
  asking: ListCall,
): Promise<Questions> {
  const list = await openCall(services, name, asking);
  const sorts = sortsOf(name);
  const questions: Questions = [["first page", () => list({ limit })]];
  for (const by of asking.narrowed ?? [])
    questions.push([`narrowed to ${Object.values(by).join(", ")}`, () => list({ limit, ...by })]);
  const [first, asked] = await record(() => list({ limit }));
  for (const [what, cursor] of await deepPlaces(services, nameOf(name, asking), first, asked))
    questions.push([what, () => list({ limit, cursor })]);
  for (const sort of sorts) {
    questions.push([`by ${sort}`, () => list({ limit, sort })]);
    const { nextCursor: cursor } = await list({ limit, sort: `-${sort}` });
    if (cursor) questions.push([`by ${sort} downwards, page 2`, () => list({ limit, sort: `-${sort}`, cursor })]);
  }
  // A search walks up to this many rows; in a shorter list its cost still grows with each row.
  if ((depths.get(nameOf(name, asking)) ?? 0) < walkedMax) return questions;
  for (const search of searches) {
    questions.push([`search ${search}`, () => list({ limit, search })]);
    questions.push([`search ${search}, by ${sorts[0]}`, () => list({ limit, search, sort: sorts[0] })]);
  }
  return questions;
}

/**
 * The cursors at nine tenths of a list, and at the row count of nine tenths of the small one. They are made from the
 * row at that place, because walking there page by page would take longer than all measurements.
 */
async function deepPlaces(
  { database }: Services,
  list: string,
  counted: { total: number; totalIsCapped: boolean },
  asked: readonly Asked[],
): Promise<[what: string, cursor: string][]> {
  const page = asked.find(({ text }) => /\bplace_sorted\b[^]* limit \$\d+$/.test(text));
  if (!page) throw new Error(`No page of ${list} was asked of the database`);
  const [, parameter] = / limit \$(\d+)$/.exec(page.text) ?? [];
  const valuesWith = (limit: number | null) => page.values.with(Number(parameter) - 1, limit);
  const { rows: sums } = await database.$client.query<{ rows: number }>(
    `select count(*)::int as rows from (${page.text}) as page`,
    valuesWith(null),
  );
  const depth = Math.floor((9 * (sums[0]?.rows ?? 0)) / 10);
  // The small database is measured first.
  const shallow = depths.get(list) ?? depth;
  depths.set(list, shallow);
  if (shallow < 2 * limit) return [];
  const places: [string, string][] = [];
  for (const [what, rows] of [
    ["behind nine tenths of few", shallow],
    ["behind nine tenths", depth],
  ] as const) {
    const { rows: found } = await database.$client.query<{ id: string; sorted: string }>(
      `select place_id as id, place_sorted as sorted from (${page.text}) as page offset ${rows - 1} limit 1`,
      valuesWith(rows),
    );
    if (!found[0]) throw new Error(`${list} has no row ${rows}`);
    places.push([what, writeCursor({ ...found[0], ...counted })]);
  }
  return places;
}

/** A call that only one of the two sizes can answer is not compared; it must not be left out silently. */
function refuseOneSided(): void {
  const namesOf = (measured: Measured) =>
    [...measured].flatMap(([list, asked]) => [...asked.keys()].map((what) => `${list}, ${what}`));
  const times = Map.groupBy([...namesOf(few), ...namesOf(many)], (name) => name);
  const oneSided = [...times].filter(([, named]) => named.length === 1).map(([name]) => name);
  if (oneSided.length > 0) throw new Error(`Asked with one number of rows only: ${oneSided.join("; ")}`);
}

function reportGrowth(): void {
  const compared = [...many]
    .flatMap(([list, asked]) =>
      [...asked].map(([what, times]) => ({ list, what, times, before: few.get(list)?.get(what) ?? [] })),
    )
    .filter(({ before }) => before.length > 0);
  const middles = grown(
    compared.map(({ list, what, ...times }) => ({ what: `${list}, ${what}`, ...times })),
    median,
  );
  const sizes = `from ${whole(fewRows)} to ${whole(manyRows)} rows`;
  const typical = `${median(middles.map(({ ratio }) => ratio)).toFixed(2)} times in the middle of ${middles.length}`;
  report("growth", middles[0]?.ratio ?? Number.NaN, `${middles[0]?.told} ${sizes}; ${typical}`);
  for (const { told } of middles.slice(1).filter(({ ratio }) => ratio > figures.growth.aim)) tell(told);
  const slowest = grown(
    [...Map.groupBy(compared, ({ list }) => list)].map(([what, asked]) => ({
      what,
      times: slowestOfThirds(asked.map(({ times }) => times)),
      before: slowestOfThirds(asked.map(({ before }) => before)),
    })),
    median,
  );
  report("growth, slowest", slowest[0]?.ratio ?? Number.NaN, `${slowest[0]?.told}, of ${slowest.length} lists`);
  for (const { told } of slowest.slice(1)) tell(told);
}

/**
 * The 99th percentiles of all first, middle and last rounds of a list. For a list with few calls that is nearly the
 * largest value; taking the median of the three keeps a single pause of the machine from deciding.
 */
function slowestOfThirds(asked: number[][]): number[] {
  const third = rounds / 3;
  return [0, 1, 2].map((part) =>
    percentile(
      asked.flatMap((times) => times.slice(part * third, (part + 1) * third)),
      99,
    ),
  );
}

/** Sorted by growth, largest first. */
function grown(compared: { what: string; times: number[]; before: number[] }[], of: (times: number[]) => number) {
  return compared
    .map(({ what, times, before }) => {
      const [ms, msBefore] = [of(times), of(before)];
      const ratio = ms / msBefore;
      return { ratio, told: `“${what}” ${ratio.toFixed(2)}: ${msBefore.toFixed(1)} to ${ms.toFixed(1)} ms` };
    })
    .toSorted((one, other) => other.ratio - one.ratio);
}
