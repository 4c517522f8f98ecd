import { afterAll, beforeAll, expect, it } from "vitest";
import { answerTo, buyer, enterAtGateway, orderOf, sayByWebhook, webhook } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { orderNumber } from "../../contract/numbers.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const titles = async (token: string) =>
  (await server.call("notices", {}, token)).body.notices.map(({ title }) => title);

it("A payment is told once to the customer and to ours, however often the gateway says so", async () => {
  const admin = await member(server, "admin");
  const { person, quote, start } = await buyer(server);
  const answer = answerTo(server, (await start()).body);
  await enterAtGateway(server, answer);
  await Promise.all(Array.from({ length: 6 }, () => sayByWebhook(server, answer)));
  const number = orderNumber((await orderOf(server, quote.id))?.serial ?? 0);
  expect(await titles(person.token)).toEqual([`Payment of ${number} received`]);
  expect(await titles(admin.token)).toEqual([expect.stringMatching(/ has paid$/)]);
});

it("A payment that failed is told to the customer alone", async () => {
  const admin = await member(server, "admin");
  const { person, quote, start } = await buyer(server);
  const answer = answerTo(server, (await start()).body, { status: "failure", unmappedstatus: "failed" });
  for (let times = 0; times < 2; times++) await webhook(server, answer);
  const number = orderNumber((await orderOf(server, quote.id))?.serial ?? 0);
  expect(await titles(person.token)).toEqual([`A payment of ${number} did not go through`]);
  expect(await titles(admin.token)).toEqual([]);
});
