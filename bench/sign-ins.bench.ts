import autocannon from "autocannon";
import { isNull } from "drizzle-orm";
import { fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { hashPassword } from "../server/accounts/passwords.ts";
import { mails } from "../server/database/schema/index.ts";
import { signPublicToken } from "../server/protection/tokens.ts";
import { askInTurn } from "./ask-in-turn.ts";
import { asVisitors } from "./as-visitors.ts";
import { insertPeople } from "./insert-people.ts";
import { type BenchedProduct, compare, percentile, report, startBenchedProduct, whole } from "./measure.ts";
import { insertCustomers } from "./my-quotes-customers.ts";
import { openPostOffice } from "./post-office.ts";

/**
 * Sign-ins with the right password up to the mailed code, against bare argon2id at the same cost on all cores; and how
 * long a signed-in person waits meanwhile.
 */

/** Concurrent requests. */
const atOnce = 16;
const seconds = 3;
const rounds = 9;
const password = "correct horse battery 42";

const passwordHash = await hashPassword(password);
const postOffice = await openPostOffice();
const benched = await startBenchedProduct({ SMTP_URL: postOffice.url, TRUST_PROXY: "1" });
const bare = startBare();
try {
  const emails = await insertPeople(benched.database, passwordHash);
  const [other] = await insertCustomers(benched, 1);
  const token = await signPublicToken(benched.tokenSecret, new Date());
  const times: number[] = [];
  const { ratio, ...each } = await compare(
    rounds,
    async () => {
      const asking = askInTurn(benched, other?.token ?? "", seconds * 1000, 20);
      const rate = await signInsPerSecond(emails, token);
      times.push(...(await asking).times);
      await untilMailed(benched);
      return rate;
    },
    bare.hashesPerSecond,
  );
  report("sign-ins", ratio, `${whole(each.ours)} a second against ${whole(each.baseline)}, each with its code mailed`);
  const middle = `median ${whole(percentile(times, 50))} ms, slowest ${whole(Math.max(...times))} ms of ${times.length}`;
  report("beside sign-ins", percentile(times, 99), middle);
} finally {
  bare.stop();
  await benched.stop();
  postOffice.close();
}

/** Everyone comes from an address of their own, as in reality, so that no rate limit is reached. */
async function signInsPerSecond(emails: string[], token: string): Promise<number> {
  let next = randomInt(emails.length);
  const result = await autocannon({
    url: `${benched.product.url}/api/auth/login`,
    connections: atOnce,
    duration: seconds,
    method: "POST",
    requests: [asVisitors(token, () => ({ email: emails[next++ % emails.length], password }))],
  });
  if (result.errors + result.non2xx > 0 || result["2xx"] === 0)
    throw new Error(`auth/login: ${result.errors} errors, ${result.non2xx} refusals`);
  return result["2xx"] / result.duration;
}

/** Waits until the queue has mailed every code, so that its work is not done in the baseline's time. */
async function untilMailed({ database }: BenchedProduct): Promise<void> {
  const waiting = () => database.$count(mails, isNull(mails.sentAt));
  while ((await waiting()) > 0) await new Promise((next) => setTimeout(next, 100));
}

function startBare() {
  // One thread per core: libuv has four by default, however many cores there are.
  const env = { ...process.env, UV_THREADPOOL_SIZE: String(availableParallelism()) };
  const file = fileURLToPath(new URL("bare-hashes.ts", import.meta.url));
  const child = fork(file, [passwordHash, password, String(seconds)], { env });
  return {
    async hashesPerSecond(): Promise<number> {
      child.send("begin");
      const [rate] = (await once(child, "message")) as [number];
      return rate;
    },
    stop: () => child.disconnect(),
  };
}
