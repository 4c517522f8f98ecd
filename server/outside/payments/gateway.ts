import type { PaymentForm } from "../../../contract/orders.ts";

/**
 * What a gateway needs to show its payment page. Money is in integer paise. The adapter fits texts to the gateway's
 * limits.
 */
export interface PaymentIntent {
  /** Our reference for the attempt: 1 to 25 letters and digits, never reused. */
  reference: string;
  amountPaise: number;
  description: string;
  name: string;
  email: string;
  /** E.164. */
  phone: string;
  /** Where the gateway sends the browser back to, by POST. */
  returnUrl: string;
}

/**
 * What the browser's return or a webhook says about a payment. Signed or not, it moves no money here: the gateway is
 * asked. So it has no amount and no payment id that code could be tempted to use.
 */
export interface PaymentHint {
  about: "payment";
  /** Whether the signature is valid; if not, nothing else in it may be believed. */
  authentic: boolean;
  reference: string;
  says: "success" | "failure" | "pending" | "nothing";
  /** The same for a repeated delivery of the same event. */
  eventKey: string;
  /** What is stored of it: short and printable, without the signature and any card data. */
  raw: Record<string, string>;
}

/** An unsigned message about a refund or dispute: only a reason to ask the gateway. */
export interface RefundHint {
  about: "refund" | "dispute";
  reference: string;
  eventKey: string;
  raw: Record<string, string>;
}

/** Why a payment failed, as far as the payer can act on it. */
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
  /** `words`: the gateway's code and message; empty if it gives none. */
  | { state: "failed"; why: PaymentFailure; words: string }
  /** Still at the bank, or authorised but not captured. */
  | { state: "under way" }
  /** Unknown to the gateway, or nothing was paid yet. */
  | { state: "not begun" }
);

/** Money the gateway gave back, or is giving back. */
export interface GatewayRefund {
  /** The gateway's id. */
  id: string;
  /** The token of the request; empty for a refund that was made without one. */
  token: string;
  amountPaise: number;
  state: "under way" | "done" | "failed";
}

export interface RefundRequest {
  gatewayPaymentId: string;
  /** Unique to this request, at most 23 characters: a retry with the same token refunds nothing twice. */
  token: string;
  amountPaise: number;
}

export interface RefundAnswer {
  accepted: boolean;
  /** The gateway's words. */
  message: string;
}

/** The port to a payment gateway; a new gateway is one file that implements it. */
export interface PaymentGateway {
  /** Stored with each attempt. */
  name: string;
  /** Origins the browser's form is posted to, for the Content-Security-Policy. */
  formOrigins: string[];
  initiate(intent: PaymentIntent): PaymentForm;
  parseReturn(form: Record<string, string>): PaymentHint;
  /** @throws when the body can't be read. */
  parseWebhook(rawBody: string, headers: Headers): PaymentHint | RefundHint;
  /** Asks the gateway about an attempt, and waits at most `patienceMs`. @throws when it gives no readable answer */
  fetchStatus(reference: string, patienceMs?: number): Promise<PaymentStatus>;
  /** Asks which refunds of a payment there are. @throws like fetchStatus */
  fetchRefunds(gatewayPaymentId: string): Promise<GatewayRefund[]>;
  /**
   * Requests a refund; `accepted` says whether the gateway has the request, from this call or an earlier one with the
   * same token.
   * @throws when there is no clear answer: the gateway may have the request, so the caller has to ask which refunds it
   * has
   */
  refund(payment: RefundRequest): Promise<RefundAnswer>;
}
