import { eq } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import type { OnboardingKind, Side } from "../../contract/onboarding.ts";
import type { Transaction } from "../database/database.ts";
import { onboardingItems, onboardings } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { contractedTypes } from "./contracted-types.ts";

/** Whose turn each line is at first, and after how many days it should be done. */
const first: Record<OnboardingKind, { side: Side; days: number }> = {
  contacts: { side: "yours", days: 5 },
  "time zone": { side: "yours", days: 5 },
  sites: { side: "yours", days: 5 },
  "log source": { side: "yours", days: 14 },
  "first events": { side: "ours", days: 14 },
  dashboards: { side: "ours", days: 14 },
};
const once: OnboardingKind[] = ["contacts", "time zone", "sites", "first events", "dashboards"];

/**
 * Opens the checklist of a customer in the transaction in which its order is paid or bought against invoice, or adds
 * the device types that its contracts hold by now. Repeating it changes nothing.
 */
export async function openOnboarding(
  services: Pick<Services, "now">,
  transaction: Transaction,
  { organisationId, orderId }: { organisationId: string; orderId: string },
): Promise<void> {
  const now = services.now();
  await transaction.insert(onboardings).values({ organisationId, orderId, openedAt: now }).onConflictDoNothing();
  const types = await contractedTypes(transaction, organisationId, writtenDay(now));
  const added = await transaction
    .insert(onboardingItems)
    .values([...once.map((kind) => itemOf(kind, "")), ...types.map((key) => itemOf("log source", key))])
    .onConflictDoNothing()
    .returning({ id: onboardingItems.id });
  if (added.length > 0)
    await transaction.update(onboardings).set({ doneAt: null }).where(eq(onboardings.organisationId, organisationId));

  function itemOf(kind: OnboardingKind, key: string) {
    const { side, days } = first[kind];
    return { organisationId, kind, key, side, dueOn: writtenDay(later(now, { days })), createdAt: now };
  }
}
