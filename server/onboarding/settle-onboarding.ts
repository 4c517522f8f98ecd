import { eq } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import type { Transaction } from "../database/database.ts";
import { onboardings } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { readKnown } from "./known.ts";
import { readItems, stateOf } from "./read-onboarding.ts";

/**
 * Marks a customer's checklist as done once every line is. What an engine reports later reopens no line; a new open
 * line, such as an order adds, reopens the checklist.
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
