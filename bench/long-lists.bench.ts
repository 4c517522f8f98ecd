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
 * Every list of the portals, its pages, sorts and searches, and the cards and charts: first with 10,000 rows, then
 * with as many as `--rows=` says (100,000 without it; customers end at 100,000, and what nobody writes so much of at 20,000:
 * tests/list-rows.ts). A cost that does not grow with the rows is aimed at.
 */

const fewRows = 10_000;
const manyRows = option("rows", 100_000);
/** Of every fourth row, of one, of none, and of about one in a hundred, two hundred and five thousand. */
const searches = ["kaveri", "ganga", "77123", "ka", "no such thing", "zz", "7b", "7b3", "c0ff"];
/** How often each is asked, after a first time. */
const rounds = 30;
const limit = 50;
/** How many rows are nine tenths of each list where there are few; there is no such place in a list of two pages. */
const depths = new Map<string, number>();
const firstTimes: number[] = [];

const few = await measureWith(fewRows);
const many = await measureWith(manyRows);
// What is compared is told in any case: to measure a million takes too long to lose it all by one page that only one size has.
reportGrowth();
refuseOneSided();

/** The milliseconds of everything that is asked, by the list or dashboard and by the page, sort or search of it. */
type Measured = Map<string, Map<string, number[]>>;

/** Asks everything, in a database with so many rows. */
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
    // Of a partner with few customers the plans are read by a test.
    for (const call of listCalls[name].filter(({ as }) => as !== "smallPartner"))
      await measure(nameOf(name, call), await questionsOf(services, record, name, call));
  for (const [name, asking] of figureCalls.filter(([, { as }]) => as !== "smallPartner")) {
    const ask = await openCall(services, name, asking);
    await measure("cards and charts", [[nameOf(name, asking), () => ask()]]);
  }
  return measured;
}

async function timesOf(ask: () => Promise<object>): Promise<number[]> {
  // The first reads from disk what nobody has asked for yet, which a service that runs has in memory: it is told apart.
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
  // A search walks so many rows in any case: where there are fewer it takes longer with each of them.
  if ((depths.get(nameOf(name, asking)) ?? 0) < walkedMax) return questions;
  for (const search of searches) {
    questions.push([`search ${search}`, () => list({ limit, search })]);
    questions.push([`search ${search}, by ${sorts[0]}`, () => list({ limit, search, sort: sorts[0] })]);
  }
  return questions;
}

/**
 * The cursors behind nine tenths of a list, and behind as many rows as that is where there are few. They are made from the
 * row that stands there: to walk there page by page would take longer than all questions.
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
  // The few rows come first.
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

/** A question that only one of the two can answer is not compared, and should not be left out silently. */
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
 * The 99th percentiles of all first, middle and last rounds of a list: of one with few questions it is nearly the largest, and
 * their median is not made by one pause of the machine.
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

/** What has grown most comes first. */
function grown(compared: { what: string; times: number[]; before: number[] }[], of: (times: number[]) => number) {
  return compared
    .map(({ what, times, before }) => {
      const [ms, msBefore] = [of(times), of(before)];
      const ratio = ms / msBefore;
      return { ratio, told: `“${what}” ${ratio.toFixed(2)}: ${msBefore.toFixed(1)} to ${ms.toFixed(1)} ms` };
    })
    .toSorted((one, other) => other.ratio - one.ratio);
}
