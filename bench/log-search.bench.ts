import { sql } from "drizzle-orm";
import { logSources } from "../server/database/schema/index.ts";
import { type BenchedProduct, compare, median, report, startBenchedProduct } from "./measure.ts";

/**
 * The search over log sources as a browser calls it, one call after the other: over the shipped list, and over 100,000
 * rows made from it. The baseline is a page of the same list without a search, a plain select.
 */

const rounds = 5;
const sizes = [
  { rows: 980, figure: "log search" },
  { rows: 100_000, figure: "log search, long" },
] as const;
/** Prefixes of a word as people type it, whole names, typing errors, and very frequent words. */
const texts = [
  ["f", "f5", "for", "forti", "fortinet", "fortigate", "OKTA", "PAN_FIREWALL", "palo alto", "windows event"],
  ["aws cloudtrail", "azure", "microsoft defender", "cisco asa", "firewall palo", "cloud", "firewall", "security"],
  ["fortigte", "plao alto", "ms defender", "crowdstirke", "microsfot azure", "windws", "mimcast", "nothing at all"],
].flat();

const benched = await startBenchedProduct();
try {
  const token = await publicToken(benched);
  for (const { rows, figure } of sizes) {
    await growTo(benched, rows);
    const slowest = new Map<string, number[]>();
    const { ratio, ours } = await compare(
      rounds,
      () => medianMs(benched, token, "logs/search", texts, slowest),
      () => medianMs(benched, token, "logs", [""]),
    );
    const [[text, times] = ["", []]] = [...slowest].toSorted(([, one], [, other]) => median(other) - median(one));
    const detail = `“${text}”; all ${ours.toFixed(1)} ms in the middle, ${ratio.toFixed(2)} of a page without a search`;
    report(figure, median(times), detail);
  }
} finally {
  await benched.stop();
}

async function medianMs(
  { product }: BenchedProduct,
  token: string,
  name: string,
  asked: readonly string[],
  timesOf = new Map<string, number[]>(),
): Promise<number> {
  const durations: number[] = [];
  for (let turn = 0; turn < texts.length; turn++) {
    const searchQuery = asked[turn % asked.length] ?? "";
    const started = performance.now();
    const answer = await fetch(`${product.url}/api/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ searchQuery }),
    });
    await answer.json();
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    const tookMs = performance.now() - started;
    durations.push(tookMs);
    timesOf.set(searchQuery, [...(timesOf.get(searchQuery) ?? []), tookMs]);
  }
  return median(durations);
}

async function publicToken({ product }: BenchedProduct): Promise<string> {
  const answer = await fetch(`${product.url}/api/generate-token`);
  return ((await answer.json()) as { token: string }).token;
}

/** Adds variants of the shipped rows, with a new word in each product and label. */
async function growTo({ database }: BenchedProduct, rows: number): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`set local statement_timeout = 0`);
    await transaction.execute(sql`
      insert into ${logSources} (product, category, label, format)
      select product || ' ' || substr(md5(label || n), 1, 5), category,
        label || '_' || upper(substr(md5(label || n), 1, 8)), format
      from ${logSources}, generate_series(1, ${Math.ceil(rows / 980)}) n
      limit ${rows} - (select count(*) from ${logSources})`);
  });
  await database.execute(sql`vacuum analyze ${logSources}`);
  const count = await database.$count(logSources);
  if (count !== rows) throw new Error(`There are ${count} rows, not ${rows}`);
}
