import type { Client } from "pg";
import { financialYearOf } from "../../contract/india-time.ts";
import { publicName, readSequences } from "./database-shape.ts";

/** How many numbers of each kind are skipped: more than are used between two backups. */
export const numbersLeftOut = 1000;

/**
 * No row tells what happened after the backup was made. Numbers of documents sent since would be given out again, and a
 * transfer for one of them would be assigned to somebody else: so each series and sequence skips ahead. Sessions ended
 * since would be valid again: so all are ended.
 */
export async function leaveRoomForLost(client: Client, madeAt: Date): Promise<void> {
  const { rows: series } = await client.query<{ name: string }>(
    `select table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name = 'last_serial'`,
  );
  for (const name of series.map((table) => publicName(table.name)))
    await client.query(
      `insert into ${name} as series (financial_year, last_serial) select unnest($1::text[]), $2
       on conflict (financial_year) do update set last_serial = series.last_serial + excluded.last_serial`,
      [financialYearsSince(madeAt), numbersLeftOut],
    );
  for (const { name, lastValue, isCalled } of await readSequences(client))
    await client.query("select setval($1::regclass, $2::bigint + $3, $4)", [
      publicName(name),
      lastValue,
      numbersLeftOut,
      isCalled,
    ]);
  await client.query("update sessions set revoked_at = now() where revoked_at is null");
}

/** The years since the backup, including one that may have begun after it. */
function financialYearsSince(madeAt: Date): string[] {
  const now = new Date();
  const yearsBetween = Math.max(0, now.getUTCFullYear() - madeAt.getUTCFullYear());
  const yearly = Array.from({ length: yearsBetween + 1 }, (_, passed) => {
    const at = new Date(madeAt);
    at.setUTCFullYear(madeAt.getUTCFullYear() + passed);
    return at;
  });
  return [...new Set([...yearly.filter((at) => at < now), now].map((at) => financialYearOf(at)))];
}
