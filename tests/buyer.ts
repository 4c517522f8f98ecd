import { and, eq, ne } from "drizzle-orm";
import { randomInt } from "node:crypto";
import type { PaymentForm } from "../contract/orders.ts";
import { attempts, invoices, orders, quotes, sandboxTransactions } from "../server/database/schema/index.ts";
import { currentRateCard } from "../server/rates/rate-card.ts";
import { priceDevices } from "../server/rates/pricing.ts";
import { sandboxKeys } from "../server/demo/sandbox-gateway.ts";
import { reverseHash } from "../server/outside/payments/payu-hash.ts";
import { quoteRequest } from "./factories.ts";
import type { TestServer } from "./harness.ts";
import { insertQuote } from "./paid-order.ts";
import { member } from "./people.ts";
import { post } from "./sandbox.ts";

/** A signed-in customer with a quote of its own; a test can make many. */
export async function buyer(server: TestServer, devices = quoteRequest().selectedDevices) {
  const person = await member(server, "user");
  const lines = priceDevices(await currentRateCard(server.services), devices);
  const { id } = await insertQuote(server, person, { ...lines, userEmail: person.email });
  const { estimation } = (await server.call("user/get-estimation", {}, person.token)).body;
  const quote = estimation.find((each) => each.id === id);
  if (!quote) throw new Error("The quote is not listed");
  const request = {
    email: person.email,
    quote_id: quote.id,
    amount: quote.total_cost,
    name: "Asha Rao",
    phone: "+919876543210",
  };
  return {
    person,
    quote,
    request,
    /** Buy Now, with the given fields in place of the usual ones. */
    start: (over: object = {}) => server.call("user/orders", { ...request, ...over }, person.token),
  };
}

/** Inserts this many copies of a quote, for the same organisation. Answers their ids. */
export async function copiesOf({ services }: TestServer, quoteId: string, count: number): Promise<string[]> {
  const [quote] = await services.database.select().from(quotes).where(eq(quotes.id, quoteId));
  if (!quote) throw new Error("There is no such quote");
  const { id: _id, serial: _serial, proposalFile: _file, ...same } = quote;
  const copies = await services.database
    .insert(quotes)
    .values(Array.from({ length: count }, () => same))
    .returning({ id: quotes.id });
  return copies.map(({ id }) => id);
}

/** What the gateway would post about a form, signed like the real one. */
export function answerTo({ services }: TestServer, { fields }: PaymentForm, over: Record<string, string> = {}) {
  const keys = sandboxKeys(services.env);
  const { surl: _surl, furl: _furl, hash: _hash, ...form } = fields;
  const answer = {
    ...form,
    key: keys.key,
    mihpayid: String(randomInt(10 ** 11, 10 ** 12)),
    status: "success",
    unmappedstatus: "captured",
    ...over,
  };
  return { ...answer, hash: reverseHash(keys.salt, answer) };
}

/**
 * Enters a message's outcome in the gateway's books, as a real gateway's would show it; a success is never taken back.
 */
export async function enterAtGateway({ services }: TestServer, answer: Record<string, string>): Promise<void> {
  const {
    txnid: reference = "",
    mihpayid: gatewayPaymentId = "",
    status,
    unmappedstatus: unmappedStatus = "",
  } = answer;
  const entry = { gatewayPaymentId, status: status as "success", unmappedStatus, form: answer };
  await services.database
    .insert(sandboxTransactions)
    .values({ reference, ...entry, createdAt: services.now() })
    .onConflictDoUpdate({
      target: sandboxTransactions.reference,
      set: entry,
      setWhere: ne(sandboxTransactions.unmappedStatus, "captured"),
    });
}

/** The gateway books the outcome and reports it by webhook. */
export async function webhook(server: TestServer, answer: Record<string, string>): Promise<Response> {
  await enterAtGateway(server, answer);
  return sayByWebhook(server, answer);
}

/** The gateway books the outcome and the buyer's browser comes back with it. */
export async function comeBack(server: TestServer, answer: Record<string, string>): Promise<Response> {
  await enterAtGateway(server, answer);
  return sayByReturn(server, answer);
}

/** Sends the message alone, whatever the gateway's books say. */
export const sayByWebhook = (server: TestServer, answer: Record<string, string>) =>
  post(`${server.url}/api/payments/webhook`, answer);

export const sayByReturn = (server: TestServer, answer: Record<string, string>) =>
  post(`${server.url}/api/payments/return`, answer);

export async function orderOf({ services }: TestServer, quoteId: string) {
  const [order] = await services.database.select().from(orders).where(eq(orders.quoteId, quoteId));
  return order;
}

export async function attemptsOf({ services }: TestServer, quoteId: string) {
  const rows = await services.database
    .select()
    .from(attempts)
    .innerJoin(orders, and(eq(orders.id, attempts.orderId), eq(orders.quoteId, quoteId)))
    .orderBy(attempts.id);
  return rows.map((row) => row.attempts);
}

export async function invoicesOf({ services }: TestServer, quoteId: string) {
  const rows = await services.database
    .select()
    .from(invoices)
    .innerJoin(orders, and(eq(orders.id, invoices.orderId), eq(orders.quoteId, quoteId)));
  return rows.map((row) => row.invoices);
}
