import type { PaymentGateway } from "../outside/payments/gateway.ts";
import { payuGateway } from "../outside/payments/payu.ts";
import { deriveKey } from "../protection/tokens.ts";
import type { Env } from "../settings/env.ts";

/** Key and salt of the sandbox, unique to this installation. */
export function sandboxKeys(env: Env): { key: string; salt: string } {
  return {
    key: deriveKey(env.tokenSecret, "sandbox key").toString("hex").slice(0, 12),
    salt: deriveKey(env.tokenSecret, "sandbox salt").toString("hex").slice(0, 32),
  };
}

/** The real PayU client, talking to the sandbox: the same code as with a merchant key. */
export function sandboxGateway(env: Env, publicUrl: string, internalUrl: string): PaymentGateway {
  return payuGateway({
    ...sandboxKeys(env),
    payUrl: `${publicUrl}/sandbox/payu/_payment`,
    apiUrl: `${internalUrl}/sandbox/payu/merchant/postservice.php?form=2`,
  });
}
