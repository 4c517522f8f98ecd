import { finished } from "node:stream/promises";
import { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { median, option, report, residentMegabytes, startBenchedProduct, whole } from "./measure.ts";
import { openSession } from "./open-session.ts";

/** A whole list as one stream of records, against PostgreSQL's own COPY of the same rows: time and memory. */

const rows = option("rows", 200_000);

const benched = await startBenchedProduct();
try {
  const client = new Client({ connectionString: benched.databaseUrl });
  await client.connect();
  await client.query(`insert into organisations (kind, name)
    select 'customer', initcap(left(md5(n::text), 12)) || ' Textiles' from generate_series(1, ${rows}) as n`);
  await client.query(`insert into people (organisation_id, role, first_name, last_name, email, phone, joined_at)
    select id, 'user', 'Asha', 'Rao', row_number() over () || '@' || left(md5(name), 8) || '.example.in',
      '+919876543210', now() from organisations where kind = 'customer' and id not in (select organisation_id from people)`);
  await client.query("vacuum analyze");
  const token = await openSession(benched, "admin");
  await readAll(token);
  const before = residentMegabytes(benched);
  const held: number[] = [];
  const looking = setInterval(() => held.push(residentMegabytes(benched)), 50);
  const ours = await readAll(token);
  clearInterval(looking);
  const copied = await copyAll(client);
  const seconds = (ours.seconds / ours.lines) * 1_000_000;
  const amount = `${whole(ours.lines)} records in ${ours.seconds.toFixed(1)} s`;
  report("whole list", ours.seconds / copied, `${amount}, COPY in ${copied.toFixed(1)} s`);
  report("whole list, a million", seconds, amount);
  // The peak is garbage that V8 has not collected yet: it varies between runs, and does not grow with the rows.
  const peak = `from ${whole(before)} MB, ${whole(residentMegabytes(benched, "at most"))} MB at most since the start`;
  report("whole list, memory", median(held) - before, peak);
  await client.end();
} finally {
  await benched.stop();
}

async function readAll(token: string) {
  const began = performance.now();
  const answer = await fetch(`${benched.product.url}/api/admin/getUserByAdmin?role=user`, {
    headers: { authorization: `Bearer ${token}`, accept: "application/jsonl" },
  });
  let lines = 0;
  for await (const piece of answer.body ?? [])
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++;
  return { lines, seconds: (performance.now() - began) / 1000 };
}

async function copyAll(client: Client): Promise<number> {
  const began = performance.now();
  const copying = client.query(
    copyTo("copy (select row_to_json(people) from people where role = 'user' order by id desc) to stdout"),
  );
  await finished(copying.resume());
  return (performance.now() - began) / 1000;
}
