import { and, asc, eq, exists, gt, gte, isNull } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { limits } from "../../contract/limits.ts";
import { isThere } from "../accounts/queries.ts";
import type { Transaction } from "../database/database.ts";
import { contracts, onboardings, organisations, people } from "../database/schema/index.ts";
import { doEach, pageOfJob } from "../jobs/do-each.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { openOnboarding } from "./open-onboarding.ts";
import { onboardingOf } from "./read-onboarding.ts";
import { settleOnboarding } from "./settle-onboarding.ts";

/**
 * Goes through the unfinished checklists: adds missing lines, notes those that are done by now, and reminds the
 * customer's main user of theirs, at most once a week.
 */
export async function followOnboardings(services: Services): Promise<void> {
  const { organisationId: id, orderId: order } = onboardings;
  await doEach<{ organisationId: string; orderId: string }>(
    services,
    "an onboarding was not followed",
    (after) =>
      services.database
        .select({ organisationId: id, orderId: order })
        .from(onboardings)
        .where(and(isNull(onboardings.doneAt), hasContract(services), after && gt(id, after.organisationId)))
        .orderBy(asc(id))
        .limit(pageOfJob),
    ({ organisationId, orderId }) =>
      services.database.transaction(async (transaction) => {
        await openOnboarding(services, transaction, { organisationId, orderId });
        await settleOnboarding(services, transaction, organisationId);
        await remind(services, transaction, organisationId);
      }),
  );
}

/** A former customer has nothing left to do. */
const hasContract = ({ database, now }: Services) =>
  exists(
    database
      .select({ id: contracts.id })
      .from(contracts)
      .where(and(eq(contracts.organisationId, onboardings.organisationId), gte(contracts.endsOn, writtenDay(now())))),
  );

async function remind(services: Services, transaction: Transaction, organisationId: string): Promise<void> {
  const now = services.now();
  const [opened] = await transaction.select().from(onboardings).where(eq(onboardings.organisationId, organisationId));
  const aWeekAgo = earlier(now, { days: limits.onboardingReminderDays });
  if (!opened || opened.doneAt || (opened.remindedAt ?? opened.openedAt) > aWeekAgo) return;
  const { open } = await onboardingOf(transaction, organisationId, now);
  const yours = open.filter(({ side }) => side === "yours");
  if (yours.length === 0) return;
  await transaction.update(onboardings).set({ remindedAt: now }).where(eq(onboardings.organisationId, organisationId));
  const told = await transaction
    .select({ id: people.id, email: people.email, firstName: people.firstName })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(eq(people.organisationId, organisationId), eq(people.role, "user"), isThere));
  for (const { id, email, firstName } of told)
    // oxlint-disable-next-line no-await-in-loop -- there is one
    await queueMail(services, transaction, {
      eventKey: `onboarding:${id}:${writtenDay(now)}`,
      to: email,
      content: {
        template: "onboarding",
        name: firstName,
        lines: yours.map(({ title, dueOn }) => ({ title, dueOn })),
        link: `${services.publicUrl}/user/onboarding`,
      },
    });
}
