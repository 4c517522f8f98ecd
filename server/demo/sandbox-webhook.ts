import type { Services } from "../services.ts";

/** Posts a message as PayU does, up to three times until it is accepted: form-encoded, or JSON if it is text. */
export async function sendWebhook(services: Services, message: URLSearchParams | string, tries = 3): Promise<void> {
  const sent = await fetch(`${services.publicUrl}/api/payments/webhook`, {
    method: "POST",
    body: message,
    ...(typeof message === "string" && { headers: { "Content-Type": "application/json" } }),
    signal: AbortSignal.timeout(10_000),
  }).catch(() => null);
  if (!sent?.ok && tries > 1) setTimeout(() => void sendWebhook(services, message, tries - 1), 2000).unref();
}
