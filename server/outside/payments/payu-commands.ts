import { z } from "zod";
import { paiseFrom, rupees } from "../../../contract/money.ts";
import type { GatewayRefund, PaymentGateway, PaymentStatus, RefundAnswer as RefundReply } from "./gateway.ts";
import { failureOf, wordsOf } from "./payu-failures.ts";
import { commandHash, type Fields, type PayuKeys } from "./payu-hash.ts";
import { parsePayuJson } from "./payu-json.ts";
import { eventKey, keep, twoDecimals } from "./payu-messages.ts";
import { inHttpSpan } from "../../tracing/http-call.ts";

const commandTimeoutMs = 10_000;

/** PayU's server-to-server commands. Only their answers are believed. */
export function payuCommands(
  keys: PayuKeys,
  apiUrl: string,
): Pick<PaymentGateway, "fetchStatus" | "fetchRefunds" | "refund"> {
  return {
    async fetchStatus(reference, patienceMs = commandTimeoutMs) {
      const answer = await command(keys, apiUrl, "verify_payment", { var1: reference }, patienceMs);
      return statusOf(reference, VerifyAnswer.parse(answer).transaction_details[reference]);
    },
    async fetchRefunds(gatewayPaymentId) {
      const variables = { var1: gatewayPaymentId, var2: "payuid" };
      const answer = ActionsAnswer.parse(await command(keys, apiUrl, "check_action_status", variables));
      const actions = answer.transaction_details[gatewayPaymentId];
      return typeof actions === "object" ? Object.values(actions).flatMap(refundOf) : [];
    },
    async refund({ gatewayPaymentId, token, amountPaise }) {
      const variables = { var1: gatewayPaymentId, var2: token, var3: rupees(amountPaise) };
      const answer = await command(keys, apiUrl, "cancel_refund_transaction", variables);
      return refundAnswer(RefundAnswer.parse(answer));
    },
  };
}

/** PayU's JSON has null where its forms have an empty text. */
const Scalar = z.union([z.string(), z.boolean(), z.null()]).transform((value) => String(value ?? ""));

const Transaction = z.object({
  mihpayid: Scalar.default(""),
  txnid: Scalar.default(""),
  status: Scalar,
  unmappedstatus: Scalar.default(""),
  transaction_amount: Scalar.default(""),
  error_code: Scalar.default(""),
  error_Message: Scalar.default(""),
});
/** The outer status says only whether the command itself worked. */
const VerifyAnswer = z.object({ transaction_details: z.record(z.string(), Transaction) });

function statusOf(reference: string, found: z.infer<typeof Transaction> | undefined): PaymentStatus {
  if (!found) throw new Error("PayU's answer says nothing about the payment that was asked about");
  if (found.txnid && found.txnid !== reference) throw new Error("PayU's answer is about another payment");
  const raw = keep({ ...found, error: found.error_code });
  const { mihpayid = null, transaction_amount = "", error = "", error_Message = "" } = raw;
  const about = { reference, eventKey: eventKey(reference, "verify", ...Object.values(raw)), raw };
  const [said, detail] = [found.status.toLowerCase(), found.unmappedstatus.toLowerCase()];
  if (said === "success" && detail === "captured")
    return { ...about, state: "captured", gatewayPaymentId: mihpayid, amountPaise: paiseOf(transaction_amount) };
  if (said === "failure" || said === "failed")
    return { ...about, state: "failed", why: failureOf(detail, error), words: wordsOf(error, error_Message) };
  const begun = said !== "not found" && !(said === "pending" && detail === "initiated");
  return { ...about, state: begun ? "under way" : "not begun" };
}

const Action = z.object({
  request_id: Scalar,
  action: Scalar,
  amt: Scalar,
  status: Scalar,
  token: Scalar.default(""),
});
/** For an unknown payment PayU sends a sentence in place of the actions. */
const ActionsAnswer = z.object({
  transaction_details: z.record(z.string(), z.union([z.string(), z.record(z.string(), Action)])),
});

/** A payment's actions are its capture, its refunds and its cancellation. */
function refundOf({ action, request_id: id, amt, status, token }: z.infer<typeof Action>): GatewayRefund[] {
  const amountPaise = paiseOf(amt);
  if (!["refund", "cancel"].includes(action.toLowerCase()) || amountPaise === null) return [];
  const said = status.toLowerCase();
  return [{ id, token, amountPaise, state: said === "success" ? "done" : said === "failure" ? "failed" : "under way" }];
}

const RefundAnswer = z.object({ status: Scalar, msg: Scalar.default(""), error_code: Scalar.default("") });

/**
 * PayU's codes for a refund request that it has: queued, under way, done, postponed until tomorrow, or known by its
 * token or as already logged. https://docs.payu.in/docs/error-codes-for-refund-initiation
 */
const hasIt = new Set(["100", "101", "102", "106", "109", "112", "122", "123", "126", "127", "225", "226"]);
/** Codes for a request that it would take later: a lock was not free, or the same amount was requested minutes ago. */
const notNow = new Set(["120", "214"]);
/** PayU's message for a token that it knows, where it gives no code. */
const knownToken = /token already|already used or request pending/i;

/** @throws when PayU asks for a later retry */
function refundAnswer({ status, msg, error_code: code }: z.infer<typeof RefundAnswer>): RefundReply {
  if (status === "1" || hasIt.has(code) || knownToken.test(msg)) return { accepted: true, message: msg };
  if (notNow.has(code)) throw new Error(`PayU wants to be asked for the refund later: ${code}`);
  return { accepted: false, message: msg };
}

/** @throws when PayU can't be reached in time, or does not answer with JSON */
async function command(
  keys: PayuKeys,
  apiUrl: string,
  name: string,
  variables: { var1: string } & Fields,
  patienceMs = commandTimeoutMs,
): Promise<unknown> {
  const hash = commandHash(keys, name, variables.var1);
  const call = { method: "POST", url: new URL(apiUrl), name: `gateway ${name}`, service: "payu" };
  const answer = await inHttpSpan(call, () =>
    fetch(apiUrl, {
      method: "POST",
      body: new URLSearchParams({ key: keys.key, command: name, hash, ...variables }),
      signal: AbortSignal.timeout(patienceMs),
    }),
  );
  if (!answer.ok) throw new Error(`PayU answered ${name} with ${answer.status}`);
  return parsePayuJson(await answer.text());
}

function paiseOf(amount: string): number | null {
  const wire = twoDecimals(amount);
  return /^\d{1,12}\.\d{2}$/.test(wire) ? paiseFrom(wire) : null;
}
