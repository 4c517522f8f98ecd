import autocannon from "autocannon";
import { signPublicToken } from "../server/protection/tokens.ts";
import { report, residentMegabytes, startBenchedProduct, whole } from "./measure.ts";
import { openSession } from "./open-session.ts";

/** A signed-in person's calls while visitors ask for more than can be answered: who is kept ahead, and at what memory. */

const visitors = 3000;
const seconds = 10;

const benched = await startBenchedProduct();
try {
  const session = await openSession(benched, "user");
  const memoryAtStart = residentMegabytes(benched, "at most");
  const alone = await askInTurn(session, 2000);
  const flood = floodWithVisitors();
  const beside = await askInTurn(session, seconds * 1000 - 2000);
  const memory = residentMegabytes(benched, "at most");
  const { ok, refused, failed } = await flood;
  report(
    "overload",
    beside.answered / beside.asked,
    "all that a signed-in person asks",
    "1.00",
    `median ${whole(beside.medianMs)} ms, slowest ${whole(beside.slowestMs)} ms; alone ${whole(alone.medianMs)} ms`,
  );
  report(
    "visitors",
    ok / (ok + refused + failed),
    `what ${visitors} connections ask`,
    "any",
    `${whole(ok)} answered, ${whole(refused)} told to come back, ${failed} failed`,
  );
  report(
    "memory",
    memory / 400,
    "400 MB",
    "at most 1.00",
    `${whole(memoryAtStart)} MB at the start, ${whole(memory)} MB under it`,
  );
} finally {
  await benched.stop();
}

async function floodWithVisitors() {
  const token = await signPublicToken(benched.tokenSecret, new Date());
  const result = await autocannon({
    url: `${benched.product.url}/api/logs`,
    connections: visitors,
    duration: seconds,
    timeout: 30,
    method: "POST",
    // In a thread of its own: the one that asks in turn must not wait for it.
    workers: 1,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ searchQuery: "", categories: [], startingNode: 0, limit: 10 }),
  });
  return { ok: result["2xx"], refused: result.non2xx, failed: result.errors };
}

/** One call after the other, ten a second, as a person's browser does. */
async function askInTurn(token: string, forMs: number) {
  const until = performance.now() + forMs;
  const times: number[] = [];
  let asked = 0;
  while (performance.now() < until) {
    asked++;
    const began = performance.now();
    const answer = await fetch(`${benched.product.url}/api/user/get-estimation`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "{}",
    }).catch(() => null);
    await answer?.arrayBuffer();

    if (answer?.ok) times.push(performance.now() - began);
    await new Promise((next) => setTimeout(next, 100));
  }
  const sorted = times.toSorted((one, other) => one - other);
  return {
    asked,
    answered: times.length,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    slowestMs: sorted.at(-1) ?? Number.NaN,
  };
}
