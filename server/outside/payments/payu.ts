import { rupees } from "../../../contract/money.ts";
import type { PaymentGateway, PaymentIntent } from "./gateway.ts";
import { payuCommands } from "./payu-commands.ts";
import { type Fields, lengthLimits, type PayuKeys, signRequest } from "./payu-hash.ts";
import { parseReturn, parseWebhook } from "./payu-messages.ts";

export interface PayuSettings extends PayuKeys {
  /** The page that the browser posts its form to. */
  payUrl: string;
  /** Where server-to-server commands go. */
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

/** The posted values are also the hashed ones. An e-mail address is never shortened: that would be another address. */
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

/** Digits only: ten for an Indian number, all for any other. A plus reportedly greys out PayU's pay button. */
function phoneDigits(e164: string): string {
  return /^\+91(\d{10})$/.exec(e164)?.[1] ?? e164.replace(/\D/g, "");
}

/**
 * Shortens to at most `lengthMax` characters: to whole words, or to part of the first word, never splitting a
 * character.
 */
export function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const [first = "", ...others] = text.split(/\s+/);
  return (
    joined([first, ...others.map((word) => ` ${word}`)], lengthMax) ||
    joined(
      Array.from(new Intl.Segmenter().segment(first), ({ segment }) => segment),
      lengthMax,
    ) ||
    // A single grapheme longer than the limit, such as a letter with many accents.
    joined(Array.from(first), lengthMax)
  );
}

/** Joins as many of the parts, from the first, as fit. */
function joined(parts: string[], lengthMax: number): string {
  let text = "";
  for (const part of parts) {
    if (text.length + part.length > lengthMax) break;
    text += part;
  }
  return text;
}
