import { verify } from "@node-rs/argon2";
import autocannon from "autocannon";
import { isNull } from "drizzle-orm";
import { randomInt } from "node:crypto";
import { hashesAtOnce, hashPassword } from "../server/accounts/passwords.ts";
import { mails } from "../server/database/schema/index.ts";
import { signPublicToken } from "../server/protection/tokens.ts";
import { asVisitors } from "./as-visitors.ts";
import { insertPeople } from "./insert-people.ts";
import { type BenchedProduct, compare, report, startBenchedProduct, whole } from "./measure.ts";
import { openPostOffice } from "./post-office.ts";

/** Sign-ins with the right password up to the mailed code, against bare argon2id at the same cost and concurrency. */

/** Requests under way; of their hashes `hashesAtOnce` run at once, in the product and in the baseline. */
const atOnce = 16;
const seconds = 2;
const password = "correct horse battery 42";
const passwordHash = await hashPassword(password);

const postOffice = await openPostOffice();
const benched = await startBenchedProduct({ SMTP_URL: postOffice.url, TRUST_PROXY: "1" });
try {
  const emails = await insertPeople(benched.database, passwordHash);
  const token = await signPublicToken(benched.tokenSecret, new Date());
  const { ratio, ...each } = await compare(
    15,
    async () => {
      const rate = await signInsPerSecond(emails, token);
      await untilMailed(benched);
      return rate;
    },
    hashesPerSecond,
  );
  const rates = `${whole(each.ours)}/s against ${whole(each.baseline)}/s, each with its code mailed`;
  report("sign-ins", ratio, "bare argon2id", "0.85", rates);
} finally {
  await benched.stop();
  postOffice.close();
}

/** Everyone comes from an address of their own, as people do: no limit is reached. */
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

async function hashesPerSecond(): Promise<number> {
  const started = performance.now();
  let done = 0;
  const hashInTurn = async () => {
    while (performance.now() - started < seconds * 1000) {
      await verify(passwordHash, password);
      done++;
    }
  };
  await Promise.all(Array.from({ length: hashesAtOnce }, hashInTurn));
  return done / ((performance.now() - started) / 1000);
}

/** Waits until the queue has mailed every code, so that its work is not done in the baseline's time. */
async function untilMailed({ database }: BenchedProduct): Promise<void> {
  const waiting = () => database.$count(mails, isNull(mails.sentAt));
  while ((await waiting()) > 0) await new Promise((next) => setTimeout(next, 100));
}
