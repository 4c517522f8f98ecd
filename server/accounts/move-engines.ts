import { eq } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { engineBindings, engineDevices, engineFindings, engineIncidents } from "../database/schema/index.ts";

/** What the engines of a customer told goes with it. Whoever polls one at the moment stores nothing more. */
export async function moveEngines(transaction: Transaction, fromId: string, intoId: string): Promise<void> {
  const moved = await transaction
    .select({ id: engineBindings.id, version: engineBindings.version })
    .from(engineBindings)
    .where(eq(engineBindings.organisationId, fromId))
    // Their keys stay: whoever writes what names one of them may wait for its customer.
    .for("no key update");
  for (const { id, version } of moved)
    await transaction
      .update(engineBindings)
      .set({ organisationId: intoId, version: version + 1 })
      .where(eq(engineBindings.id, id));
  for (const table of [engineDevices, engineFindings, engineIncidents])
    await transaction.update(table).set({ organisationId: intoId }).where(eq(table.organisationId, fromId));
}
