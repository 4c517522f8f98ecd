import type { Database } from "../database/database.ts";

/**
 * Slows down instead of closing: after `freeTries` each wrong try is followed by a pause, of `pauseSecondsMin` at
 * first, then of twice as long each time, at most `pauseSecondsMax`. All is forgotten `forgottenAfterSeconds` after the last one.
 */
export interface PauseRule {
  freeTries: number;
  pauseSecondsMin: number;
  pauseSecondsMax: number;
  forgottenAfterSeconds: number;
}

/** Counts the wrong tries of one rule in the table `rate_limits`, where a row tells the last one by when it is forgotten. */
export function openPauses({ $client }: Database, name: string, rule: PauseRule, now: () => Date) {
  const forgottenMs = rule.forgottenAfterSeconds * 1000;
  const [pauseMsMin, pauseMsMax] = [rule.pauseSecondsMin * 1000, rule.pauseSecondsMax * 1000];
  return {
    /**
     * Takes the place for one try; of many at once only as many get one as are free. Answers 0, or the milliseconds that
     * are left of the pause: a try that comes too early is not made and counts for nothing.
     */
    async take(key: string): Promise<number> {
      const values = [`${name}:${key}`, now().getTime(), forgottenMs, rule.freeTries, pauseMsMin, pauseMsMax];
      const { rows } = await $client.query<{ wait: number }>({ name: "take_try", text: takeTry, values });
      // No row: somebody else's try, made in the same instant, is not seen yet.
      return rows[0]?.wait ?? 1000;
    },
    /** Takes a try back that was found to be right, and the pause after it. */
    async giveBack(key: string): Promise<void> {
      const text = "update rate_limits set points = greatest(points - 1, 0), expire = expire - $2 where key = $1";
      await $client.query({ name: "give_try_back", text, values: [`${name}:${key}`, pauseMsMax] });
    },
    async clear(key: string): Promise<void> {
      await $client.query({
        name: "clear_tries",
        text: "delete from rate_limits where key = $1",
        values: [`${name}:${key}`],
      });
    },
  };
}

const pauseEnds = "rate_limits.expire - $3 + least($6, $5 * 2 ^ least(rate_limits.points - $4, 20))";

const takeTry = `with taken as (
    insert into rate_limits (key, points, expire) values ($1, 1, $2::bigint + $3::bigint)
    on conflict (key) do update set expire = greatest(rate_limits.expire, excluded.expire),
      points = case when rate_limits.expire <= $2 then 1 else rate_limits.points + 1 end
    where rate_limits.expire <= $2 or rate_limits.points < $4 or ${pauseEnds} <= $2
    returning 0::float8 as wait)
  select wait from taken
  union all select greatest(1, ${pauseEnds} - $2)::float8 from rate_limits
    where key = $1 and not exists (select from taken)`;
