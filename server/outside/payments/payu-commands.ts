import { z } from "zod";
import { paiseFrom, rupees } from "../../../contract/money.ts";
import type { GatewayRefund, PaymentFailure, PaymentGateway, PaymentStatus } from "./gateway.ts";
import { commandHash, type Fields, type PayuKeys } from "./payu-hash.ts";
import { parsePayuJson } from "./payu-json.ts";
import { eventKey, keep, twoDecimals } from "./payu-messages.ts";
import { inSpan } from "../../tracing/span.ts";

const commandTimeoutMs = 10_000;

/** PayU's server-to-server commands; their answers are the only ones that are believed. */
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
      const { status, msg } = RefundAnswer.parse(answer);
      return { accepted: status === "1", message: msg };
    },
  };
}

/** PayU's JSON has nulls where its forms have nothing. */
const Scalar = z.union([z.string(), z.boolean(), z.null()]).transform((value) => String(value ?? ""));

const Transaction = z.object({
  mihpayid: Scalar.default(""),
  txnid: Scalar.default(""),
  status: Scalar,
  unmappedstatus: Scalar.default(""),
  transaction_amount: Scalar.default(""),
});
/** The outer status tells only whether the command itself worked. */
const VerifyAnswer = z.object({ transaction_details: z.record(z.string(), Transaction) });

function statusOf(reference: string, found: z.infer<typeof Transaction> | undefined): PaymentStatus {
  if (!found) throw new Error("PayU's answer says nothing about the payment that was asked about");
  if (found.txnid && found.txnid !== reference) throw new Error("PayU's answer is about another payment");
  const raw = keep(found);
  const { mihpayid = null, transaction_amount = "" } = raw;
  const about = { reference, eventKey: eventKey(reference, "verify", ...Object.values(raw)), raw };
  const [said, detail] = [found.status.toLowerCase(), found.unmappedstatus.toLowerCase()];
  if (said === "success" && detail === "captured")
    return { ...about, state: "captured", gatewayPaymentId: mihpayid, amountPaise: paiseOf(transaction_amount) };
  if (said === "failure" || said === "failed")
    return { ...about, state: "failed", why: reasons.get(detail) ?? "unknown" };
  const begun = said !== "not found" && !(said === "pending" && detail === "initiated");
  return { ...about, state: begun ? "under way" : "not begun" };
}

/** PayU's words for why a payment failed: https://docs.payu.in/reference-link/payment-state-explanations */
const reasons = new Map<string, PaymentFailure>([
  ["usercancelled", "cancelled"],
  ["failed", "declined"],
  ["bounced", "left"],
  ["dropped", "left"],
  ["autorefund", "given back"],
]);

const Action = z.object({ request_id: Scalar, action: Scalar, amt: Scalar, status: Scalar });
/** Of a payment nothing is known about PayU writes a sentence in place of its actions. */
const ActionsAnswer = z.object({
  transaction_details: z.record(z.string(), z.union([z.string(), z.record(z.string(), Action)])),
});

/** A payment's actions are its capture, its refunds and its cancellation. */
function refundOf({ action, request_id: id, amt, status }: z.infer<typeof Action>): GatewayRefund[] {
  const amountPaise = paiseOf(amt);
  if (!["refund", "cancel"].includes(action.toLowerCase()) || amountPaise === null) return [];
  const said = status.toLowerCase();
  return [{ id, amountPaise, state: said === "success" ? "done" : said === "failure" ? "failed" : "under way" }];
}

const RefundAnswer = z.object({ status: Scalar, msg: Scalar.default("") });

/** @throws when PayU can't be reached within the time, or does not answer with JSON */
async function command(
  keys: PayuKeys,
  apiUrl: string,
  name: string,
  variables: { var1: string } & Fields,
  patienceMs = commandTimeoutMs,
): Promise<unknown> {
  const hash = commandHash(keys, name, variables.var1);
  const span = { name: `gateway ${name}`, kind: "client", attributes: { "peer.service": "payu" } } as const;
  const answer = await inSpan(span, () =>
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
