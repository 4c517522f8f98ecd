import { z } from "zod";
import type { PaymentHint, RefundHint } from "./gateway.ts";
import { type Fields, isAuthentic, type PayuKeys } from "./payu-hash.ts";
import { parsePayuJson } from "./payu-json.ts";

const money = /^\d{1,12}(\.\d{1,2})?$/;
const word = /^[\w ./-]{1,60}$/;

/**
 * The fields of a message that are stored, each with the only form accepted. PayU's hash covers few of them, so anybody
 * who has paid once can send the others with any content.
 */
const keptForms: Record<string, RegExp> = {
  mihpayid: /^\d{1,25}$/,
  txnid: word,
  status: word,
  unmappedstatus: word,
  mode: word,
  amount: money,
  transaction_amount: money,
  discount: money,
  net_amount_debit: money,
  addedon: /^[\d :-]{10,19}$/,
  PG_TYPE: word,
  bankcode: word,
  bank_ref_num: word,
  error: word,
  error_Message: /^[\w ,.:;'()/-]{1,200}$/,
  // Of refund and dispute messages.
  merchantTxnId: word,
  request_id: /^\d{1,25}$/,
  amt: money,
  cb_id: /^\d{1,25}$/,
  cb_amount: money,
  cb_status: word,
  due_date: /^[\d :-]{10,19}$/,
};

/** Reads the fields that the browser's return posts. */
export function parseReturn(keys: PayuKeys, answer: Fields): PaymentHint {
  const { txnid = "", status = "" } = answer;
  const raw = keep(answer);
  return {
    about: "payment",
    authentic: /^[\dA-Za-z]{1,25}$/.test(txnid) && isAuthentic(keys, answer),
    reference: txnid,
    says: saidBy.get(status.toLowerCase()) ?? "nothing",
    eventKey: eventKey(txnid, raw["mihpayid"], raw["status"], raw["unmappedstatus"], answer["hash"]?.toLowerCase()),
    raw,
  };
}

const saidBy = new Map<string, PaymentHint["says"]>([
  ["success", "success"],
  ["failure", "failure"],
  ["failed", "failure"],
  ["pending", "pending"],
]);

/**
 * Reads a webhook's body, a form or JSON. Refunds and disputes come without a hash.
 * @throws when the body can't be read
 */
export function parseWebhook(keys: PayuKeys, rawBody: string, headers: Headers): PaymentHint | RefundHint {
  const isJson = headers.get("content-type")?.includes("json") ?? false;
  const answer = isJson ? JsonFields.parse(parsePayuJson(rawBody)) : Object.fromEntries(new URLSearchParams(rawBody));
  if (answer["action"] === "refund" && !answer["hash"]) return refundHint("refund", answer["merchantTxnId"], answer);
  if (answer["event"] === "dispute" && !answer["hash"]) return refundHint("dispute", answer["txn_id"], answer);
  const hint = parseReturn(keys, answer);
  if (hint.authentic || !isJson) return hint;
  // The amount's trailing zeros, which the hash covers, are lost in a JSON number.
  return parseReturn(keys, { ...answer, amount: twoDecimals(answer["amount"] ?? "") });
}

function refundHint(about: RefundHint["about"], reference = "", answer: Fields): RefundHint {
  const raw = keep(answer);
  const known = ["request_id", "cb_id", "status", "cb_status", "amt", "cb_amount"].map((name) => raw[name]);
  return { about, reference, eventKey: eventKey(about, reference.slice(0, 25), ...known), raw };
}

/** Scalars only; nothing else in a message is read. */
const JsonFields = z.record(z.string(), z.unknown()).transform((fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (typeof value === "string") return [[name, value]];
      return value === null || typeof value === "boolean" ? [[name, String(value ?? "")]] : [];
    }),
  ),
);

/** The fields of an answer that may be stored: known ones in the accepted form. */
export function keep(answer: Fields): Fields {
  return Object.fromEntries(
    Object.entries(keptForms).flatMap(([name, form]) => {
      const value = answer[name];
      return value !== undefined && form.test(value) ? [[name, value]] : [];
    }),
  );
}

export const eventKey = (...parts: (string | undefined)[]) => ["payu", ...parts.map((part = "") => part)].join(":");

/** 10 and 10.5 as 10.00 and 10.50; anything that is no amount stays as it is. */
export function twoDecimals(amount: string): string {
  if (!money.test(amount)) return amount;
  const [whole = "", decimals = ""] = amount.split(".");
  return `${whole}.${decimals.padEnd(2, "0")}`;
}
