import type { engineBindings } from "../database/schema/index.ts";
import type { Binding, Engine } from "../outside/engines/engine.ts";
import { EngineFailure } from "../outside/engines/engine-failure.ts";
import { sealingKeys, unseal } from "../protection/sealed-secret.ts";
import type { Services } from "../services.ts";

export type BindingRow = typeof engineBindings.$inferSelect;

/** Two secrets of one binding are not to be exchanged. */
export const secretOf = (bindingId: string) => `engine:${bindingId}:secret`;
export const indexerSecretOf = (bindingId: string) => `engine:${bindingId}:indexer`;

/** The engine of a stored binding. @throws EngineFailure where its credentials can't be read any more */
export const openBinding = (services: Services, row: BindingRow, deadline?: AbortSignal): Engine =>
  services.engines.open(readBinding(services, row), deadline);

/** With the secrets in it: it is for calls, and is neither kept nor shown. @throws EngineFailure */
export function readBinding({ env }: Services, row: BindingRow): Binding {
  const keys = sealingKeys(env);
  const secret = unseal(keys, row.sealedSecret ?? "", secretOf(row.id));
  const indexerSecret = row.sealedIndexerSecret && unseal(keys, row.sealedIndexerSecret, indexerSecretOf(row.id));
  if (secret === null || (row.sealedIndexerSecret && indexerSecret === null))
    throw new EngineFailure(
      "credential",
      "The credentials can't be decrypted: ENGINES_KEY has changed, or its key is missing. Enter them again, or give the key back.",
    );
  return { ...placeOf(row), secret, indexerSecret: indexerSecret || null };
}

/** Where an engine is and as whom it is asked, without what is secret. */
export const placeOf = ({
  kind,
  address,
  indexerAddress,
  tenantKey,
  username,
  indexerUsername,
  caCertificate,
}: Omit<Binding, "secret" | "indexerSecret">) => ({
  kind,
  address,
  indexerAddress,
  tenantKey,
  username,
  indexerUsername,
  caCertificate,
});
