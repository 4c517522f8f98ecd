import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rupees } from "../../contract/money.ts";
import { quoteRequest } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertQuote } from "../../tests/paid-order.ts";
import { member, scopeFor } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { mails, quotes, rateLimits } from "../database/schema/index.ts";
import { startPayment } from "../orders/start-payment.ts";
import type { Services } from "../services.ts";
import { deliverProposal } from "./deliver-proposal.ts";
import { createQuote } from "./quotes.ts";
import { listQuotes } from "./queries.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

/** The product at another time. */
const at = (instant: string): Services => ({ ...server.services, now: () => new Date(instant) });
const visitor = { actor: null, address: "127.0.0.1", userAgent: "", publicTokenId: null };
const rowOf = async (id: string) => {
  const [quote] = await server.services.database.select().from(quotes).where(eq(quotes.id, id));
  if (!quote) throw new Error("There is no quote");
  return quote;
};

describe("a quote is valid to the end of the 30th day in India", () => {
  it.each([
    ["in the afternoon", "2026-11-21T09:00:00Z", "2026-12-21T18:29:59.999Z", "21 December 2026"],
    ["in the last second of a day in India", "2026-11-21T18:29:59Z", "2026-12-21T18:29:59.999Z", "21 December 2026"],
    [
      "at midnight in India, still the day before in UTC",
      "2026-11-21T18:30:00Z",
      "2026-12-22T18:29:59.999Z",
      "22 December 2026",
    ],
    ["at the end of January", "2027-01-30T12:00:00Z", "2027-03-01T18:29:59.999Z", "1 March 2027"],
    ["at the end of a year", "2026-12-31T20:00:00Z", "2027-01-31T18:29:59.999Z", "31 January 2027"],
  ])("made %s, and its proposal and mail print that day", async (_when, made, end, day) => {
    const { id } = await createQuote(at(made), visitor, quoteRequest({ userEmail: "asha@example.in" }));
    expect((await rowOf(id)).validUntil.toISOString()).toBe(end);
    await deliverProposal(server.services, id);
    const { text } = await readPdf(await server.services.files.read(`proposal-${id}.pdf`));
    expect(text).toContain(`Valid until ${day}`);
    expect(text).toContain(`valid to the end of ${day} in India`);
    const [mail] = await server.services.database
      .select()
      .from(mails)
      .where(eq(mails.eventKey, `proposal:${id}`));
    expect(mail?.content).toMatchObject({ validUntil: end });
  });

  it("can be bought in its last millisecond, and is expired in the next", async () => {
    const person = await member(server, "user");
    const buyer = await scopeFor(server, "user/orders", person);
    const reader = await scopeFor(server, "user/get-estimation", person);
    const quote = await insertQuote(server, person, { validUntil: new Date("2026-12-21T18:29:59.999Z") });
    const request = { email: person.email, quote_id: quote.id, amount: rupees(quote.totalPaise) };
    const buy = (instant: string) =>
      startPayment(at(instant), buyer, { ...request, name: "Asha Rao", phone: "+919876543210" });
    const stateAt = async (instant: string) =>
      (await listQuotes(at(instant), reader, { limit: 1 })).estimation[0]?.state;
    await expect(buy("2026-12-21T18:30:00.000Z")).rejects.toThrow("This quote has expired");
    expect(await stateAt("2026-12-21T18:30:00.000Z")).toBe("expired");
    // 23:59:59 in India.
    expect(await stateAt("2026-12-21T18:29:59.999Z")).toBe("open");
    expect((await buy("2026-12-21T18:29:59.000Z")).fields["amount"]).toBe(rupees(quote.totalPaise));
    await expect(buy("2026-12-21T18:29:59.999Z")).resolves.toBeDefined();
  });
});

it("A payment under way keeps a quote open beyond its last day, and names the order to follow", async () => {
  const person = await member(server, "user");
  const quote = await insertQuote(server, person);
  const buy = { email: person.email, quote_id: quote.id, amount: rupees(quote.totalPaise) };
  await server.call("user/orders", { ...buy, name: "Asha Rao", phone: "+919876543210" }, person.token);
  const listed = async () => (await server.call("user/get-estimation", {}, person.token)).body.estimation[0];
  expect(await listed()).toMatchObject({ state: "open", order_status: "initiated", order_id: expect.any(String) });
  const { database } = server.services;
  await database
    .update(quotes)
    .set({ validUntil: new Date(0) })
    .where(eq(quotes.id, quote.id));
  for (const [status, state] of [
    ["pending", "open"],
    ["review", "open"],
    ["failure", "expired"],
    ["success", "bought"],
  ]) {
    await database.$client.query("update orders set state = $1 where quote_id = $2", [status, quote.id]);
    expect(await listed()).toMatchObject({ state, order_status: status });
  }
});
