import { eq } from "drizzle-orm";
import { randomInt } from "node:crypto";
import { paiseFrom } from "../../contract/money.ts";
import { sandboxTransactions } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import type { Fields, PayuKeys } from "../outside/payments/payu-hash.ts";
import { sendWebhook } from "./sandbox-webhook.ts";

/** Gives money of a captured payment back, at once, and tells the product so as PayU does: in JSON, without a hash. */
export async function refund(services: Services, keys: PayuKeys, asked: Fields) {
  const given = await giveBack(services, asked);
  if (typeof given === "string") return { status: 0, msg: given, error_code: 105 };
  const { reference: merchantTxnId, gatewayPaymentId: mihpayid, requestId: request_id, token, amount: amt } = given;
  const about = { merchantTxnId, mihpayid, request_id, token, amt };
  void sendWebhook(services, JSON.stringify({ ...about, action: "refund", key: keys.key, status: "success" }));
  return { status: 1, msg: "Refund Request Queued", request_id, mihpayid, error_code: 102 };
}

/** Answers the refund, or why there is none. */
async function giveBack({ database }: Services, { var1 = "", var2: token = "", var3: amount = "" }: Fields) {
  return database.transaction(async (transaction) => {
    const [found] = await transaction
      .select()
      .from(sandboxTransactions)
      .where(eq(sandboxTransactions.gatewayPaymentId, var1))
      .for("update");
    if (found?.unmappedStatus !== "captured") return "Payment was not found";
    const { reference, gatewayPaymentId, refunds, form } = found;
    if (token.length > 23 || refunds.some((known) => known.token === token)) return "This token can't be used";
    const backPaise = refunds.reduce((sum, known) => sum + paiseFrom(known.amount), 0);
    const isAmount = /^\d{1,12}\.\d{2}$/.test(amount) && paiseFrom(amount) > 0;
    if (!isAmount || backPaise + paiseFrom(amount) > paiseFrom(form["amount"] ?? "0.00"))
      return "The amount is not right";
    const made = { requestId: String(randomInt(10 ** 8, 10 ** 9)), token, amount };
    await transaction
      .update(sandboxTransactions)
      .set({ refunds: [...refunds, made] })
      .where(eq(sandboxTransactions.reference, reference));
    return { ...made, reference, gatewayPaymentId };
  });
}

/** What was done with a payment: its capture and its refunds. */
export async function listActions({ database }: Services, gatewayPaymentId: string) {
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
  const actions = [
    ...(found.unmappedStatus === "captured" ? [{ ...capture, action: "capture" }] : []),
    ...found.refunds.map((refund) => ({ ...refund, action: "refund" })),
  ].map(({ requestId, token, amount, action }) => [
    requestId,
    {
      mihpayid: gatewayPaymentId,
      request_id: requestId,
      amt: amount,
      action,
      token,
      status: "SUCCESS",
      bank_arn: null,
    },
  ]);
  return {
    status: 1,
    msg: "1 out of 1 Transactions Fetched Successfully",
    transaction_details: { [gatewayPaymentId]: Object.fromEntries(actions) },
  };
}
