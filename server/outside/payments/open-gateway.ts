import type { Env } from "../../settings/env.ts";
import { deriveKey } from "../../protection/tokens.ts";
import type { PaymentGateway } from "./gateway.ts";
import { payuGateway } from "./payu.ts";

/** Key and salt of the sandbox: of this installation only. */
export function sandboxKeys(env: Env): { key: string; salt: string } {
  return {
    key: deriveKey(env.tokenSecret, "sandbox key").toString("hex").slice(0, 12),
    salt: deriveKey(env.tokenSecret, "sandbox salt").toString("hex").slice(0, 32),
  };
}

/** PayU with the merchant key, or with the sandbox of our own: the same code talks to either. */
export function openGateway(env: Env, publicUrl: string, internalUrl: string): PaymentGateway {
  if (env.payu) return payuGateway(env.payu);
  return payuGateway({
    ...sandboxKeys(env),
    payUrl: `${publicUrl}/sandbox/payu/_payment`,
    apiUrl: `${internalUrl}/sandbox/payu/merchant/postservice.php?form=2`,
  });
}
