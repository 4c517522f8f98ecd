import autocannon from "autocannon";
import { signPublicToken } from "../server/protection/tokens.ts";
import { askInTurn } from "./ask-in-turn.ts";
import { median, report, residentMegabytes, startBenchedProduct, whole } from "./measure.ts";
import { openSession } from "./open-session.ts";

/**
 * A signed-in person's calls while visitors ask for more than can be answered: measures who is served first, and the
 * memory.
 */

const visitors = 3000;
const seconds = 10;
const pauseMs = 100;

const benched = await startBenchedProduct();
try {
  const session = await openSession(benched, "user");
  const memoryAtStart = residentMegabytes(benched, "at most");
  const alone = await askInTurn(benched, session, 2000, pauseMs);
  const flood = floodWithVisitors();
  const beside = await askInTurn(benched, session, seconds * 1000 - 2000, pauseMs);
  const memory = residentMegabytes(benched, "at most");
  const { ok, refused, failed } = await flood;
  const times = `slowest ${whole(Math.max(...beside.times))} ms; alone ${whole(median(alone.times))} ms in the middle`;
  report("overload", beside.times.length / beside.asked, `${beside.times.length} of ${beside.asked} calls`);
  report("overload, median", median(beside.times), times);
  const told = `${whole(ok)} answered, ${whole(refused)} told to come back, ${failed} failed over ${visitors} connections`;
  report("overload, visitors", (ok + refused) / (ok + refused + failed), told);
  report("overload, memory", memory, `${whole(memoryAtStart)} MB at the start`);
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
    // In a worker thread, so that it does not delay the person's calls in this one.
    workers: 1,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ searchQuery: "", categories: [], startingNode: 0, limit: 10 }),
  });
  return { ok: result["2xx"], refused: result.non2xx, failed: result.errors };
}
