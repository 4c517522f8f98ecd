import { askInTurn } from "./ask-in-turn.ts";
import type { FigureName } from "./figures.ts";
import { fillDatabase } from "./filled-lists.ts";
import { option, percentile, report, startBenchedProduct, whole } from "./measure.ts";
import { insertCustomers } from "./my-quotes-customers.ts";
import { openSession } from "./open-session.ts";

/**
 * My Quotes of customers, some 50 calls a second, while administrators repeat reads that sum or search everything, each
 * again as soon as it is answered; with `--rows=` rows in each list (100,000 by default).
 */

const rows = option("rows", 100_000);
const customers = 5;
/** Each customer's pause between two calls. */
const pauseMs = 95;
const seconds = 10;

const benched = await startBenchedProduct();
try {
  await fillDatabase(benched.databaseUrl, rows);
  const tokens = (await insertCustomers(benched, customers)).map(({ token }) => token);
  const admin = await openSession(benched, "admin");
  const askForQuotes = async () => {
    const asked = await Promise.all(tokens.map((token) => askInTurn(benched, token, seconds * 1000, pauseMs)));
    return asked.flatMap(({ times }) => times);
  };
  await askForQuotes();
  const aloneMs = percentile(await askForQuotes(), 99);
  const measure = async (figure: FigureName, count: number, path: string) => {
    const others = readOnAndOn(admin, count, path);
    const times = await askForQuotes();
    const { answered, refused } = await others.stop();
    const meanwhile = `${whole(answered)} of them answered, ${whole(refused)} told to come back`;
    const middle = `alone ${whole(aloneMs)} ms, median ${whole(percentile(times, 50))} ms of ${times.length}`;
    report(figure, percentile(times, 99), `${middle}; ${meanwhile}`);
  };
  await measure("beside overviews", 6, "admin/overview");
  await measure("beside searches", 20, "admin/getEstimationByAdmin?limit=50&search=ka");
} finally {
  await benched.stop();
}

/** Starts this many readers, each of whom asks again once answered, until they are stopped. */
function readOnAndOn(token: string, count: number, path: string) {
  const leaving = new AbortController();
  let answered = 0;
  let refused = 0;
  const read = async () => {
    while (!leaving.signal.aborted) {
      const answer = await fetch(`${benched.product.url}/api/${path}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: leaving.signal,
      }).catch(() => null);
      await answer?.arrayBuffer().catch(() => null);
      if (answer?.ok) answered++;
      else if (answer?.status === 503) refused++;
      else if (answer) throw new Error(`${path}: ${answer.status}`);
    }
  };
  const reading = Promise.all(Array.from({ length: count }, read));
  return {
    async stop() {
      leaving.abort();
      await reading;
      return { answered, refused };
    },
  };
}
