import { and, eq } from "drizzle-orm";
import { randomInt } from "node:crypto";
import { sandboxTransactions } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { commandHash, type Fields, type PayuKeys, reverseHash, sameHash } from "../outside/payments/payu-hash.ts";
import { listActions, refund } from "./sandbox-refunds.ts";
import { sendWebhook } from "./sandbox-webhook.ts";

export type Transaction = typeof sandboxTransactions.$inferSelect;

/** The ways in which a visitor may end a payment, in PayU's words. */
export const outcomes = {
  success: { status: "success", unmappedStatus: "captured", label: "Pay" },
  failure: { status: "failure", unmappedStatus: "failed", label: "Let the payment fail" },
  pending: { status: "pending", unmappedStatus: "pending", label: "Leave it pending" },
  cancel: { status: "failure", unmappedStatus: "userCancelled", label: "Cancel and go back" },
} as const;
export type Outcome = keyof typeof outcomes;

/** How long a pending payment takes to be captured. */
export const pendingMs = 20_000;

/** Records how a transaction ended; a reference can be used once. Returns undefined for a used one. */
export async function settle(services: Services, form: Fields, outcome: Outcome): Promise<Transaction | undefined> {
  const { status, unmappedStatus } = outcomes[outcome];
  const [settled] = await services.database
    .insert(sandboxTransactions)
    .values({
      reference: form["txnid"] ?? "",
      gatewayPaymentId: String(randomInt(10 ** 11, 10 ** 12)),
      status,
      unmappedStatus,
      form,
      createdAt: services.now(),
    })
    .onConflictDoNothing()
    .returning();
  return settled;
}

/** What PayU posts to the merchant, by browser and by webhook. */
export function signAnswer(keys: PayuKeys, transaction: Transaction): Fields {
  const { surl: _surl, furl: _furl, hash: _hash, ...form } = transaction.form;
  const answer = {
    ...form,
    key: keys.key,
    mihpayid: transaction.gatewayPaymentId,
    mode: "UPI",
    status: transaction.status,
    unmappedstatus: transaction.unmappedStatus,
    discount: "0.00",
    net_amount_debit: transaction.status === "success" ? (form["amount"] ?? "") : "0.00",
    addedon: transaction.createdAt.toISOString().slice(0, 19).replace("T", " "),
    PG_TYPE: "SANDBOX",
    error: transaction.status === "failure" ? "E000" : "",
    error_Message: transaction.status === "failure" ? "Sandbox payment did not go through" : "No Error",
  };
  return { ...answer, hash: reverseHash(keys.salt, answer) };
}

/** Sends the webhook as PayU does: on its own, and again when a pending payment is captured. */
export function announce(services: Services, keys: PayuKeys, transaction: Transaction): void {
  const send = (news: Transaction) => void sendWebhook(services, new URLSearchParams(signAnswer(keys, news)));
  send(transaction);
  if (transaction.status !== "pending") return;
  setTimeout(() => {
    capture(services, transaction).then(
      send,
      // Not fatal: the verify command captures it too.
      (error: unknown) => services.log.warn({ err: error }, "sandbox payment could not be captured yet"),
    );
  }, pendingMs).unref();
}

async function capture({ database }: Services, transaction: Transaction): Promise<Transaction> {
  const captured = { status: "success", unmappedStatus: "captured" } as const;
  await database
    .update(sandboxTransactions)
    .set(captured)
    .where(and(eq(sandboxTransactions.reference, transaction.reference), eq(sandboxTransactions.status, "pending")));
  return { ...transaction, ...captured };
}

export async function findTransaction({ database }: Services, reference: string): Promise<Transaction | undefined> {
  const [found] = await database.select().from(sandboxTransactions).where(eq(sandboxTransactions.reference, reference));
  return found;
}

/** PayU's server-to-server commands. A wrong hash is answered as PayU does: with 200 and status 0. */
export async function answerCommand(services: Services, keys: PayuKeys, asked: Fields) {
  const { command = "", var1 = "", hash = "" } = asked;
  if (asked["key"] !== keys.key || !sameHash(hash, commandHash(keys, command, var1)))
    return { status: 0, msg: "Invalid Hash." };
  if (command === "verify_payment") return verifyPayments(services, var1.split("|"));
  if (command === "cancel_refund_transaction") return refund(services, keys, asked);
  if (command === "check_action_status") return listActions(services, var1);
  return { status: 0, msg: "Invalid command" };
}

async function verifyPayments(services: Services, references: string[]) {
  const details = await Promise.all(
    references.map(async (reference) => {
      const found = await findTransaction(services, reference);
      if (!found) return [reference, { mihpayid: "Not Found", status: "Not Found" }];
      const due = found.status === "pending" && services.now().getTime() - found.createdAt.getTime() > pendingMs;
      const { status, unmappedStatus, gatewayPaymentId, form } = due ? await capture(services, found) : found;
      return [
        reference,
        {
          mihpayid: gatewayPaymentId,
          status,
          unmappedstatus: unmappedStatus,
          transaction_amount: form["amount"],
          txnid: reference,
        },
      ];
    }),
  );
  return {
    status: 1,
    msg: `${details.length} out of ${references.length} Transactions Fetched Successfully`,
    transaction_details: Object.fromEntries(details),
  };
}
