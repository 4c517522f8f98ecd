import type { PaymentFailure } from "./gateway.ts";

/**
 * PayU's error codes that tell the payer what to do: https://docs.payu.in/docs/error-codes. Banks use different codes
 * for the same cause; a code missing here says no more than `details` does.
 */
const codes = new Map<string, PaymentFailure>(
  Object.entries({
    E706: "no funds",
    E713: "no funds",
    E718: "no funds",
    E719: "no funds",
    E329: "no funds",
    E336: "no funds",
    E720: "over limit",
    E305: "wrong details",
    E313: "wrong details",
    E315: "wrong details",
    E323: "wrong details",
    E707: "wrong details",
    E709: "wrong details",
    E710: "wrong details",
    E714: "wrong details",
    E717: "wrong details",
    E303: "not authenticated",
    E326: "not authenticated",
    E334: "not authenticated",
    E335: "not authenticated",
    E708: "not authenticated",
    E1000: "not authenticated",
    E311: "card expired",
    E310: "card blocked",
    E324: "card blocked",
    E325: "card blocked",
    E900: "not allowed",
    E902: "not allowed",
    E903: "not allowed",
    E208: "bank down",
    E209: "bank down",
    E210: "bank down",
    E211: "bank down",
    E218: "bank down",
    E801: "bank down",
    E802: "bank down",
    E803: "bank down",
    E901: "bank down",
    E1001: "bank down",
    E906: "too slow",
    E312: "declined",
    E905: "cancelled",
    E1605: "cancelled",
  } satisfies Record<string, PaymentFailure>),
);

/** PayU's words for how a payment ended: https://docs.payu.in/reference-link/payment-state-explanations */
const details = new Map<string, PaymentFailure>([
  ["usercancelled", "cancelled"],
  ["failed", "declined"],
  ["bounced", "left"],
  ["dropped", "left"],
  ["autorefund", "given back"],
]);

/** Why a payment failed. That the money went back comes first, then the code, which is more precise than the state. */
export function failureOf(detail: string, code: string): PaymentFailure {
  const said = details.get(detail);
  return (said === "given back" ? said : (codes.get(code.toUpperCase()) ?? said)) ?? "unknown";
}

/** PayU's own words about a failure, for administrators; empty where it only says that there was no error. */
export function wordsOf(code: string, message: string): string {
  const named = /^E0*$/i.test(code) ? "" : code;
  const said = /^no error$/i.test(message) ? "" : message;
  return [named, said].filter(Boolean).join(": ");
}
