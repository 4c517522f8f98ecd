import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { engineBindings } from "../database/schema/index.ts";
import { isSealedByFirst, seal, unseal } from "../protection/sealed-secret.ts";
import type { EngineKey } from "../settings/engine-keys.ts";
import { type BindingRow, indexerSecretOf, secretOf } from "./open-binding.ts";

type Keys = readonly EngineKey[];

/**
 * Reseals with the first key whatever an older key sealed; can run while the product runs. Returns how many were
 * resealed and how many can't be decrypted.
 */
export async function resealBindings(database: Database, keys: Keys): Promise<{ sealed: number; lost: number }> {
  const count = { sealed: 0, lost: 0 };
  const rows = await database
    .select({ id: engineBindings.id })
    .from(engineBindings)
    .where(isNull(engineBindings.removedAt));
  for (const { id } of rows) {
    const outcome = await database.transaction(async (transaction) => {
      const [row] = await transaction
        .select()
        .from(engineBindings)
        .where(and(eq(engineBindings.id, id), isNull(engineBindings.removedAt)))
        .for("update");
      const sealed = [row?.sealedSecret, row?.sealedIndexerSecret].filter((each) => typeof each === "string");
      if (!row || sealed.every((each) => isSealedByFirst(keys, each))) return null;
      const secrets = resealed(keys, row);
      if (!secrets) return "lost";
      await transaction.update(engineBindings).set(secrets).where(eq(engineBindings.id, id));
      return "sealed";
    });
    if (outcome) count[outcome]++;
  }
  return count;
}

function resealed(keys: Keys, row: BindingRow) {
  const again = (sealed: string, whose: string) => {
    const secret = unseal(keys, sealed, whose);
    return secret === null ? null : seal(keys, secret, whose);
  };
  const sealedSecret = again(row.sealedSecret ?? "", secretOf(row.id));
  const sealedIndexerSecret = row.sealedIndexerSecret && again(row.sealedIndexerSecret, indexerSecretOf(row.id));
  if (sealedSecret === null || (row.sealedIndexerSecret && sealedIndexerSecret === null)) return null;
  return { sealedSecret, sealedIndexerSecret };
}
