import type { Database } from "./database.ts";

/**
 * Folds the rows of a table of changes into one row per value of the keys, so that summing them stays fast. It is
 * atomic for readers; concurrent calls skip each other's rows.
 */
export async function foldRows(
  database: Database,
  table: string,
  keys: readonly string[],
  sums: readonly string[],
): Promise<void> {
  await database.$client.query(`with several as (
      select id from (select id, count(*) over (partition by ${keys.join(", ")}) as n from ${table}) as counted
      where n > 1
    ), gone as (
      delete from ${table} where id in (
        select id from ${table} where id in (select id from several) for update skip locked
      ) returning *
    )
    insert into ${table} (${[...keys, ...sums].join(", ")})
    select ${[...keys, ...sums.map((name) => `sum(${name})`)].join(", ")} from gone group by ${keys.join(", ")}`);
}
