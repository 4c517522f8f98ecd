import type { PaymentStatus } from "../outside/payments/gateway.ts";
import type { Services } from "../services.ts";
import { applyPaymentResult } from "./apply-result.ts";
import type { Applied } from "./take-step.ts";

/**
 * Asks the gateway about one attempt while somebody waits, and applies its answer. Returns null if that fails, which the
 * log tells: the clock asks again. Counted, as whatever leads here can be repeated any number of times.
 */
export async function askAtOnce(services: Services, reference: string, patienceMs: number): Promise<Applied | null> {
  const { limiter, gateway, log } = services;
  let status: PaymentStatus;
  try {
    await limiter.consume("askGatewayByAttempt", reference);
    status = await gateway.fetchStatus(reference, patienceMs);
  } catch (error) {
    log.warn({ err: error, reference }, "the gateway could not be asked at once");
    return null;
  }
  try {
    return await applyPaymentResult(services, { source: "verify", status });
  } catch (error) {
    log.warn({ err: error, reference }, "the gateway's answer could not be applied at once");
    return null;
  }
}
