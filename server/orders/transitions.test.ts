import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attemptsOf, buyer, copiesOf, invoicesOf, orderOf } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { type AttemptState, attempts, orders, rateLimits } from "../database/schema/index.ts";
import { lockAttempt, takeStep } from "./take-step.ts";
import { type News, transitions } from "./transitions.ts";

/**
 * What each event makes of an attempt in each state: its next state, and
 * `?` the gateway is asked at once, `c` the reported success is recorded,
 * `₹` the order is paid and has its invoice, `!` a person is called.
 */
const grid = Object.fromEntries(
  `
                 | initiated  | pending    | success   | failure    | expired    | review     | refunded
  said success   | pending ?c | pending ?c | success   | failure ?c | expired ?c | review     | refunded
  said failure   | pending ?  | pending ?  | success   | failure    | expired    | review     | refunded
  said pending   | pending    | pending    | success   | failure ?  | expired ?  | review     | refunded
  said nothing   | initiated  | pending    | success   | failure    | expired    | review     | refunded
  captured       | success ₹  | success ₹  | success   | success ₹  | success ₹  | review     | refunded
  captured amiss | review !   | review !   | success   | review !   | review !   | review     | refunded
  failed         | failure    | failure    | success   | failure    | expired    | review     | refunded
  under way      | pending    | pending    | success   | failure    | expired    | review     | refunded
  not begun      | initiated  | pending    | success   | failure    | expired    | review     | refunded
  given back     | initiated  | pending    | success ! | failure    | expired    | review     | refunded
  refunded       | initiated  | pending    | success   | failure    | expired    | refunded   | refunded
  timed out      | expired    | expired    | success   | failure    | expired    | review     | refunded
  unconfirmed    | initiated! | pending !  | success   | failure !  | expired !  | review     | refunded
`
    .trim()
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()))
    .slice(1)
    .map(([news = "", ...cells]) => [
      news,
      Object.fromEntries(Object.keys(transitions).map((state, column) => [state, cells[column] ?? ""])),
    ]),
) as Record<News, Record<AttemptState, string>>;

let server: TestServer;
let made: Awaited<ReturnType<typeof buyer>>;
let quoteIds: string[];
beforeAll(async () => {
  server = await startTestServer();
  made = await buyer(server);
  quoteIds = await copiesOf(server, made.quote.id, Object.keys(grid).length * Object.keys(transitions).length);
});
afterAll(() => server.stop());

describe("an attempt", () => {
  const cells = Object.entries(grid).flatMap(([news, row]) =>
    Object.entries(row).map(([state, expected]) => ({ state, news, expected }) as Cell),
  );
  it.each(cells)("in state $state, with the news $news, becomes $expected", async ({ state, news, expected }) => {
    const quoteId = quoteIds.pop() ?? "";
    const known = await attemptIn(quoteId, state);
    const { reference } = known;
    const isEnd = !["initiated", "pending", state].includes(expected.split(/\W/)[0] ?? "");
    const invoicesBefore = (await invoicesOf(server, quoteId)).length;
    const applied = await server.services.database.transaction(async (transaction) => {
      const locked = await lockAttempt(transaction, known);
      const learnt = { news, paymentId: reference, why: "declined", problem: "Look at this." } as const;
      return takeStep(server.services, transaction, locked, learnt);
    });
    const [attempt] = await attemptsOf(server, quoteId);
    const order = await orderOf(server, quoteId);
    const marks = [
      applied.ask ? "?" : "",
      attempt?.claimedAt ? "c" : "",
      (await invoicesOf(server, quoteId)).length > invoicesBefore ? "₹" : "",
      attempt?.reviewReason ? "!" : "",
    ].join("");
    expect(`${attempt?.state}${marks}`).toBe(expected.replaceAll(" ", ""));
    expect(attempt?.endedAt !== null, "ended").toBe(isEnd);
    expect(order?.reviewReason ?? null).toBe(attempt?.reviewReason ?? null);
    expect(order?.state).toBe(shownWith(attempt));
    expect(order?.paymentId ?? null).toBe(attempt?.state === "success" ? reference : null);
    const isDue = (attempt?.nextCheckAt ?? new Date(8e15)) <= server.services.now();
    expect(isDue, "due to be asked about").toBe(applied.ask);
  });
  it("has a step for each of its states and all news", () => {
    expect(cells).toHaveLength(91);
    for (const { state, news } of cells) expect(transitions[state][news]).toBeDefined();
  });
});

interface Cell {
  state: AttemptState;
  news: News;
  expected: string;
}

/** The state that an order with this single attempt shows. */
function shownWith(attempt: typeof attempts.$inferSelect | undefined): string | undefined {
  if (attempt?.state === "success") return "success";
  if (attempt?.reviewReason) return "review";
  // It can be paid again.
  if (attempt?.state === "refunded") return "failure";
  return attempt?.claimedAt ? "pending" : attempt?.state;
}

/** A new order's attempt in a given state, without effects of time or the gateway. */
async function attemptIn(quoteId: string, state: AttemptState) {
  const { database } = server.services;
  await database.delete(rateLimits);
  const form = await server.call("user/orders", { ...made.request, quote_id: quoteId }, made.person.token);
  const reference = form.body.fields["txnid"] ?? "";
  const paid = state === "success";
  await database
    .update(attempts)
    .set({ state, ...(paid && { gatewayPaymentId: reference }) })
    .where(eq(attempts.reference, reference));
  await database
    .update(orders)
    .set({ state: state === "refunded" ? "failure" : state, ...(paid && { paymentId: reference }) })
    .where(eq(orders.quoteId, quoteId));
  const [attempt] = await attemptsOf(server, quoteId);
  if (!attempt) throw new Error("There is no attempt");
  return attempt;
}
