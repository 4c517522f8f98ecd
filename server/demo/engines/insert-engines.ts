import { engineKindNames, engineKinds } from "../../../contract/engine-kinds.ts";
import type { Transaction } from "../../database/database.ts";
import { engineBindings } from "../../database/schema/index.ts";
import { newId } from "../../engines/bindings.ts";
import { placeOf, secretOf } from "../../engines/open-binding.ts";
import { seal, sealingKeys } from "../../protection/sealed-secret.ts";
import type { Services } from "../../services.ts";
import { demoAddress, demoPages, standInBinding } from "./stand-ins.ts";

/** One engine of each kind for a sample customer; their stand-ins are polled as soon as the product runs. */
export async function insertEngines(
  { env, now, publicUrl }: Services,
  transaction: Transaction,
  organisationId: string,
): Promise<void> {
  const keys = sealingKeys(env);
  if (keys.length === 0) return;
  for (const kind of engineKindNames) {
    const binding = standInBinding(kind, demoAddress(kind));
    const hasPages = engineKinds[kind].pages !== null;
    const columns = {
      organisationId,
      ...placeOf(binding),
      ...(hasPages && { dashboardAddress: demoPages(kind, publicUrl), opensToCustomer: true }),
      nextPollAt: now(),
    };
    const id = await newId(transaction);
    await transaction
      .insert(engineBindings)
      .values({ id, ...columns, sealedSecret: seal(keys, binding.secret, secretOf(id)) });
  }
}
