import { and, asc, desc, eq, inArray, ne } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { earlier, later } from "../../contract/durations.ts";
import type { FactValue, RegulatorFactKind } from "../../contract/regulator-facts.ts";
import type { Transaction } from "../database/database.ts";
import {
  contracts,
  entityClassVersions,
  incidents,
  onboardingItems,
  onboardings,
  people,
  regulatorFacts,
  sites,
} from "../database/schema/index.ts";
import { openOnboarding } from "../onboarding/open-onboarding.ts";
import type { Services } from "../services.ts";

/**
 * The checklists of sample customers that have bought: the manufacturer's is nearly done, the others are done. Also
 * what the manufacturer is to regulators, and facts of its open incident, so that a clock runs.
 */
export async function insertOnboardings(
  services: Services,
  transaction: Transaction,
  manufacturer: string,
): Promise<void> {
  const bought = await transaction
    .selectDistinctOn([contracts.organisationId])
    .from(contracts)
    .orderBy(contracts.organisationId, asc(contracts.id));
  for (const { organisationId, orderId, createdAt } of bought) {
    // oxlint-disable-next-line no-await-in-loop -- a demo has few customers
    const person = await mainPersonOf(transaction, organisationId);
    const isDone = organisationId !== manufacturer;
    const opened = isDone ? createdAt : earlier(services.now(), { days: 12 });
    const at = { ...services, now: () => opened };
    // The newest contract is less than nine days old.
    const doneAt = new Date(Math.min(later(opened, { days: 9 }).getTime(), services.now().getTime()));
    // oxlint-disable-next-line no-await-in-loop
    await openOnboarding(at, transaction, { organisationId, orderId });
    // oxlint-disable-next-line no-await-in-loop
    if (isDone) await finish(transaction, organisationId, person, doneAt);
    // oxlint-disable-next-line no-await-in-loop
    else await nearlyFinish(services, transaction, organisationId, person);
  }
}

async function mainPersonOf(transaction: Transaction, organisationId: string): Promise<string> {
  const [person] = await transaction
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.organisationId, organisationId), eq(people.role, "user")))
    .orderBy(asc(people.id));
  return person?.id ?? "";
}

async function finish(transaction: Transaction, organisationId: string, person: string, doneAt: Date) {
  await transaction
    .update(onboardingItems)
    .set({ tickedBy: person, tickedAt: doneAt })
    .where(eq(onboardingItems.organisationId, organisationId));
  await transaction
    .update(onboardings)
    .set({ doneAt, timeZoneSetBy: person, timeZoneSetAt: doneAt })
    .where(eq(onboardings.organisationId, organisationId));
}

async function nearlyFinish(services: Services, transaction: Transaction, organisationId: string, person: string) {
  const now = services.now();
  await transaction
    .update(onboardings)
    .set({ timeZoneSetBy: person, timeZoneSetAt: earlier(now, { days: 11 }), remindedAt: earlier(now, { days: 2 }) })
    .where(eq(onboardings.organisationId, organisationId));
  await transaction.insert(sites).values([
    { organisationId, name: "Spinning mill (sample)", address: "12 Sample Mill Road, Coimbatore", addedBy: person },
    { organisationId, name: "Head office (sample)", address: "4 Sample Street, Chennai", addedBy: person },
  ]);
  await transaction.insert(entityClassVersions).values({
    organisationId,
    version: 1,
    classes: ["body corporate", "data fiduciary"],
    setBy: person,
    createdAt: earlier(now, { days: 11 }),
  });
  const [open] = await transaction
    .select()
    .from(incidents)
    .where(
      and(
        eq(incidents.organisationId, organisationId),
        inArray(incidents.severity, ["P1", "P2"]),
        ne(incidents.state, "closed"),
      ),
    )
    .orderBy(desc(incidents.openedAt))
    .limit(1);
  if (!open) return;
  const noticed = open.openedAt > earlier(now, { minutes: 50 }) ? open.openedAt : earlier(now, { minutes: 50 });
  const facts: [RegulatorFactKind, FactValue][] = [
    ["types", { types: [3] }],
    ["noticed", { at: noticed.toISOString() }],
    ["affected systems", { words: "Sample: the firewalls fw-blr-1 and fw-blr-2" }],
  ];
  for (const [kind, value] of facts)
    // oxlint-disable-next-line no-await-in-loop -- in the order of arrival
    await transaction.insert(regulatorFacts).values({
      id: randomUUID(),
      organisationId,
      incidentId: open.id,
      kind,
      value,
      enteredBy: person,
      createdAt: later(noticed, { minutes: 10 }),
    });
}
