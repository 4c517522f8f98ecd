import { randomUUID } from "node:crypto";
import { expect, inject, onTestFinished, test } from "vitest";
import { openNames } from "./name-writes.ts";
import { CheckedPool } from "./pool.ts";

const often = Array.from({ length: 30 }, (_, turn) => turn);
const preparedBy = async (pool: CheckedPool) =>
  (await pool.query<{ statement: string }>("select statement from pg_prepared_statements")).rows.map(
    ({ statement }) => statement,
  );
const openPool = (pooled: boolean) =>
  new CheckedPool({ connectionString: inject("postgresUrl"), statement_timeout: 10_000, max: 1, pooled }, null);

test.each([
  { where: "on a connection of its own", pooled: false, prepared: true },
  { where: "through a pooler", pooled: true, prepared: false },
])("a write that comes often is planned once $where: $prepared", async ({ pooled, prepared }) => {
  const pool = openPool(pooled);
  await pool.query("create temporary table counted (name text primary key, times int)");
  const write = "insert into counted values ($1, $2) on conflict (name) do update set times = $2";
  for (const turn of often) await pool.query(write, ["a", turn]);
  for (const turn of often) await pool.query({ text: "select times from counted where times = $1", values: [turn] });
  expect(await preparedBy(pool)).toEqual(prepared ? [write] : []);
  expect((await pool.query("select times from counted")).rows).toEqual([{ times: 29 }]);
  await pool.end();
});

test("a write that fails leaves its connection fit for the next", async () => {
  const pool = openPool(false);
  const client = await pool.connect();
  await client.query("create temporary table kept (number int check (number < 25))");
  const failed: number[] = [];
  for (const turn of often)
    await client.query("insert into kept values ($1)", [turn]).catch(() => void failed.push(turn));
  expect(failed).toEqual([25, 26, 27, 28, 29]);
  await client.query("insert into kept values ($1)", [7]);
  expect((await client.query("select count(*)::int from kept")).rows).toEqual([{ count: 26 }]);
  client.release();
  await pool.end();
});

test("a write planned before a column changed fails once, not for ever", async () => {
  const [pool, table] = [openPool(false), `widened_${randomUUID().replaceAll("-", "")}`];
  const text = `insert into ${table} values ($1) returning number`;
  const write = () => pool.query(text, [7]);
  await pool.query(`create table ${table} (number int)`);
  onTestFinished(async () => {
    await pool.query(`drop table ${table}`);
    await pool.end();
  });
  for (const _ of often) await write();
  await pool.query(`alter table ${table} alter number type bigint`);
  // As a transaction does: the connection goes back to the pool in order.
  const client = await pool.connect();
  await expect(client.query(text, [7])).rejects.toThrow("cached plan must not change result type");
  client.release();
  expect((await write()).rows).toEqual([{ number: "7" }]);
});

test("names are given to single writes alone, and to so many at most", () => {
  const nameOf = openNames();
  const named = (text: string) => often.map(() => nameOf(text)).at(-1);
  const write = "with next as (select 1) update jobs set state = $1";
  expect(named(write)).toBe("write_1");
  expect(named(`\n  ${write};\n`)).toBe("write_2");
  for (const text of ["select 1", "with next as (select 1) select * from next", "begin", `${write}; delete from jobs`])
    expect(named(text)).toBeUndefined();
  const others = Array.from({ length: 2000 }, (_, places) => `delete from jobs where id in ($${places})`);
  expect(others.map(named).filter(Boolean)).toHaveLength(98);
  expect(named(write)).toBe("write_1");
});

test("what comes seldom gets no name, however many texts there are", () => {
  const nameOf = openNames();
  for (let round = 0; round < 40; round++)
    for (let places = 0; places < 3000; places++)
      expect(nameOf(`delete from jobs where id = ${places}`)).toBe(undefined);
});
