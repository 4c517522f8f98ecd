import { and, eq, isNull } from "drizzle-orm";
import { engineBindings } from "../database/schema/index.ts";
import type { Binding, Engine } from "../outside/engines/engine.ts";
import { EngineFailure } from "../outside/engines/engine-failure.ts";
import { sealingKeys, unseal } from "../protection/sealed-secret.ts";
import type { Services } from "../services.ts";

export type BindingRow = typeof engineBindings.$inferSelect;

/** Whether the binding is still as a poll has claimed it: a copy that was frozen may come back after another's poll. */
export const isClaimedAs = ({ id, version, polledUntil }: BindingRow) =>
  and(
    eq(engineBindings.id, id),
    eq(engineBindings.version, version),
    polledUntil ? eq(engineBindings.polledUntil, polledUntil) : isNull(engineBindings.polledUntil),
  );

/** Names for sealing, so that a binding's two secrets can't be swapped. */
export const secretOf = (bindingId: string) => `engine:${bindingId}:secret`;
export const indexerSecretOf = (bindingId: string) => `engine:${bindingId}:indexer`;

/** Opens the engine of a stored binding. @throws EngineFailure where its credentials can't be decrypted */
export const openBinding = (services: Services, row: BindingRow, deadline?: AbortSignal): Engine =>
  services.engines.open(readBinding(services, row), deadline);

/** A binding with its secrets in clear: for calls only, never to be stored or shown. @throws EngineFailure */
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

/** Where an engine is and its login, without the secrets. */
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
