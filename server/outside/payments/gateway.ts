import type { PaymentForm } from "../../../contract/orders.ts";

/** What a gateway needs to show its pay page. Money is integer paise; the gateway's file fits the rest to its limits. */
export interface PaymentIntent {
  /** Our reference of the attempt: 1 to 25 letters and digits, never used before. */
  reference: string;
  amountPaise: number;
  description: string;
  name: string;
  email: string;
  /** E.164. */
  phone: string;
  /** Where the browser comes back to, by POST. */
  returnUrl: string;
}

/**
 * What a message says about a payment, by the browser's return or by webhook. It moves no money here, signed or not:
 * the gateway is asked. So it names no amount and no payment id that anybody could be tempted to use.
 */
export interface PaymentHint {
  about: "payment";
  /** Whether its signature is right; nothing else in it may be believed when it is not. */
  authentic: boolean;
  reference: string;
  says: "success" | "failure" | "pending" | "nothing";
  /** The same for a repeated delivery of the same event. */
  eventKey: string;
  /** What is kept of it: short, printable, without its signature and without anything about a card. */
  raw: Record<string, string>;
}

/** A message about money going back, which nobody signed: a reason to ask, and nothing else. */
export interface RefundHint {
  about: "refund" | "dispute";
  reference: string;
  eventKey: string;
  raw: Record<string, string>;
}

/** Why a payment failed, as far as whoever paid can do something about it. */
export type PaymentFailure =
  | "cancelled"
  | "declined"
  | "left"
  | "given back"
  | "no funds"
  | "over limit"
  | "wrong details"
  | "not authenticated"
  | "card expired"
  | "card blocked"
  | "not allowed"
  | "bank down"
  | "too slow"
  | "unknown";

/** The gateway's own answer to our question about an attempt. */
export type PaymentStatus = { reference: string; eventKey: string; raw: Record<string, string> } & (
  | { state: "captured"; gatewayPaymentId: string | null; amountPaise: number | null }
  /** `words` is what the gateway says of it, code and message; empty where it says nothing. */
  | { state: "failed"; why: PaymentFailure; words: string }
  /** With a bank, or authorised and not captured yet. */
  | { state: "under way" }
  /** The gateway does not know it, or nobody has paid anything yet. */
  | { state: "not begun" }
);

/** Money the gateway gave back, or is giving back. */
export interface GatewayRefund {
  /** The gateway's. */
  id: string;
  /** By which it was asked for; empty for what was given back without it. */
  token: string;
  amountPaise: number;
  state: "under way" | "done" | "failed";
}

export interface RefundRequest {
  gatewayPaymentId: string;
  /** Of this request alone, at most 23 characters: a repeated one gives nothing back twice. */
  token: string;
  amountPaise: number;
}

export interface RefundAnswer {
  accepted: boolean;
  /** The gateway's words. */
  message: string;
}

/** The port to a payment gateway; a new gateway is one file that answers these. */
export interface PaymentGateway {
  /** Kept with each attempt. */
  name: string;
  /** Origins the browser's form is posted to, for the Content-Security-Policy. */
  formOrigins: string[];
  initiate(intent: PaymentIntent): PaymentForm;
  parseReturn(form: Record<string, string>): PaymentHint;
  /** @throws when the body can't be read. */
  parseWebhook(rawBody: string, headers: Headers): PaymentHint | RefundHint;
  /** Asks the gateway itself, and waits at most `patienceMs`. @throws when it gives no answer that can be read. */
  fetchStatus(reference: string, patienceMs?: number): Promise<PaymentStatus>;
  /** Asks what was given back of a payment. @throws like fetchStatus */
  fetchRefunds(gatewayPaymentId: string): Promise<GatewayRefund[]>;
  /**
   * Asks for money back; answers whether the gateway has the request, by this call or by an earlier one with its token.
   * @throws when it gives no answer, or one that says neither: it may have it, and has to be asked what it has
   */
  refund(payment: RefundRequest): Promise<RefundAnswer>;
}
