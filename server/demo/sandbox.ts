import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { brand } from "../../contract/brand.ts";
import { formatRupees, paiseFrom } from "../../contract/money.ts";
import { readText } from "../http/request-body.ts";
import type { Services } from "../services.ts";
import { standAlonePage } from "../http/stand-alone-page.ts";
import { sandboxKeys } from "./sandbox-gateway.ts";
import { type Fields, type PayuKeys, sameHash, signRequest } from "../outside/payments/payu-hash.ts";
import {
  announce,
  answerCommand,
  findTransaction,
  type Outcome,
  outcomes,
  pendingMs,
  settle,
  signAnswer,
  type Transaction,
} from "./sandbox-transactions.ts";

/*
 * Our own gateway that speaks PayU's protocol on the same machine, for trying out and for tests. It knows the product
 * by HTTP only: the browser's form, the return, the webhook and the commands.
 */

const root = "/sandbox/payu";

export function mountSandbox(server: Hono, services: Services): void {
  const keys = sandboxKeys(services.env);
  server.post(`${root}/_payment`, async (context) => {
    const form = await readForm(context);
    return isAcceptable(services, keys, form) ? showChoices(context, form) : refuse(context);
  });
  server.post(`${root}/outcome`, async (context) => {
    const { outcome = "", ...form } = await readForm(context);
    if (!isAcceptable(services, keys, form) || !Object.hasOwn(outcomes, outcome)) return refuse(context);
    const settled = await settle(services, form, outcome as Outcome);
    if (settled) announce(services, keys, settled);
    // A second click or a reload gets the first choice.
    const transaction = settled ?? (await findTransaction(services, form["txnid"] ?? ""));
    return transaction ? showReturn(context, keys, transaction) : refuse(context);
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

/** Signed, with a valid amount, and returning to this shop: the hash does not cover the return addresses. */
function isAcceptable(services: Services, keys: PayuKeys, { key, hash = "", ...fields }: Fields): boolean {
  const { amount = "", txnid = "", surl = "", furl = "" } = fields;
  if (key !== keys.key || !/^\d+\.\d{2}$/.test(amount) || txnid === "") return false;
  if (![surl, furl].every((target) => target.startsWith(`${services.publicUrl}/`))) return false;
  try {
    return sameHash(hash, signRequest(keys, fields)["hash"] ?? "");
  } catch {
    return false;
  }
}

function showChoices(context: Context, form: Fields) {
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

/** The browser returns by a POST form, which a one-line script sends; without scripts a button does. */
function showReturn(context: Context, keys: PayuKeys, transaction: Transaction) {
  const { surl = "", furl = "" } = transaction.form;
  const target = transaction.status === "failure" ? furl : surl;
  const hidden = Object.entries(signAnswer(keys, transaction)).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const body = html`<p class="banner"><strong>Sandbox: no money moves.</strong></p>
    <h1>Taking you back to ${brand.name} &hellip;</h1>
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

function refuse(context: Context) {
  const body = html`<h1>The sandbox gateway refused this payment</h1>
    <p>The form's hash, amount or return address is not right.</p>
    <p><a href="/user/myquote">Back to your quotes</a></p>`;
  return standAlonePage(context, { title: "Sandbox payment", body, status: 400 });
}
