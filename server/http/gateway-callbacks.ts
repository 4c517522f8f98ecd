import type { Context, Hono } from "hono";
import { workFrom } from "../audit/origin.ts";
import { clientAddress } from "./client-address.ts";
import { Failure } from "../failures/failure.ts";
import { readText } from "./request-body.ts";
import type { Services } from "../services.ts";
import { takePaymentHint } from "../orders/take-hint.ts";
import { takeRefundHint } from "../refunds/take-refund-hint.ts";

/** The gateway's callbacks: the browser's return, a POST without a session, and the webhook. */
export function mountPayments(api: Hono, services: Services): void {
  const addressOf = (context: Context) => clientAddress(context, services.env.trustProxy);
  api.post("/payments/return", async (context) => {
    const form = Object.fromEntries(new URLSearchParams(await readText(context)));
    const hint = services.gateway.parseReturn(form);
    const address = addressOf(context);
    const applied = await workFrom(address, () => takePaymentHint(services, "return", hint, address));
    return context.redirect(`${services.publicUrl}/user/payment?order=${applied?.orderId ?? "unknown"}`, 303);
  });
  api.post("/payments/webhook", async (context) => {
    const hint = parse(services, await readText(context), context.req.raw.headers);
    const address = addressOf(context);
    if (hint.about === "payment") {
      if (!(await workFrom(address, () => takePaymentHint(services, "webhook", hint, address))))
        throw new Failure("forbidden", "This message is not signed by the gateway or is about nothing of ours.");
    } else {
      await services.limiter.consume("refundHintByAddress", address);
      await workFrom(address, () => takeRefundHint(services, hint));
    }
    return context.text("ok");
  });
}

function parse(services: Services, body: string, headers: Headers) {
  try {
    return services.gateway.parseWebhook(body, headers);
  } catch {
    throw new Failure("malformed", "The body can't be read.");
  }
}
