import { eq } from "drizzle-orm";
import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { randomInt } from "node:crypto";
import { brand } from "../../../contract/brand.ts";
import { formatRupees, paiseFrom } from "../../../contract/money.ts";
import { sandboxTransactions } from "../../database/schema/index.ts";
import type { Services } from "../../services.ts";
import { readText } from "../../request-body.ts";
import { standAlonePage } from "../stand-alone-page.ts";
import { sandboxKeys } from "./open-gateway.ts";
import { commandHash, reverseHash, sameHash, signRequest } from "./payu.ts";

/*
 * A gateway of our own that speaks PayU's protocol on the same machine, for trying out and for tests.
 * It knows the product only by HTTP: the browser's form, the return, the webhook and the commands.
 */

type Fields = Record<string, string>;
type Transaction = typeof sandboxTransactions.$inferSelect;

const outcomes = {
  success: { status: "success", unmappedStatus: "captured", label: "Pay", mode: "UPI" },
  failure: { status: "failure", unmappedStatus: "failed", label: "Let the payment fail", mode: "UPI" },
  pending: { status: "pending", unmappedStatus: "pending", label: "Leave it pending", mode: "NB" },
  cancel: { status: "failure", unmappedStatus: "userCancelled", label: "Cancel and go back", mode: "" },
} as const;
type Outcome = keyof typeof outcomes;

/** How long a pending payment takes to be captured. */
const pendingMs = 20_000;
const root = "/sandbox/payu";

export function mountSandbox(server: Hono, services: Services): void {
  const keys = sandboxKeys(services.env);
  server.post(`${root}/_payment`, async (context) => showChoices(context, keys, await readForm(context)));
  server.post(`${root}/outcome`, async (context) => {
    const { outcome, ...form } = await readForm(context);
    if (!isSigned(keys, form) || !(outcome && outcome in outcomes)) return refuse(context);
    const transaction = await settle(services, form, outcome as Outcome);
    if (!transaction) return refuse(context, "This transaction was settled already.");
    announce(services, keys, transaction);
    return showReturn(context, keys, transaction);
  });
  server.get(`${root}/return.js`, (context) => {
    context.header("Cache-Control", "no-cache");
    return context.body('document.getElementById("return").submit();', 200, {
      "Content-Type": "text/javascript; charset=utf-8",
    });
  });
  server.post(`${root}/merchant/postservice.php`, async (context) =>
    context.json(await answerCommand(services, keys, await readForm(context))),
  );
}

async function readForm(context: Context): Promise<Fields> {
  return Object.fromEntries(new URLSearchParams(await readText(context)));
}

function isSigned(keys: { key: string; salt: string }, { key, hash = "", ...fields }: Fields): boolean {
  try {
    return key === keys.key && sameHash(hash, signRequest(keys, fields)["hash"] ?? "");
  } catch {
    return false;
  }
}

function showChoices(context: Context, keys: { key: string; salt: string }, form: Fields) {
  if (!isSigned(keys, form) || !/^\d+\.\d{2}$/.test(form["amount"] ?? "")) return refuse(context);
  const hidden = Object.entries(form).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const body = html`<p class="banner">
      <strong>Sandbox: no money moves.</strong> This page stands in for the payment gateway until a merchant key is
      configured.
    </p>
    <h1>Pay ${formatRupees(paiseFrom(form["amount"] ?? "0.00"))}</h1>
    <dl class="sheet">
      <dt>To</dt>
      <dd>${brand.legalName}</dd>
      <dt>For</dt>
      <dd>${form["productinfo"]}</dd>
      <dt>From</dt>
      <dd>${form["firstname"]}, ${form["email"]}</dd>
      <dt>Transaction</dt>
      <dd>${form["txnid"]}</dd>
    </dl>
    <h2>How should the payment end?</h2>
    <form method="post" action="${root}/outcome" class="actions">
      ${hidden}
      ${Object.entries(outcomes).map(
        ([name, { label }]) =>
          html`<button name="outcome" value="${name}" class="${name === "success" ? "primary" : ""}">${label}</button>`,
      )}
    </form>
    <p class="muted">
      A payment left pending is captured ${pendingMs / 1000} seconds later, as a slow bank would do.
    </p>`;
  return standAlonePage(context, { title: "Sandbox payment", body, formAction: "'self'" });
}

/** Records how a transaction ended; a reference can be used once. Answers undefined for a used one. */
async function settle(services: Services, form: Fields, outcome: Outcome): Promise<Transaction | undefined> {
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

/** The browser goes back by a form of POST, which a script of three words sends; without script a button does. */
function showReturn(context: Context, keys: { key: string; salt: string }, transaction: Transaction) {
  const { surl = "", furl = "" } = transaction.form;
  const target = transaction.status === "failure" ? furl : surl;
  const hidden = Object.entries(signAnswer(keys, transaction)).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const body = html`<p class="banner"><strong>Sandbox: no money moves.</strong></p>
    <h1>Taking you back to ${brand.name} …</h1>
    <form id="return" method="post" action="${target}">
      ${hidden}<button class="primary">Back to ${brand.name}</button>
    </form>`;
  return standAlonePage(context, {
    title: "Sandbox payment",
    body,
    formAction: new URL(target).origin,
    script: `${root}/return.js`,
  });
}

/** What PayU posts to the merchant, by browser and by webhook. */
function signAnswer(keys: { key: string; salt: string }, transaction: Transaction): Fields {
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

/** Sends the webhook as PayU does: by itself, three tries, and once more when a pending payment is captured. */
function announce(services: Services, keys: { key: string; salt: string }, transaction: Transaction): void {
  void sendWebhook(keys, transaction, 3);
  if (transaction.status !== "pending") return;
  setTimeout(() => {
    void capture(services, transaction).then((captured) => sendWebhook(keys, captured, 3));
  }, pendingMs).unref();
}

async function sendWebhook(
  keys: { key: string; salt: string },
  transaction: Transaction,
  tries: number,
): Promise<void> {
  const target = new URL("/api/payments/webhook", transaction.form["surl"]);
  const sent = await fetch(target, { method: "POST", body: new URLSearchParams(signAnswer(keys, transaction)) }).catch(
    () => null,
  );
  if (!sent?.ok && tries > 1) setTimeout(() => void sendWebhook(keys, transaction, tries - 1), 2000).unref();
}

async function capture({ database }: Services, transaction: Transaction): Promise<Transaction> {
  const captured = { status: "success", unmappedStatus: "captured" } as const;
  await database
    .update(sandboxTransactions)
    .set(captured)
    .where(eq(sandboxTransactions.reference, transaction.reference));
  return { ...transaction, ...captured };
}

async function answerCommand(services: Services, keys: { key: string; salt: string }, asked: Fields) {
  const { command = "", var1 = "", hash = "" } = asked;
  if (asked["key"] !== keys.key || !sameHash(hash, commandHash(keys, command, var1)))
    return { status: 0, msg: "Invalid Hash." };
  if (command === "verify_payment") return verifyPayments(services, var1.split("|"));
  if (command === "cancel_refund_transaction") {
    const [found] = await services.database
      .select()
      .from(sandboxTransactions)
      .where(eq(sandboxTransactions.gatewayPaymentId, var1));
    return found?.status === "success"
      ? { status: 1, msg: "Refund Request Queued", request_id: asked["var2"], error_code: 102 }
      : { status: 0, msg: "Payment was not found", error_code: 105 };
  }
  return { status: 0, msg: "Invalid command" };
}

async function verifyPayments(services: Services, references: string[]) {
  const details = await Promise.all(
    references.map(async (reference) => {
      const [found] = await services.database
        .select()
        .from(sandboxTransactions)
        .where(eq(sandboxTransactions.reference, reference));
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

function refuse(context: Context, sentence = "The form's hash or amount is not right.") {
  const body = html`<h1>The sandbox gateway refused this payment</h1>
    <p>${sentence}</p>
    <p><a href="/user/myquote">Back to your quotes</a></p>`;
  return standAlonePage(context, { title: "Sandbox payment", body, status: 400 });
}
