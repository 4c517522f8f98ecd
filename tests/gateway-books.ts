import { randomInt } from "node:crypto";
import { type Reaction, verified } from "./stand-in-gateway.ts";

/** How the gateway treats the next refund requests. */
export type Mood =
  | "queues"
  | "gives back at once"
  | "refuses"
  /** It has the request, and its answer never arrives. */
  | "takes and says nothing"
  /** It never gets the request. */
  | "is down";

interface Booked {
  paymentId: string;
  amount: string;
  status: string;
  unmappedstatus: string;
}
interface BookedRefund {
  requestId: string;
  paymentId: string;
  token: string;
  amount: string;
  status: "queued" | "success" | "failure";
}

/** The books of a gateway that speaks PayU's protocol: it answers what a test has entered. */
export class GatewayBooks {
  mood: Mood = "queues";
  readonly payments = new Map<string, Booked>();
  readonly refunds: BookedRefund[] = [];
  /** How often a refund was requested under each token. */
  readonly asks = new Map<string, number>();

  enter(reference: string, booked: Partial<Booked> & { amount: string }): Booked {
    const entry = {
      paymentId: String(randomInt(10 ** 11, 10 ** 12)),
      status: "success",
      unmappedstatus: "captured",
      ...this.payments.get(reference),
      ...booked,
    };
    this.payments.set(reference, entry);
    return entry;
  }

  /** Paise of a payment that went back or are on their way. */
  backPaise(paymentId: string): number {
    return this.refunds
      .filter((refund) => refund.paymentId === paymentId && refund.status !== "failure")
      .reduce((sum, { amount }) => sum + paise(amount), 0);
  }

  /** Settles all queued refunds. */
  settle(as: "success" | "failure" = "success"): void {
    for (const refund of this.refunds) if (refund.status === "queued") refund.status = as;
  }

  readonly react = (var1: string, command: string, fields: Record<string, string>): Reaction => {
    if (command === "verify_payment") return this.#verify(var1);
    if (this.mood === "is down") return 503;
    if (command === "check_action_status") return this.#list(var1);
    return this.#refund(var1, fields["var2"] ?? "", fields["var3"] ?? "");
  };

  #verify(reference: string): Reaction {
    const known = this.payments.get(reference);
    if (!known) return verified(reference, { mihpayid: "Not Found", status: "Not Found" });
    const { paymentId, amount, status, unmappedstatus } = known;
    return verified(reference, { mihpayid: paymentId, status, unmappedstatus, transaction_amount: amount });
  }

  #list(paymentId: string): Reaction {
    const found = this.refunds.filter((refund) => refund.paymentId === paymentId);
    const actions = found.map(({ requestId, token, amount, status }) => [
      requestId,
      { request_id: requestId, action: "refund", token, amt: amount, status },
    ]);
    const details = found.length > 0 ? Object.fromEntries(actions) : "No action status found";
    return { status: found.length > 0 ? 1 : 0, msg: "", transaction_details: { [paymentId]: details } };
  }

  #refund(paymentId: string, token: string, amount: string): Reaction {
    this.asks.set(token, (this.asks.get(token) ?? 0) + 1);
    if (this.refunds.some((refund) => refund.token === token))
      return { status: 0, msg: "token already used or request pending", error_code: 106 };
    const payment = [...this.payments.values()].find((each) => each.paymentId === paymentId);
    if (!payment) return { status: 0, msg: "transaction not exists", error_code: 116 };
    if (this.mood === "refuses") return { status: 0, msg: "Refund request failed", error_code: 105 };
    if (this.backPaise(paymentId) + paise(amount) > paise(payment.amount))
      return { status: 0, msg: "Invalid Amount", error_code: 105 };
    const requestId = String(randomInt(10 ** 8, 10 ** 9));
    const status = this.mood === "gives back at once" ? ("success" as const) : ("queued" as const);
    this.refunds.push({ requestId, paymentId, token, amount, status });
    if (this.mood === "takes and says nothing") return 504;
    return { status: 1, msg: "Refund Request Queued", request_id: requestId, mihpayid: paymentId, error_code: 102 };
  }
}

const paise = (amount: string) => Number(amount.replace(".", ""));
