import { rupees } from "../../../contract/money.ts";
import type { PaymentGateway, PaymentIntent } from "./gateway.ts";
import { payuCommands } from "./payu-commands.ts";
import { type Fields, lengthLimits, type PayuKeys, signRequest } from "./payu-hash.ts";
import { parseReturn, parseWebhook } from "./payu-messages.ts";

export interface PayuSettings extends PayuKeys {
  /** The page the browser posts its form to. */
  payUrl: string;
  /** The server-to-server commands. */
  apiUrl: string;
}

/** PayU Hosted Checkout: https://docs.payu.in/docs/prebuilt-checkout-page-integration */
export function payuGateway({ key, salt, payUrl, apiUrl }: PayuSettings): PaymentGateway {
  const keys = { key, salt };
  return {
    name: "payu",
    formOrigins: [new URL(payUrl).origin],
    initiate: (intent) => ({ action: payUrl, fields: signRequest(keys, requestOf(intent)) }),
    parseReturn: (form) => parseReturn(keys, form),
    parseWebhook: (rawBody, headers) => parseWebhook(keys, rawBody, headers),
    ...payuCommands(keys, apiUrl),
  };
}

/** What is hashed is what is posted. An e-mail is never shortened: it would be another one. */
function requestOf(intent: PaymentIntent): Fields {
  return {
    txnid: intent.reference,
    amount: rupees(intent.amountPaise),
    productinfo: shortened(intent.description, lengthLimits.productinfo),
    firstname: shortened(intent.name, lengthLimits.firstname),
    email: intent.email,
    phone: phoneDigits(intent.phone),
    surl: intent.returnUrl,
    furl: intent.returnUrl,
  };
}

/** Digits only: the ten of an Indian number, the whole of any other. A plus is said to grey out PayU's pay button. */
function phoneDigits(e164: string): string {
  return /^\+91(\d{10})$/.exec(e164)?.[1] ?? e164.replace(/\D/g, "");
}

/** At most so many characters: whole words, or as much of the first one as fits, and never half a character. */
export function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const [first = "", ...others] = text.split(/\s+/);
  return (
    joined([first, ...others.map((word) => ` ${word}`)], lengthMax) ||
    joined(
      Array.from(new Intl.Segmenter().segment(first), ({ segment }) => segment),
      lengthMax,
    ) ||
    // One sign under a heap of accents.
    joined(Array.from(first), lengthMax)
  );
}

/** As many of the parts, from the first on, as fit together. */
function joined(parts: string[], lengthMax: number): string {
  let text = "";
  for (const part of parts) {
    if (text.length + part.length > lengthMax) break;
    text += part;
  }
  return text;
}
