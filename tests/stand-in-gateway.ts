import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sandboxKeys } from "../server/outside/payments/open-gateway.ts";
import { payuGateway } from "../server/outside/payments/payu.ts";
import type { PaymentGateway } from "../server/outside/payments/gateway.ts";
import type { TestServer } from "./harness.ts";

/** What a stand-in does with a question: an answer, an HTTP status without one, or nothing at all. */
type Reaction = object | number | "hangs";

export interface StandIn {
  /** What was asked about, in order. */
  asked: string[];
  gateway: PaymentGateway;
  /** Answers from now on so. */
  react(reaction: (asked: string, command: string) => Reaction): void;
  /** Puts the server's own gateway back. */
  stop(): Promise<void>;
}

/**
 * A gateway of PayU's protocol, over real HTTP, in place of the server's: it answers each question as the test wants.
 * One that hangs is given up after 300 ms, not after ten seconds.
 */
export async function standInGateway(
  server: TestServer,
  reaction: (asked: string, command: string) => Reaction,
): Promise<StandIn> {
  const asked: string[] = [];
  let react = reaction;
  const listener = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { var1 = "", command = "" } = Object.fromEntries(new URLSearchParams(body));
      asked.push(var1);
      const answer = react(var1, command);
      if (answer === "hangs") return;
      const status = typeof answer === "number" ? answer : 200;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((ready) => listener.listen(0, "127.0.0.1", ready));
  const address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
  const real = server.services.gateway;
  const payu = payuGateway({ ...sandboxKeys(server.services.env), payUrl: address, apiUrl: address });
  const gateway = { ...payu, fetchStatus: (reference: string) => payu.fetchStatus(reference, 300) };
  server.services.gateway = gateway;
  return {
    asked,
    gateway,
    react: (next) => {
      react = next;
    },
    async stop() {
      server.services.gateway = real;
      listener.closeAllConnections();
      await new Promise<void>((stopped) => listener.close(() => stopped()));
    },
  };
}

/** The answer to verify_payment about one payment. */
export function verified(reference: string, transaction: Record<string, unknown>): object {
  return { status: 1, msg: "1 out of 1", transaction_details: { [reference]: { txnid: reference, ...transaction } } };
}
