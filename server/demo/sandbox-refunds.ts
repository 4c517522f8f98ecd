import { eq } from "drizzle-orm";
import { randomInt } from "node:crypto";
import { paiseFrom } from "../../contract/money.ts";
import { type SandboxRefund, sandboxTransactions } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import type { Fields, PayuKeys } from "../outside/payments/payu-hash.ts";
import { sendWebhook } from "./sandbox-webhook.ts";

/** How long the sandbox takes to give money back. */
const refundMs = 3000;

/** A refund of an amount that ends in these paise fails, so that a failure can be tried out. */
const failingPaise = ".13";

/** Queues a refund of a captured payment and later tells the product in JSON, without a hash, as PayU does. */
export async function refund(services: Services, keys: PayuKeys, asked: Fields) {
  const given = await giveBack(services, asked);
  if ("error_code" in given) return { status: 0, ...given };
  const { reference: merchantTxnId, gatewayPaymentId: mihpayid, requestId: request_id, token, amount: amt } = given;
  const about = { merchantTxnId, mihpayid, request_id, token, amt };
  const told = JSON.stringify({ ...about, action: "refund", key: keys.key, status: endOf(given) });
  setTimeout(() => void sendWebhook(services, told), refundMs).unref();
  return { status: 1, msg: "Refund Request Queued", request_id, mihpayid, error_code: 102 };
}

const endOf = ({ amount }: Pick<SandboxRefund, "amount">) => (amount.endsWith(failingPaise) ? "failure" : "success");

/** Makes the refund, or says in PayU's words why not. */
async function giveBack({ database, now }: Services, { var1 = "", var2: token = "", var3: amount = "" }: Fields) {
  return database.transaction(async (transaction) => {
    const [found] = await transaction
      .select()
      .from(sandboxTransactions)
      .where(eq(sandboxTransactions.gatewayPaymentId, var1))
      .for("update");
    if (found?.unmappedStatus !== "captured") return { msg: "transaction not exists", error_code: 116 };
    const { reference, gatewayPaymentId, refunds, form } = found;
    if (refunds.some((known) => known.token === token)) return { msg: "Token already exists", error_code: 106 };
    const backPaise = refunds
      .filter((known) => endOf(known) === "success")
      .reduce((sum, known) => sum + paiseFrom(known.amount), 0);
    const isAmount = /^\d{1,12}\.\d{2}$/.test(amount) && paiseFrom(amount) > 0;
    const isTooMuch = isAmount && backPaise + paiseFrom(amount) > paiseFrom(form["amount"] ?? "0.00");
    if (token === "" || token.length > 23 || !isAmount || isTooMuch) return { msg: "Invalid Amount", error_code: 105 };
    const made = { requestId: String(randomInt(10 ** 8, 10 ** 9)), token, amount, at: now().toISOString() };
    await transaction
      .update(sandboxTransactions)
      .set({ refunds: [...refunds, made] })
      .where(eq(sandboxTransactions.reference, reference));
    return { ...made, reference, gatewayPaymentId };
  });
}

/** What was done with a payment: its capture and its refunds. */
export async function listActions({ database, now }: Services, gatewayPaymentId: string) {
  const [found] = await database
    .select()
    .from(sandboxTransactions)
    .where(eq(sandboxTransactions.gatewayPaymentId, gatewayPaymentId));
  if (!found)
    return {
      status: 0,
      msg: "0 out of 1 Transactions Fetched Successfully",
      transaction_details: { [gatewayPaymentId]: "No action status found" },
    };
  const capture = { requestId: found.gatewayPaymentId, token: "", amount: found.form["amount"] ?? "0.00" };
  const isOver = ({ at }: SandboxRefund) => at === undefined || now().getTime() - new Date(at).getTime() >= refundMs;
  const actions = [
    ...(found.unmappedStatus === "captured" ? [{ ...capture, action: "capture", status: "SUCCESS" }] : []),
    ...found.refunds.map((each) => ({ ...each, action: "refund", status: isOver(each) ? endOf(each) : "queued" })),
  ].map(({ requestId, token, amount, action, status }) => [
    requestId,
    {
      mihpayid: gatewayPaymentId,
      request_id: requestId,
      amt: amount,
      action,
      token,
      status,
      bank_arn: null,
    },
  ]);
  return {
    status: 1,
    msg: "1 out of 1 Transactions Fetched Successfully",
    transaction_details: { [gatewayPaymentId]: Object.fromEntries(actions) },
  };
}
