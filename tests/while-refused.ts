import { sql } from "drizzle-orm";
import type { TestServer } from "./harness.ts";

/** Does the work while the database refuses each update of a table for which `when` holds, such as "old.id = 'one'". */
export async function whileRefused<Result>(
  { services }: Pick<TestServer, "services">,
  table: string,
  when: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await services.database.execute(sql`create function refuse_update() returns trigger language plpgsql as
    $$ begin raise exception 'refused by a test'; end $$`);
  await services.database.execute(sql`create trigger refuse_update before update on ${sql.identifier(table)}
    for each row when (${sql.raw(when)}) execute function refuse_update()`);
  try {
    return await work();
  } finally {
    await services.database.execute(sql`drop function refuse_update cascade`);
  }
}
