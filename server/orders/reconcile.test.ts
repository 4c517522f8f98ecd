import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerTo, attemptsOf, buyer, comeBack, copiesOf, invoicesOf, orderOf, webhook } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { settleAtSandbox } from "../../tests/sandbox.ts";
import { attempts, rateLimits } from "../database/schema/index.ts";
import { sandboxKeys } from "../outside/payments/open-gateway.ts";
import { payuGateway } from "../outside/payments/payu.ts";
import { checkAttempt, reconcilePayments } from "./reconcile.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const late = 16 * 60;
const stateOf = async (quoteId: string) => (await orderOf(server, quoteId))?.state;

describe("a payment that stays open", () => {
  it("left pending is followed until it is captured", async () => {
    const { person, quote, start } = await buyer(server);
    const form = (await start()).body;
    await comeBack(server, (await settleAtSandbox(form, "pending")).fields);
    expect(await stateOf(quote.id)).toBe("pending");
    await checkAttempt(server.services, form.fields["txnid"] ?? "");
    expect(await stateOf(quote.id)).toBe("pending");
    server.passTime(30);
    await checkAttempt(server.services, form.fields["txnid"] ?? "");
    expect(await stateOf(quote.id)).toBe("success");
    await server.mailbox.take(person.email, /invoice SOC/);
  });
  it("never finished expires after 15 minutes, and can be started again", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    await reconcilePayments(server.services);
    expect(await stateOf(quote.id)).toBe("initiated");
    server.passTime(late);
    await reconcilePayments(server.services);
    expect(await stateOf(quote.id)).toBe("expired");
    const again = (await start()).body;
    expect(again.fields["txnid"]).not.toBe(form.fields["txnid"]);
  });
  it("paid after it had expired is paid when the gateway says so", async () => {
    const { quote, start } = await buyer(server);
    const form = (await start()).body;
    server.passTime(late);
    await reconcilePayments(server.services);
    await settleAtSandbox(form, "success");
    await expect.poll(() => stateOf(quote.id)).toBe("success");
  });
  it("paid without any word from the gateway is found by asking, once", async () => {
    const { quote, start } = await buyer(server);
    await settleAtSandbox((await start()).body, "success");
    server.passTime(late);
    await Promise.all([reconcilePayments(server.services), reconcilePayments(server.services)]);
    expect(await stateOf(quote.id)).toBe("success");
    await reconcilePayments(server.services);
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });
  it("and failed at the gateway is a failure", async () => {
    const { quote, start } = await buyer(server);
    await settleAtSandbox((await start()).body, "cancel");
    server.passTime(late);
    await reconcilePayments(server.services);
    expect(await stateOf(quote.id)).toBe("failure");
  });
  it("is asked about once in one run, and not again within minutes", async () => {
    const { quote, start } = await buyer(server);
    await webhook(server, answerTo(server, (await start()).body, { status: "pending", unmappedstatus: "pending" }));
    const { asked, services, stop } = await gatewayThat((reference) => ({
      status: 1,
      transaction_details: { [reference]: { mihpayid: "1", status: "pending", unmappedstatus: "pending" } },
    }));
    server.passTime(late);
    await reconcilePayments(services);
    await reconcilePayments(services);
    const [attempt] = await attemptsOf(server, quote.id);
    expect(asked.filter((reference) => reference === attempt?.reference)).toHaveLength(1);
    server.passTime(5 * 60);
    await reconcilePayments(services);
    expect(asked.filter((reference) => reference === attempt?.reference)).toHaveLength(2);
    expect(await stateOf(quote.id)).toBe("pending");
    server.passTime(8 * 24 * 3600);
    await reconcilePayments(services);
    expect(await stateOf(quote.id)).toBe("expired");
    await stop();
  });
});

describe("a gateway that can't be asked", () => {
  it.each([
    ["answers with an error", 500],
    ["does not accept our hash", 200],
  ])("because it %s leaves payments as they are, and is not asked about each of them", async (_case, status) => {
    const { person, quote, request } = await buyer(server);
    for (const id of await copiesOf(server, quote.id, 5))
      await server.call("user/orders", { ...request, quote_id: id }, person.token);
    const { asked, services, stop } = await gatewayThat(() => ({ status: 0, msg: "Invalid Hash." }), status);
    server.passTime(late);
    await reconcilePayments(services);
    expect(asked).toHaveLength(3);
    const first = new Set(asked);
    await reconcilePayments(services);
    // The others come first in the next run.
    expect(asked.slice(3).some((reference) => first.has(reference))).toBe(false);
    const open = await server.services.database.select({ state: attempts.state }).from(attempts);
    expect(open.filter(({ state }) => state === "initiated").length).toBeGreaterThanOrEqual(5);
    await stop();
    server.passTime(late);
    await reconcilePayments(server.services);
    expect(await server.services.database.select().from(attempts)).not.toContainEqual(
      expect.objectContaining({ state: "initiated" }),
    );
  });
});

/** The product with a gateway of PayU's protocol that answers each question this way, over real HTTP. */
async function gatewayThat(answer: (reference: string) => object, status = 200) {
  const asked: string[] = [];
  const gateway: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const reference = new URLSearchParams(body).get("var1") ?? "";
      asked.push(reference);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer(reference)));
    });
  });
  await new Promise<void>((ready) => gateway.listen(0, "127.0.0.1", ready));
  const address = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/`;
  const keys = sandboxKeys(server.services.env);
  return {
    asked,
    services: { ...server.services, gateway: payuGateway({ ...keys, payUrl: address, apiUrl: address }) },
    stop: () => new Promise<void>((stopped) => gateway.close(() => stopped())),
  };
}
