import autocannon from "autocannon";
import { availableParallelism } from "node:os";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { signPublicToken } from "../server/protection/tokens.ts";
import { quoteRequest } from "../tests/factories.ts";
import { callerOf } from "../tests/process/product-client.ts";
import { makeDataDir, startProduct } from "../tests/process/running-product.ts";
import { publishCard, withType } from "../tests/rate-card.ts";
import { startRoundRobin } from "../tests/round-robin.ts";
import { startBucket } from "../tests/stand-in-bucket.ts";
import { asVisitors } from "./as-visitors.ts";
import { median, report, startBenchedProduct, whole } from "./measure.ts";
import { openPostOffice } from "./post-office.ts";
import { openSession } from "./open-session.ts";

/**
 * My Quotes and estimates through a proxy that gives each request to the next of one, two and three copies on one
 * PostgreSQL. Copies, database, proxy and callers share this machine's cores: with few of them, three copies answer no
 * more than one. On any machine it checks that nothing is lost, that each estimate is mailed once, and how soon all
 * copies show what one of them publishes: the price of a rate card, and a certificate on a page that they keep in
 * memory.
 */

const seconds = 3;
const estimates = 60;
const rounds = 10;

const [bucket, postOffice, proxy] = await Promise.all([startBucket(), openPostOffice(), startRoundRobin()]);
const env = {
  PUBLIC_URL: proxy.url,
  // The proxy, and the visitors' addresses that this benchmark adds.
  TRUST_PROXY: "2",
  SMTP_URL: postOffice.url,
  S3_ENDPOINT: bucket.s3.endpoint ?? "",
  S3_BUCKET: bucket.s3.bucket,
  S3_ACCESS_KEY_ID: bucket.s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: bucket.s3.secretAccessKey,
};
const benched = await startBenchedProduct(env);
const dataDirs = [makeDataDir(), makeDataDir()];
const others = await Promise.all(
  dataDirs.map((dataDir) =>
    startProduct({
      ...env,
      DATABASE_URL: benched.databaseUrl,
      DATA_DIR: dataDir,
      TOKEN_SECRET: benched.tokenSecret,
      ALLOW_SANDBOX: "1",
      MAIL_FROM: "Prahari <soc@prahari.example>",
    }),
  ),
);
try {
  const session = await openSession(benched, "user");
  const visitor = await signPublicToken(benched.tokenSecret, new Date());
  const rates = { quotes: [] as number[], estimates: [] as number[] };
  for (const copy of [benched.product, ...others]) {
    proxy.copies.push(copy.url);
    // oxlint-disable-next-line no-await-in-loop -- measures one number of copies at a time
    rates.quotes.push(await myQuotesPerSecond(session));
    // oxlint-disable-next-line no-await-in-loop -- in sequence, as above
    rates.estimates.push(await estimatesPerSecond(visitor));
  }
  const cores = `on ${availableParallelism()} cores`;
  for (const kind of ["quotes", "estimates"] as const) {
    const [one = 0, two = 0, three = 0] = rates[kind];
    const all = [one, two, three].map((rate) => whole(rate)).join(", ");
    report(`copies, ${kind}`, three / one, `${all} a second by one, two and three ${cores}`);
  }
  const admin = { token: await openSession(benched, "admin") };
  const told = { cards: [] as number[], pages: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    // oxlint-disable-next-line no-await-in-loop -- measures one publication at a time
    told.cards.push(await untilAllPrice(admin, visitor, `${123_456 + round}.00`));
    // oxlint-disable-next-line no-await-in-loop -- in sequence, as above
    told.pages.push(await untilAllShow(admin, `Certificate ${12_345 + round}`));
  }
  const middle = (times: number[]) => `${whole(1000 * median(times))} ms in the middle`;
  const detail = `rate cards ${middle(told.cards)}, certificates on a page ${middle(told.pages)}`;
  report("copies, told", Math.max(...told.cards, ...told.pages), detail);
  const { mails, people } = await untilMailed();
  // One mail too many is as wrong as one too few.
  const wrong = Math.abs(mails - 3 * estimates) + (mails - people);
  report("copies, mailed", 1 - wrong / (3 * estimates), `${mails} mails to ${people} people`);
} finally {
  await Promise.all(others.map((copy) => copy.end("SIGTERM")));
  await benched.stop();
  postOffice.close();
  await Promise.all([bucket.stop(), proxy.stop()]);
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
}

async function myQuotesPerSecond(session: string): Promise<number> {
  const headers = { authorization: `Bearer ${session}`, "content-type": "application/json" };
  const url = `${proxy.url}/api/user/get-estimation`;
  return perSecond(await autocannon({ url, connections: 50, duration: seconds, method: "POST", headers, body: "{}" }));
}

async function estimatesPerSecond(visitor: string): Promise<number> {
  const url = `${proxy.url}/api/estimator`;
  const requests = [asVisitors(visitor, () => quoteRequest())];
  return perSecond(await autocannon({ url, connections: 4, amount: estimates, timeout: 60, method: "POST", requests }));
}

/** @throws when a request was lost or refused */
function perSecond(result: autocannon.Result): number {
  if (result.errors + result.non2xx > 0 || result["2xx"] === 0)
    throw new Error(`${result.errors} errors, ${result.non2xx} refusals`);
  return result["2xx"] / result.duration;
}

/** Seconds from publishing a rate card with this price until every copy prices by it. */
async function untilAllPrice(admin: { token: string }, visitor: string, yearly: string): Promise<number> {
  const published = await publishCard(callerOf(proxy.url), admin, withType("Firewall", { yearly }));
  if (published.status !== 200) throw new Error(`The rate card was answered with ${published.status}`);
  const selectedDevices = [{ service: "Network & Security Solutions", deviceType: "Firewall", number: 1 }];
  return untilEachCopy(async (url) => {
    const { body } = await callerOf(url).call("estimator/price", { selectedDevices }, visitor);
    return body.lines[0]?.rate === yearly;
  });
}

/** Seconds from publishing a certificate until it is on the page that every copy had kept without it. */
async function untilAllShow(admin: { token: string }, statement: string): Promise<number> {
  const shows = async (url: string) => (await (await fetch(`${url}/buyers-guide`)).text()).includes(statement);
  await Promise.all(proxy.copies.map(shows));
  const certificate = { kind: "certificate" as const, name: "ISO/IEC 27001:2022", issuer: "A certification body" };
  const proof = { ...certificate, statement, validUntil: null, link: null };
  const { status } = await callerOf(proxy.url).call("admin/settings/proofs/add", proof, admin.token);
  if (status !== 201) throw new Error(`The certificate was answered with ${status}`);
  return untilEachCopy(shows);
}

/** In seconds, from the response to the publishing call. */
async function untilEachCopy(shows: (url: string) => Promise<boolean>): Promise<number> {
  const published = performance.now();
  const untilShown = async (url: string) => {
    // oxlint-disable-next-line no-await-in-loop -- polls until it is so
    while (!(await shows(url))) await sleep(5);
  };
  await Promise.all(proxy.copies.map(untilShown));
  return (performance.now() - published) / 1000;
}

/** Waits until no job is left, then counts the proposals' mails. */
async function untilMailed() {
  const open =
    "select from jobs.job where state in ('created', 'retry', 'active') and name in ('render-proposal', 'send-mail')";
  // oxlint-disable-next-line no-await-in-loop -- polls until it is so
  while ((await benched.database.$client.query(open)).rowCount) await sleep(200);
  const { rows } = await benched.database.$client.query<{ mails: number; people: number }>(
    `select count(*)::int as mails, count(distinct recipient)::int as people from mails
      where sent_at is not null and event_key like 'proposal%'`,
  );
  return rows[0] ?? { mails: 0, people: 0 };
}
