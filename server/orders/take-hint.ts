import type { PaymentHint } from "../outside/payments/gateway.ts";
import type { Services } from "../services.ts";
import { applyPaymentResult } from "./apply-result.ts";
import { askAtOnce } from "./ask-at-once.ts";
import { noteFindings } from "./findings.ts";
import type { Applied } from "./take-step.ts";

/** A person waits at a browser for the answer; the gateway's server can wait longer. */
const patienceMs = { return: 5000, webhook: 10_000 };

/**
 * Takes a signed message about a payment and asks the gateway what really happened, while the sender waits. If the
 * gateway does not answer in time, `reconcilePayments` asks again. Returns null when the message is forged or concerns
 * no attempt of ours.
 */
export async function takePaymentHint(
  services: Services,
  source: "return" | "webhook",
  hint: PaymentHint,
  address: string,
): Promise<Applied | null> {
  const { reference } = hint;
  if (!hint.authentic) {
    // Anybody can send any number of these.
    services.denials.note({
      event: "forged payment message",
      operation: `payments/${source}`,
      address,
      actor: null,
      sought: reference.slice(0, 40),
    });
    return null;
  }
  const applied = await applyPaymentResult(services, { source, hint });
  if (!applied && hint.says === "success") await noteUnknown(services, hint);
  if (!applied?.ask) return applied;
  return (await askAtOnce(services, reference, patienceMs[source])) ?? applied;
}

/** The gateway signed that it took money for a reference that is not ours: somebody else may be using our key. */
async function noteUnknown({ database }: Services, { reference, raw }: PaymentHint): Promise<void> {
  const sum = raw["amount"] ? `₹${raw["amount"]}` : "an unknown amount";
  const says = `The gateway told of ${sum} for transaction ${reference}, which is in none of our orders.`;
  await noteFindings(database, [{ kind: "unknown payment", key: reference, says }]);
}
