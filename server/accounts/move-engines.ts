import { eq } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { engineBindings, engineDevices, engineFindings, engineIncidents } from "../database/schema/index.ts";

/** Moves a customer's engines and everything they reported. A poll that is under way stores nothing more. */
export async function moveEngines(transaction: Transaction, fromId: string, intoId: string): Promise<void> {
  const moved = await transaction
    .select({ id: engineBindings.id, version: engineBindings.version })
    .from(engineBindings)
    .where(eq(engineBindings.organisationId, fromId))
    // Their keys don't change, so no stronger lock: a transaction that inserts references to a binding may be waiting
    // for its customer.
    .for("no key update");
  for (const { id, version } of moved)
    await transaction
      .update(engineBindings)
      .set({ organisationId: intoId, version: version + 1 })
      .where(eq(engineBindings.id, id));
  for (const table of [engineDevices, engineFindings, engineIncidents])
    await transaction.update(table).set({ organisationId: intoId }).where(eq(table.organisationId, fromId));
}
