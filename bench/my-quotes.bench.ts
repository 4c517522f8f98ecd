import autocannon from "autocannon";
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { quoteList } from "../contract/quotes.ts";
import { prepareFindActor } from "../server/http/authenticate.ts";
import { pageStatement } from "../server/database/list-statements.ts";
import { organisations, people, quotes, sessions } from "../server/database/schema/index.ts";
import { priceDevices } from "../server/rates/pricing.ts";
import { quotesOfOrganisation } from "../server/quotes/queries.ts";
import { currentRateCard } from "../server/rates/rate-card.ts";
import { signSessionToken } from "../server/protection/tokens.ts";
import { type BenchedProduct, compare, report, startBenchedProduct, whole } from "./measure.ts";

/** My Quotes of a customer with 40, asked for over 50 connections, against bare node:http with the same statements. */

const connections = 50;
const seconds = 3;

const benched = await startBenchedProduct();
const customer = await insertCustomer(benched);
const bare = await startBare(benched);
try {
  const ours = { url: `${benched.product.url}/api/user/get-estimation`, authorization: `Bearer ${customer.token}` };
  const { ratio, ...each } = await compare(
    5,
    () => requestsPerSecond(ours),
    () => requestsPerSecond({ url: bare.url, authorization: customer.sessionId }),
  );
  const rates = `${whole(each.ours)}/s against ${whole(each.baseline)}/s`;
  report("my quotes", ratio, "bare node:http + pg", "0.60", rates);
} finally {
  bare.stop();
  await benched.stop();
}

async function requestsPerSecond({ url, authorization }: { url: string; authorization: string }): Promise<number> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: "{}",
  });
  if (result.errors + result.non2xx > 0 || result["2xx"] === 0)
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} refusals`);
  return result["2xx"] / result.duration;
}

async function insertCustomer({ database, tokenSecret }: BenchedProduct) {
  const card = await currentRateCard({ database, now: () => new Date() });
  const ids = { organisation: randomUUID(), person: randomUUID(), session: randomUUID() };
  const now = new Date();
  const later = new Date(now.getTime() + 3_600_000);
  const email = "asha.rao@example.in";
  const role = "user";
  await database.insert(organisations).values({ id: ids.organisation, kind: "customer", name: "Kaveri Textiles" });
  await database.insert(people).values({
    id: ids.person,
    organisationId: ids.organisation,
    role,
    firstName: "Asha",
    lastName: "Rao",
    email,
    phone: "+919876543210",
    joinedAt: now,
  });
  await database.insert(sessions).values({ id: ids.session, personId: ids.person, expiresAt: later });
  await database.insert(quotes).values(
    Array.from({ length: 40 }, (_, index) => ({
      ...priceDevices(card, [{ service: "Server", deviceType: "Prod Server", number: index + 1 }]),
      organisationId: ids.organisation,
      organizationName: "Kaveri Textiles",
      userName: "Asha Rao",
      userEmail: email,
      phoneNumber: "+919876543210",
      numberOfUsers: 120 + index,
      message: "Two plants and a head office.",
      rateCardId: card.id,
      sampleRates: true,
      proposalFile: `proposal-${index}.pdf`,
      validUntil: later,
    })),
  );
  await database.execute("analyze");
  const claims = { role, email, sub: ids.person, sid: ids.session, exp: Math.floor(later.getTime() / 1000) } as const;
  return { sessionId: ids.session, token: await signSessionToken(tokenSecret, claims, now) };
}

async function startBare({ database, databaseUrl }: BenchedProduct) {
  const query = quoteList.query.parse({});
  const bare = fork(fileURLToPath(new URL("bare-my-quotes.ts", import.meta.url)), [
    databaseUrl,
    String(database.$client.options.max),
    prepareFindActor({ database }).getQuery().sql,
    pageStatement(quotesOfOrganisation, "", query).text,
    String(query.limit + 1),
  ]);
  const [port] = await once(bare, "message");
  return { url: `http://127.0.0.1:${port}/`, stop: () => bare.disconnect() };
}
