import { eq } from "drizzle-orm";
import { expect } from "vitest";
import type { PaymentForm } from "../contract/orders.ts";
import { contracts, quotes } from "../server/database/schema/index.ts";
import { answerTo, buyer, webhook } from "./buyer.ts";
import type { TestServer } from "./harness.ts";
import { type Member, member } from "./people.ts";

/** A customer whose first order is paid, and who therefore has a contract. */
export async function contractHolder(server: TestServer, devices?: Parameters<typeof buyer>[1], over: object = {}) {
  const bought = await buyer(server, devices);
  await pay(server, (await bought.start(over)).body);
  return { person: bought.person, contract: await contractOf(server, bought.person) };
}

/** Does what the gateway would do with a form: takes the money and reports it. */
export async function pay(server: TestServer, form: PaymentForm): Promise<void> {
  expect((await webhook(server, answerTo(server, form))).status).toBe(200);
}

/** The person's newest contract, with everything in it. */
export async function contractOf(server: TestServer, person: Member) {
  const { body } = await server.call("user/contracts", {}, (await again(server, person)).token);
  const [newest] = body.contracts;
  if (!newest) throw new Error("There is no contract");
  return newest;
}

/** The same person with a fresh session, for tests that turn the clock by months. */
export const again = (server: TestServer, { organisationId }: Member, role: "user" | "partner" | "admin" = "user") =>
  member(server, role, { organisationId });

/** Buys, as its customer, a quote that adds to a contract or renews it. */
export async function buyQuote(server: TestServer, person: Member, quoteId: string): Promise<void> {
  const { services } = server;
  await services.database
    .update(quotes)
    .set({ proposalFile: `proposal-${quoteId}.pdf` })
    .where(eq(quotes.id, quoteId));
  const buyerOf = await again(server, person);
  const { estimation } = (await server.call("user/get-estimation", {}, buyerOf.token)).body;
  const amount = estimation.find(({ id }) => id === quoteId)?.total_cost ?? "";
  const asked = { email: buyerOf.email, quote_id: quoteId, amount, name: "Asha Rao", phone: "+919876543210" };
  const started = await server.call("user/orders", asked, buyerOf.token);
  expect(started.body.error).toBeUndefined();
  await pay(server, started.body);
}

export const contractRow = async ({ services }: TestServer, id: string) => {
  const [row] = await services.database.select().from(contracts).where(eq(contracts.id, id));
  if (!row) throw new Error("There is no contract");
  return row;
};
