import { eq } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import type { Transaction } from "../database/database.ts";
import { onboardings } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { readKnown } from "./known.ts";
import { readItems, stateOf } from "./read-onboarding.ts";

/**
 * Notes that everything on a customer's checklist is done, once it is; what an engine says later takes that back for no line.
 * An open line, as an order adds one, opens it again.
 */
export async function settleOnboarding(
  services: Pick<Services, "now">,
  transaction: Transaction,
  organisationId: string,
): Promise<void> {
  const [opened] = await transaction
    .select()
    .from(onboardings)
    .where(eq(onboardings.organisationId, organisationId))
    .for("update");
  if (!opened || opened.doneAt) return;
  const items = await readItems(transaction, organisationId, writtenDay(services.now()));
  const known = await readKnown(transaction, organisationId, services.now());
  if (items.length === 0 || items.some((item) => stateOf(item, known) !== "done")) return;
  await transaction
    .update(onboardings)
    .set({ doneAt: services.now() })
    .where(eq(onboardings.organisationId, organisationId));
}
