import { and, eq, getTableColumns, isNotNull, isNull } from "drizzle-orm";
import type { Input } from "../../contract/operations.ts";
import { noteReached } from "../access/reach.ts";
import { organisationsIn, type Scope } from "../access/scope.ts";
import { dayIn, timeZoneOf } from "../accounts/time-zones.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { onboardingItems, organisations, people } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { readKnown } from "./known.ts";
import { settleOnboarding } from "./settle-onboarding.ts";
import { titleOf } from "./read-onboarding.ts";

type ItemScope = Scope<"organisation" | "any">;

/**
 * Ticks a line that only a person can know, with who and when, or removes the tick.
 * @throws Failure not_found; conflict if it was changed meanwhile, or if engines or tiles determine it
 */
export async function tickItem(
  services: Services,
  scope: ItemScope,
  { id, version, done }: Input<"user/onboarding/tick">,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const item = await lockItem(transaction, scope, id, version);
    const known = await readKnown(transaction, item.organisationId, services.now());
    if (known(item))
      throw new Failure("conflict", "This is ticked by what is connected, not by hand. Please reload the page.");
    if ((item.tickedAt !== null) === done) return;
    await transaction
      .update(onboardingItems)
      .set({
        tickedBy: done ? scope.actor.personId : null,
        tickedAt: done ? services.now() : null,
        version: version + 1,
      })
      .where(eq(onboardingItems.id, id));
    const action = done ? "tick onboarding" : "untick onboarding";
    await audit(transaction, scope.actor.personId, action, `organisation:${item.organisationId}`, {
      line: titleOf(item),
    });
    await settleOnboarding(services, transaction, item.organisationId);
  });
}

const isOver = "This day is over. Please choose today or a later day.";

/**
 * Sets whose turn a line is, who does it and until when.
 * @throws Failure not_found, conflict; invalid for a changed day that is in the past
 */
export async function planItem(
  services: Services,
  scope: ItemScope,
  { id, version, side, ownerId, dueOn, note }: Input<"user/onboarding/plan">,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const item = await lockItem(transaction, scope, id, version);
    const today = dayIn(await timeZoneOf(transaction, item.organisationId), services.now());
    if (dueOn !== item.dueOn && dueOn < today)
      throw new Failure("invalid", isOver, { fields: { dueOn: "Please choose today or a later day" } });
    if (ownerId) await refuseStranger(transaction, ownerId, side === "yours" ? item.organisationId : null);
    await transaction
      .update(onboardingItems)
      .set({ side, ownerId, dueOn, note, version: version + 1 })
      .where(eq(onboardingItems.id, id));
    await audit(transaction, scope.actor.personId, "plan onboarding", `organisation:${item.organisationId}`, {
      line: titleOf(item),
      before: { side: item.side, dueOn: item.dueOn },
      after: { side, dueOn },
    });
  });
}

async function lockItem(transaction: Transaction, scope: ItemScope, id: string, version: number) {
  const [item] = await transaction
    .select(getTableColumns(onboardingItems))
    .from(onboardingItems)
    .innerJoin(organisations, eq(organisations.id, onboardingItems.organisationId))
    .where(and(eq(onboardingItems.id, id), organisationsIn(scope)))
    .for("update", { of: onboardingItems });
  if (!item) throw notFound("This line");
  if (scope.reach !== "organisation") noteReached(scope, item.organisationId);
  if (item.version !== version)
    throw new Failure("conflict", "Somebody else changed this line meanwhile. Please look at what is saved now.");
  return item;
}

/**
 * The person has to belong to that side: to the customer, or to us if `organisationId` is null.
 * @throws Failure not_found
 */
async function refuseStranger(transaction: Transaction, personId: string, organisationId: string | null) {
  const [person] = await transaction
    .select({ id: people.id })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(
      and(
        eq(people.id, personId),
        isNotNull(people.joinedAt),
        isNull(people.erasedAt),
        organisationId ? eq(organisations.id, organisationId) : eq(organisations.kind, "provider"),
      ),
    );
  if (!person) throw notFound("This person");
}
