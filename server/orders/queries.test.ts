import { afterAll, beforeAll, expect, it } from "vitest";
import { answerTo, buyer, copiesOf, invoicesOf, orderOf, webhook } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { rateLimits } from "../database/schema/index.ts";

let server: TestServer;
let made: Awaited<ReturnType<typeof buyer>>;
let newestFirst: string[];
beforeAll(async () => {
  server = await startTestServer();
  made = await buyer(server);
  const ids = await copiesOf(server, made.quote.id, 5);
  for (const id of ids) {
    await server.services.database.delete(rateLimits);
    await server.call("user/orders", { ...made.request, quote_id: id }, made.person.token);
  }
  newestFirst = ids.toReversed();
});
afterAll(() => server.stop());

const list = (query: object = {}) => server.call("user/get-payment-by-email", query, made.person.token);

it("Orders are listed newest first, page by page, each once", async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await list({ limit: 2, ...(cursor && { cursor }) });
    expect(body.total).toBe(5);
    seen.push(...body.paymentDetails.map(({ quote_id }: { quote_id: string }) => quote_id));
    cursor = body.nextCursor;
  } while (cursor);
  expect(seen).toEqual(newestFirst);
});

it("An order is found by its id, payment id, amount, organisation and invoice number", async () => {
  const { body: form } = await made.start();
  const answer = answerTo(server, form);
  await webhook(server, answer);
  const order = await orderOf(server, made.quote.id);
  const [invoice] = await invoicesOf(server, made.quote.id);
  for (const search of [order?.id, answer.mihpayid, invoice?.number]) {
    const { body } = await list({ search });
    expect(body.paymentDetails.map(({ order_id }) => order_id)).toEqual([order?.id]);
  }
  for (const search of [made.quote.total_cost, "kaveri"]) expect((await list({ search })).body.total).toBe(6);
  for (const search of ["%", "no such thing", `${made.quote.total_cost}9`])
    expect((await list({ search })).body.paymentDetails).toEqual([]);
});

it("Another organisation's orders are neither listed nor found", async () => {
  const stranger = await buyer(server);
  for (const search of ["", made.quote.total_cost])
    expect((await server.call("user/get-payment-by-email", { search }, stranger.person.token)).body).toEqual({
      paymentDetails: [],
      nextCursor: null,
      total: 0,
      totalIsCapped: false,
    });
});
