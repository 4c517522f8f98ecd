import type { Database } from "../database/database.ts";

/**
 * Slows down instead of locking out: after `freeTries`, each wrong try is followed by a pause, of `pauseSecondsMin` at
 * first, doubling each time up to `pauseSecondsMax`. All is forgotten `forgottenAfterSeconds` after the last try.
 */
export interface PauseRule {
  freeTries: number;
  pauseSecondsMin: number;
  pauseSecondsMax: number;
  forgottenAfterSeconds: number;
}

interface NamedRule {
  name: string;
  rule: PauseRule;
}

/** The clocks of several copies may differ by this; a count that ends later than that was made by a clock set wrong. */
export const clocksDifferMs = 60_000;

/** Counts one rule's wrong tries in the table `rate_limits`; the time of the last try follows from the row's expiry. */
export function openPauses({ $client }: Database, { name, rule }: NamedRule, now: () => Date) {
  return {
    /**
     * Counts one try; of many at once, only as many pass as are free. Returns 0, or the milliseconds left of the pause:
     * a try that comes too early is not made and does not count.
     */
    async take(key: string): Promise<number> {
      return (await takeInTurn($client, now(), [{ key: `${name}:${key}`, rule }])).waitMs;
    },
    /** Takes back a try that turned out to be right, and the pause after it. */
    async giveBack(key: string): Promise<void> {
      const values = [`${name}:${key}`, rule.pauseSecondsMax * 1000];
      await $client.query({ name: "give_try_back", text: giveTryBack(1), values });
    },
    async clear(key: string): Promise<void> {
      await $client.query({ name: "clear_tries", text: clearTries, values: [`${name}:${key}`] });
    },
  };
}

/** The same for a try that two rules count: it is made only if both allow it, and each step costs one statement. */
export function openPausesOfTwo(database: Database, first: NamedRule, second: NamedRule, now: () => Date) {
  const ofFirst = openPauses(database, first, now);
  return {
    /** Returns 0, or the milliseconds left of the first pause found: then the try counts for neither. */
    async take(keys: [string, string]): Promise<number> {
      const tries = [first, second].map(({ name, rule }, index) => ({ key: `${name}:${keys[index]}`, rule }));
      const { taken, waitMs } = await takeInTurn(database.$client, now(), tries);
      if (taken === 1) await ofFirst.giveBack(keys[0]);
      return waitMs;
    },
    /** The try was right: clears the first rule's tries, and takes this one back for the second. */
    async forgive([cleared, givenBack]: [string, string]): Promise<void> {
      const values = [`${second.name}:${givenBack}`, second.rule.pauseSecondsMax * 1000, `${first.name}:${cleared}`];
      await database.$client.query({ name: "forgive_tries", text: forgiveTries, values });
    },
  };
}

/** Counts tries in order, in one statement, up to the first that is refused. */
async function takeInTurn($client: Database["$client"], now: Date, tries: { key: string; rule: PauseRule }[]) {
  const values = tries.flatMap(({ key, rule }) => [
    key,
    rule.forgottenAfterSeconds * 1000,
    rule.freeTries,
    rule.pauseSecondsMin * 1000,
    rule.pauseSecondsMax * 1000,
  ]);
  const text = tries.length === 1 ? takeOne : takeTwo;
  const { rows } = await $client.query<{ taken: number; wait: number | null }>({
    name: `take_tries_${tries.length}`,
    text,
    values: [now.getTime(), ...values],
  });
  const { taken = 0, wait = null } = rows[0] ?? {};
  // No pause is found when a concurrent try's row is not visible yet.
  return { taken, waitMs: taken === tries.length ? 0 : (wait ?? 1000) };
}

/** Parameters: the current time as $1, then five values for each try. */
function takeStatement(tries: number): string {
  const parts = Array.from({ length: tries }, (_, index) => {
    const place = (offset: number, type: string) => `$${2 + 5 * index + offset}::${type}`;
    const [key, forgotten, free] = [place(0, "text"), place(1, "bigint"), place(2, "int")];
    const pause = `least(${place(4, "float8")}, ${place(3, "float8")} * 2 ^ least(rate_limits.points - ${free}, 20))`;
    const ends = `rate_limits.expire - ${forgotten} + ${pause}`;
    const isOver = `rate_limits.expire <= $1::bigint or rate_limits.expire > $1::bigint + ${forgotten} + ${clocksDifferMs}`;
    const afterThoseBefore = index === 0 ? "" : `where exists (select from taken${index - 1})`;
    return {
      taken: `taken${index} as (
        insert into rate_limits (key, points, expire) select ${key}, 1, $1::bigint + ${forgotten} ${afterThoseBefore}
        on conflict (key) do update set
          expire = case when ${isOver} then excluded.expire else greatest(rate_limits.expire, excluded.expire) end,
          points = case when ${isOver} then 1 else rate_limits.points + 1 end
        where ${isOver} or rate_limits.points < ${free} or ${ends} <= $1::bigint
        returning key)`,
      count: `(select count(*) from taken${index})`,
      wait: `(select greatest(1, ${ends} - $1::bigint)::float8 from rate_limits where key = ${key}
        and not exists (select from taken${index}))`,
    };
  });
  const each = (part: "taken" | "count" | "wait", between: string) => parts.map((one) => one[part]).join(between);
  return `with ${each("taken", ", ")} select (${each("count", " + ")})::int as taken, coalesce(${each("wait", ", ")}) as wait`;
}

const takeOne = takeStatement(1);
const takeTwo = takeStatement(2);

const giveTryBack = (keyPlace: number, and = "") =>
  `update rate_limits set points = greatest(points - 1, 0), expire = expire - $2 where key = $${keyPlace} ${and}`;
const clearTries = "delete from rate_limits where key = $1";
// Locks the first rule's row before the second's, as a try does: otherwise two requests for one account could deadlock.
const forgiveTries = `with cleared as (delete from rate_limits where key = $3 returning key)
  ${giveTryBack(1, "and (select count(*) from cleared) >= 0")}`;
