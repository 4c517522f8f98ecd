import type { Database } from "./database.ts";

/**
 * Folds the rows of a table of changes into one for each value of the keys, so that reading their sums stays as quick as it
 * is. Nobody sees it halfway, and a second one at the same time takes only what the first has left.
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
