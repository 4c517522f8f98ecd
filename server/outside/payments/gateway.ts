import type { PaymentForm } from "../../../contract/orders.ts";

/** What a gateway needs to show its pay page. Money is integer paise. */
export interface PaymentIntent {
  /** Our reference of the attempt: 1 to 25 letters and digits, never used before. */
  reference: string;
  amountPaise: number;
  description: string;
  firstName: string;
  email: string;
  phone: string;
  /** Where the browser comes back to, by POST. */
  returnUrl: string;
}

/** What a gateway says about an attempt. */
export interface PaymentResult {
  /** Whether its signature is right; nothing else in it may be believed when it is not. */
  authentic: boolean;
  reference: string;
  gatewayPaymentId: string | null;
  state: "initiated" | "pending" | "success" | "failure" | "unknown";
  amountPaise: number | null;
  /** The same for a repeated delivery of the same event. */
  eventKey: string;
  /** What is kept of it: without its signature and without anything about a card. */
  raw: Record<string, string>;
}

/** The port to a payment gateway; a new gateway is one file that answers these. */
export interface PaymentGateway {
  /** Kept with each attempt. */
  name: string;
  /** Origins the browser's form is posted to, for the Content-Security-Policy. */
  formOrigins: string[];
  initiate(intent: PaymentIntent): PaymentForm;
  parseReturn(form: Record<string, string>): PaymentResult;
  parseWebhook(rawBody: string, headers: Headers): PaymentResult;
  /** Asks the gateway itself. @throws when it can't be reached. */
  fetchStatus(reference: string): Promise<PaymentResult>;
  /** Asks for money back; answers whether the gateway took the request. @throws when it can't be reached. */
  refund(payment: {
    gatewayPaymentId: string;
    token: string;
    amountPaise: number;
  }): Promise<{ accepted: boolean; message: string }>;
}
