import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { CoverageRules, LimitInput, RuleInput } from "../../contract/coverage.ts";
import { coverageLimits, matchRuleKindNames } from "../../contract/coverage-words.ts";
import { keyOf } from "../../contract/devices.ts";
import { reachCustomer } from "../access/reach.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { coverageFigures, matchRules, people, silenceLimits } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { refuseUnknownType } from "./known-types.ts";
import { silenceDefaults } from "./match.ts";
import { recount } from "./recount.ts";

/** The rules and limits of all customers, and also those of one customer if given, in the order in which they apply. */
export async function listRules(
  services: Services,
  scope: Scope<"any">,
  email: string | undefined,
): Promise<CoverageRules> {
  const organisationId = await ownerOf(services.database, scope, email);
  const rules = await services.database
    .select({ rule: matchRules, firstName: people.firstName, lastName: people.lastName })
    .from(matchRules)
    .leftJoin(people, eq(people.id, matchRules.changedBy))
    .where(ofOwner(matchRules.organisationId, organisationId))
    .orderBy(
      sql`array_position(${sql.param(matchRuleKindNames)}::text[], ${matchRules.kind})`,
      sql`${matchRules.organisationId} is null`,
      matchRules.place,
      matchRules.id,
    );
  const set = await services.database
    .select()
    .from(silenceLimits)
    .where(ofOwner(silenceLimits.organisationId, organisationId))
    .orderBy(silenceLimits.service, silenceLimits.deviceType);
  return {
    rules: rules.map(
      ({ rule: { organisationId: owner, changedBy: _by, changedAt, ...rule }, firstName, lastName }) => ({
        ...rule,
        own: owner !== null,
        changedBy: firstName === null ? null : `${firstName} ${lastName}`,
        changedAt: changedAt.toISOString(),
      }),
    ),
    limits: set.map(({ organisationId: owner, service, deviceType, minutes }) => {
      return { own: owner !== null, service, deviceType, minutes };
    }),
    defaults: silenceDefaults,
  };
}

type Owned = typeof matchRules.organisationId | typeof silenceLimits.organisationId;

const ofOwner = (column: Owned, organisationId: string | null) =>
  organisationId === null ? isNull(column) : or(isNull(column), eq(column, organisationId));

/** The customer's organisation id; null for all customers. @throws Failure not_found */
async function ownerOf(
  database: Database | Transaction,
  scope: Scope<"any">,
  email: string | undefined,
): Promise<string | null> {
  if (email === undefined) return null;
  const customer = await reachCustomer(database, scope, email);
  if (!customer) throw notFound("This customer");
  return organisationOf(customer);
}

/**
 * Adds or changes a rule, and has devices matched again. Returns its id.
 * @throws Failure not_found; invalid for an unknown device type; conflict if the rule was changed since the given
 * version, or there are too many
 */
export async function saveRule(
  services: Services,
  scope: Scope<"any">,
  { email, id, version, ...rule }: RuleInput,
): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const organisationId = await ownerOf(transaction, scope, email);
    const columns = { ...rule, changedBy: scope.actor.personId, changedAt: services.now() };
    let saved = id;
    const refuseUnknown = () => refuseUnknownType(services, transaction, organisationId, rule, "deviceType");
    if (id === undefined) {
      await refuseUnknown();
      await refuseTooMany(transaction, organisationId);
      const [made] = await transaction
        .insert(matchRules)
        .values({ organisationId, ...columns })
        .returning();
      saved = made?.id;
      await audit(transaction, scope.actor.personId, "add matching rule", aboutOf(organisationId), { after: rule });
    } else {
      const before = await lockRule(transaction, { id, version });
      if (before.organisationId !== organisationId) throw notFound("This rule");
      // A rule may keep a type that is no longer on the rate card.
      if (keyOf(before) !== keyOf(rule)) await refuseUnknown();
      await transaction
        .update(matchRules)
        .set({ ...columns, version: before.version + 1 })
        .where(eq(matchRules.id, id));
      const detail = { before: saidBy(before), after: rule };
      await audit(transaction, scope.actor.personId, "change matching rule", aboutOf(organisationId), detail);
    }
    await countAnew(services, transaction, organisationId);
    return saved ?? "";
  });
}

/** @throws Failure not_found; conflict if it was changed since the given version */
export async function removeRule(
  services: Services,
  { actor }: Scope<"any">,
  seen: { id: string; version: number },
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const before = await lockRule(transaction, seen);
    await transaction.delete(matchRules).where(eq(matchRules.id, seen.id));
    const about = aboutOf(before.organisationId);
    await audit(transaction, actor.personId, "remove matching rule", about, { before: saidBy(before), after: {} });
    await countAnew(services, transaction, before.organisationId);
  });
}

async function lockRule(transaction: Transaction, { id, version }: { id: string; version?: number | undefined }) {
  const [known] = await transaction.select().from(matchRules).where(eq(matchRules.id, id)).for("update");
  if (!known) throw notFound("This rule");
  if (known.version !== version)
    throw new Failure("conflict", "Somebody else changed this rule meanwhile. Please reload it.");
  return known;
}

/** Two concurrent calls may both add the last rule: a few more do no harm. */
async function refuseTooMany(transaction: Transaction, organisationId: string | null): Promise<void> {
  const known = await transaction.$count(
    matchRules,
    organisationId === null ? isNull(matchRules.organisationId) : eq(matchRules.organisationId, organisationId),
  );
  if (known >= coverageLimits.matchRulesMax)
    throw new Failure("conflict", `There are ${coverageLimits.matchRulesMax} rules already. Remove one first.`);
}

/**
 * Sets after how many minutes a device of a type counts as silent, or removes that limit.
 * @throws Failure not_found; invalid for an unknown device type
 */
export async function saveLimit(
  services: Services,
  scope: Scope<"any">,
  { email, service, deviceType, minutes }: LimitInput,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    // Serialises concurrent changes of the same limit.
    await transaction.execute(sql`select pg_advisory_xact_lock(72177263)`);
    const organisationId = await ownerOf(transaction, scope, email);
    const { organisationId: owner, service: ofService, deviceType: ofType } = silenceLimits;
    const same = and(
      organisationId === null ? isNull(owner) : eq(owner, organisationId),
      eq(ofService, service),
      eq(ofType, deviceType),
    );
    const [before] = await transaction.delete(silenceLimits).where(same).returning({ minutes: silenceLimits.minutes });
    const changed = { changedBy: scope.actor.personId, changedAt: services.now() };
    if (minutes !== null) {
      // A type that is no longer on the rate card keeps its limit, which can be changed.
      if (!before)
        await refuseUnknownType(services, transaction, organisationId, { service, deviceType }, "deviceType");
      await transaction.insert(silenceLimits).values({ organisationId, service, deviceType, minutes, ...changed });
    }
    await audit(transaction, scope.actor.personId, "set silence limit", aboutOf(organisationId), {
      deviceType,
      before: { minutes: before?.minutes ?? null },
      after: { minutes },
    });
    await countAnew(services, transaction, organisationId);
  });
}

/** A single customer is counted at once; all customers by the clock within a minute, or when somebody looks. */
async function countAnew(services: Services, transaction: Transaction, organisationId: string | null): Promise<void> {
  if (organisationId !== null) await recount(services, transaction, organisationId);
  else
    await transaction
      .update(coverageFigures)
      .set({ nextCountAt: services.now() })
      .where(gt(coverageFigures.nextCountAt, services.now()));
}

const aboutOf = (organisationId: string | null) =>
  organisationId === null ? "coverage" : `organisation:${organisationId}`;

const saidBy = ({ kind, pattern, service, deviceType, place }: typeof matchRules.$inferSelect) => ({
  kind,
  pattern,
  service,
  deviceType,
  place,
});
