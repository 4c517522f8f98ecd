import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { sandboxKeys } from "../server/demo/sandbox-gateway.ts";
import { payuGateway } from "../server/outside/payments/payu.ts";
import type { TestServer } from "./harness.ts";

/** A stand-in's reaction to a question: an answer, a bare HTTP status, or nothing at all. */
export type Reaction = object | number | "hangs";
type React = (asked: string, command: string, fields: Record<string, string>) => Reaction;

export interface StandIn {
  /** The address for PayU's commands. */
  url: string;
  /** The subjects of the questions, in order. */
  asked: string[];
  /** Sets how it answers from now on. */
  react(react: React): void;
  stop(): Promise<void>;
}

/** A gateway that speaks PayU's protocol over real HTTP and answers each question as the test wants. */
export async function startStandIn(given: React): Promise<StandIn> {
  const asked: string[] = [];
  let react = given;
  const listener = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const fields = Object.fromEntries(new URLSearchParams(body));
      const { var1 = "", command = "" } = fields;
      asked.push(var1);
      const answer = react(var1, command, fields);
      if (answer === "hangs") return;
      const status = typeof answer === "number" ? answer : 200;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((ready) => listener.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`,
    asked,
    react: (next) => {
      react = next;
    },
    async stop() {
      listener.closeAllConnections();
      await new Promise<void>((stopped) => listener.close(() => stopped()));
    },
  };
}

/**
 * Replaces a server's gateway with a stand-in, until that is stopped or the test ends. The timeout is that of the real
 * one, which a busy machine needs; `patienceMs` shortens it for a stand-in that hangs, until it reacts in another way.
 */
export async function standInGateway(server: TestServer, first: React, patienceMs?: number): Promise<StandIn> {
  const standIn = await startStandIn(first);
  const real = server.services.gateway;
  let patience = patienceMs;
  const payu = payuGateway({ ...sandboxKeys(server.services.env), payUrl: standIn.url, apiUrl: standIn.url });
  server.services.gateway = {
    ...payu,
    fetchStatus: (reference, usualMs) => payu.fetchStatus(reference, patience ?? usualMs),
  };
  const stop = async () => {
    server.services.gateway = real;
    await standIn.stop();
  };
  onTestFinished(stop);
  const react = (next: React) => {
    patience = undefined;
    standIn.react(next);
  };
  return { ...standIn, react, stop };
}

/** The timeout with which tests give up on a gateway that hangs. */
export const soonMs = 150;

/** The answer to verify_payment about one payment. */
export function verified(reference: string, transaction: Record<string, unknown>): object {
  return { status: 1, msg: "1 out of 1", transaction_details: { [reference]: { txnid: reference, ...transaction } } };
}

/** The gateway has taken the money. */
export const captured = (amount: string, gatewayPaymentId = "9001") => ({
  mihpayid: gatewayPaymentId,
  status: "success",
  unmappedstatus: "captured",
  transaction_amount: amount,
});
