import type { Hono } from "hono";
import { Failure } from "../errors.ts";
import { readText } from "../request-body.ts";
import type { Services } from "../services.ts";
import { applyPaymentResult } from "./apply-result.ts";

/** Where the gateway comes back to: the browser by POST without a session, the gateway's server by webhook. */
export function mountPayments(api: Hono, services: Services): void {
  api.post("/payments/return", async (context) => {
    const form = Object.fromEntries(new URLSearchParams(await readText(context)));
    const outcome = await applyPaymentResult(services, "return", services.gateway.parseReturn(form));
    return context.redirect(`${services.publicUrl}/user/payment?order=${outcome?.orderId ?? "unknown"}`, 303);
  });
  api.post("/payments/webhook", async (context) => {
    const body = await readText(context);
    const outcome = await applyPaymentResult(services, "webhook", parse(services, body, context.req.raw.headers));
    if (!outcome)
      throw new Failure("forbidden", "This message is not signed by the gateway or is about nothing of ours.");
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
