import autocannon from "autocannon";
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { quoteList } from "../contract/quotes.ts";
import { pageStatement } from "../server/database/list-statements.ts";
import { prepareFindActors } from "../server/http/find-actor.ts";
import { quotesOfOrganisation } from "../server/quotes/queries.ts";
import { type BenchedProduct, compare, median, processorMs, report, startBenchedProduct, whole } from "./measure.ts";
import { insertCustomers } from "./my-quotes-customers.ts";

/**
 * My Quotes of 50 customers with 40 quotes each, every customer over a connection of its own, against bare node:http
 * with the same two statements per call. Processor time shows the server's own cost whatever else uses the machine.
 */

const connections = 50;
const seconds = 3;
const rounds = 7;

interface Side {
  url: string;
  pid: number | undefined;
  /** One per customer. */
  authorizations: string[];
}

const benched = await startBenchedProduct();
const customers = await insertCustomers(benched, connections);
const bare = await startBare(benched);
try {
  const ours = {
    url: `${benched.product.url}/api/user/get-estimation`,
    pid: benched.product.process.pid,
    authorizations: customers.map(({ token }) => `Bearer ${token}`),
  };
  const theirs = { ...bare.side, authorizations: customers.map(({ sessionId }) => sessionId) };
  const asked: Round[] = [];
  const askedBare: Round[] = [];
  const { ratio, ...each } = await compare(
    rounds,
    () => answersPerSecond(ours, asked),
    () => answersPerSecond(theirs, askedBare),
  );
  const perAnswer = (side: Round[]) => `${whole(median(side.map(({ usedMs }) => usedMs * 1000)))} µs`;
  const rates = `${whole(each.ours)} a second against ${whole(each.baseline)}`;
  report("My Quotes", ratio, `${rates}; processor ${perAnswer(asked)} an answer against ${perAnswer(askedBare)}`);
  const spread = (side: Round[]) => median(side.map(({ p50, p99 }) => p99 / p50));
  const middle = median(asked.map(({ p50 }) => p50));
  report("My Quotes, slowest", spread(asked), `median ${whole(middle)} ms; bare ${spread(askedBare).toFixed(2)} times`);
} finally {
  bare.stop();
  await benched.stop();
}

interface Round {
  p50: number;
  p99: number;
  /** Milliseconds of processor time per answer. */
  usedMs: number;
}

async function answersPerSecond({ url, pid, authorizations }: Side, roundsOf: Round[]): Promise<number> {
  const usedBefore = processorMs(pid);
  let customer = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method: "POST",
    body: "{}",
    setupClient: (client) =>
      client.setHeaders({ authorization: authorizations[customer++], "content-type": "application/json" }),
  });
  if (result.errors + result.non2xx > 0 || result["2xx"] === 0)
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} refusals`);
  const { p50, p99 } = result.latency;
  roundsOf.push({ p50, p99, usedMs: (processorMs(pid) - usedBefore) / result["2xx"] });
  return result["2xx"] / result.duration;
}

async function startBare({ database, databaseUrl }: BenchedProduct) {
  const query = quoteList.query.parse({});
  const child = fork(fileURLToPath(new URL("bare-my-quotes.ts", import.meta.url)), [
    databaseUrl,
    String(database.$client.options.max),
    prepareFindActors({ database }, 1).getQuery().sql,
    pageStatement(quotesOfOrganisation, "", query).text,
    String(query.limit + 1),
  ]);
  const [port] = await once(child, "message");
  return { side: { url: `http://127.0.0.1:${port}/`, pid: child.pid }, stop: () => child.disconnect() };
}
