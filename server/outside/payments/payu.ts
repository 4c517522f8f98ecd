import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { paiseFrom, rupees } from "../../../contract/money.ts";
import type { PaymentGateway, PaymentIntent, PaymentResult } from "./gateway.ts";

export interface PayuSettings {
  key: string;
  salt: string;
  /** The page the browser posts its form to. */
  payUrl: string;
  /** The server-to-server commands. */
  apiUrl: string;
}

type Fields = Record<string, string>;

const requestFields = ["txnid", "amount", "productinfo", "firstname", "email", "udf1", "udf2", "udf3", "udf4", "udf5"];
const lengthLimits: Record<string, number> = { txnid: 25, productinfo: 100, firstname: 60, email: 50 };
const commandTimeoutMs = 10_000;

/** PayU Hosted Checkout: https://docs.payu.in/docs/prebuilt-checkout-page-integration */
export function payuGateway({ key, salt, payUrl, apiUrl }: PayuSettings): PaymentGateway {
  const settings = { key, salt };
  return {
    name: "payu",
    formOrigins: [new URL(payUrl).origin],
    initiate: (intent) => ({ action: payUrl, fields: signRequest(settings, requestOf(intent)) }),
    parseReturn: (form) => parseResult(settings, form),
    parseWebhook: (rawBody, headers) => parseResult(settings, parseBody(rawBody, headers)),
    async fetchStatus(reference) {
      const answer = VerifyAnswer.parse(await command(settings, apiUrl, "verify_payment", { var1: reference }));
      return resultOfVerify(reference, answer.transaction_details[reference]);
    },
    async refund({ gatewayPaymentId, token, amountPaise }) {
      const variables = { var1: gatewayPaymentId, var2: token, var3: rupees(amountPaise) };
      const { status, msg } = RefundAnswer.parse(
        await command(settings, apiUrl, "cancel_refund_transaction", variables),
      );
      return { accepted: status === "1", message: msg };
    },
  };
}

/**
 * The hash of the form's fields.
 * @throws Error when a field is longer than PayU takes or holds the separator; nothing is ever cut
 */
export function signRequest({ key, salt }: Pick<PayuSettings, "key" | "salt">, fields: Fields): Fields {
  for (const [name, value] of Object.entries(fields)) {
    if (value.includes("|")) throw new Error(`PayU's field ${name} may not hold "|"`);
    if (value.length > (lengthLimits[name] ?? 255)) throw new Error(`PayU's field ${name} is too long`);
  }
  const values = requestFields.map((name) => fields[name] ?? "");
  return { ...fields, key, hash: sha512([key, ...values, "", "", "", "", "", salt].join("|")) };
}

/** Whether the answer of a browser's return or a webhook was signed with our salt. */
export function isAuthentic({ key, salt }: Pick<PayuSettings, "key" | "salt">, answer: Fields): boolean {
  return answer["key"] === key && sameHash(answer["hash"] ?? "", reverseHash(salt, answer));
}

/** The hash PayU puts under an answer. Both spellings of the charges occur in its documentation. */
export function reverseHash(salt: string, answer: Fields): string {
  const charges = answer["additional_charges"] || answer["additionalCharges"];
  const values = requestFields.toReversed().map((name) => answer[name] ?? "");
  const signed = [salt, answer["status"] ?? "", "", "", "", "", "", ...values, answer["key"] ?? ""].join("|");
  return sha512(charges ? `${charges}|${signed}` : signed);
}

/** The hash under a command. */
export function commandHash({ key, salt }: Pick<PayuSettings, "key" | "salt">, name: string, var1: string): string {
  return sha512([key, name, var1, salt].join("|"));
}

export function sameHash(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given.toLowerCase()), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function requestOf(intent: PaymentIntent): Fields {
  return {
    txnid: intent.reference,
    amount: rupees(intent.amountPaise),
    productinfo: intent.description,
    firstname: intent.firstName,
    email: intent.email,
    phone: intent.phone,
    surl: intent.returnUrl,
    furl: intent.returnUrl,
  };
}

function parseResult(settings: Pick<PayuSettings, "key" | "salt">, answer: Fields): PaymentResult {
  const reference = answer["txnid"] ?? "";
  const gatewayPaymentId = answer["mihpayid"] || null;
  const status = answer["status"] ?? "";
  return {
    authentic: isAuthentic(settings, answer),
    reference,
    gatewayPaymentId,
    state: stateOf(status, answer["unmappedstatus"]),
    amountPaise: paiseOf(answer["amount"]),
    eventKey: ["payu", reference, gatewayPaymentId, status, answer["unmappedstatus"], answer["hash"]].join(":"),
    raw: withoutSecrets(answer),
  };
}

/** A masked card number and the name on the card are nothing we need. */
function withoutSecrets(answer: Fields): Fields {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !/^hash$|card/i.test(name)));
}

/** PayU's JSON has numbers and nulls where its forms have text. */
const Scalar = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .transform((value) => (value === null ? "" : String(value)));

const Transaction = z.object({
  mihpayid: Scalar.optional(),
  status: Scalar,
  unmappedstatus: Scalar.optional(),
  transaction_amount: Scalar.optional(),
});
/** The outer status tells only whether the command itself worked. */
const VerifyAnswer = z.object({ transaction_details: z.record(z.string(), Transaction) });
const RefundAnswer = z.object({ status: Scalar, msg: Scalar.default("") });

function resultOfVerify(reference: string, found: z.infer<typeof Transaction> | undefined): PaymentResult {
  const known = found && !/^not found$/i.test(found.status) ? found : undefined;
  const id = known?.mihpayid && /^\d+$/.test(known.mihpayid) ? known.mihpayid : null;
  return {
    authentic: true,
    reference,
    gatewayPaymentId: id,
    state: known ? stateOf(known.status, known.unmappedstatus) : "unknown",
    amountPaise: paiseOf(known?.transaction_amount),
    eventKey: ["payu", reference, id, "verify", known?.status, known?.unmappedstatus].join(":"),
    raw: Object.fromEntries(Object.entries(known ?? {})),
  };
}

/** An authorised payment is not money yet: it is pending until it has been captured. */
function stateOf(status: string, unmapped = ""): PaymentResult["state"] {
  const [said, detail] = [status.toLowerCase(), unmapped.toLowerCase()];
  if (said === "success") return detail === "auth" ? "pending" : "success";
  if (said === "failure" || said === "failed") return "failure";
  if (said === "pending") return detail === "initiated" ? "initiated" : "pending";
  return "unknown";
}

function paiseOf(amount: string | undefined): number | null {
  return amount !== undefined && /^\d{1,12}(\.\d{1,2})?$/.test(amount) ? paiseFrom(toTwoDecimals(amount)) : null;
}

function toTwoDecimals(amount: string): string {
  const [whole = "", decimals = ""] = amount.split(".");
  return `${whole}.${decimals.padEnd(2, "0")}`;
}

function parseBody(rawBody: string, headers: Headers): Fields {
  if (!headers.get("content-type")?.includes("json")) return Object.fromEntries(new URLSearchParams(rawBody));
  const parsed = z.record(z.string(), Scalar).safeParse(JSON.parse(rawBody));
  return parsed.data ?? {};
}

async function command(
  settings: Pick<PayuSettings, "key" | "salt">,
  apiUrl: string,
  name: string,
  variables: { var1: string } & Fields,
): Promise<unknown> {
  const answer = await fetch(apiUrl, {
    method: "POST",
    body: new URLSearchParams({
      key: settings.key,
      command: name,
      hash: commandHash(settings, name, variables.var1),
      ...variables,
    }),
    signal: AbortSignal.timeout(commandTimeoutMs),
  });
  if (!answer.ok) throw new Error(`PayU answered ${name} with ${answer.status}`);
  return answer.json();
}

const sha512 = (text: string) => createHash("sha512").update(text).digest("hex");
