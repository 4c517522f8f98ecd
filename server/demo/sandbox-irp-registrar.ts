import { brand } from "../../contract/brand.ts";
import { nicRegistrar } from "../outside/e-invoices/nic-registrar.ts";
import type { InvoiceRegistrar } from "../outside/e-invoices/registrar.ts";
import { deriveKey } from "../protection/tokens.ts";
import type { Env } from "../settings/env.ts";

export const sandboxIrpPath = "/sandbox/irp/v1.03";

/** The token that the stand-in requires with each call, unique to this installation. */
export const sandboxIrpToken = (env: Env) => deriveKey(env.tokenSecret, "sandbox irp").toString("hex").slice(0, 32);

/** The real client, talking to the stand-in: the same code as with a provider. */
export const sandboxRegistrar = (env: Env, internalUrl: string): InvoiceRegistrar =>
  nicRegistrar(
    { url: `${internalUrl}${sandboxIrpPath}`, headers: { "x-sandbox-token": sandboxIrpToken(env) } },
    () => brand.gstin,
  );
