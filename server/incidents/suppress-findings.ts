import { and, asc, eq, gt, isNull, ne, sql } from "drizzle-orm";
import type { Input } from "../../contract/operations.ts";
import { findOrganisationOf } from "../access/reach.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { engineFindings, suppressionRules } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { refuseUnlessSame } from "../failures/sent-before.ts";
import { doEach, pageOfJob } from "../jobs/do-each.ts";
import type { Services } from "../services.ts";
import { decide } from "./decide-findings.ts";

/**
 * Makes a rule that suppresses findings with a title, including open ones; once per id.
 * @throws Failure not_found, conflict
 */
export async function suppressFindings(
  services: Services,
  scope: Scope<"any">,
  { id, email, title, device_id: deviceId = null, reason, on_word_of: onWordOf }: Input<"admin/findings/suppress">,
): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const organisationId = organisationOf(await findOrganisationOf(transaction, scope, email));
    await refuseTwin(transaction, { id, organisationId, title, deviceId });
    const [rule] = await transaction
      .insert(suppressionRules)
      .values({
        id,
        organisationId,
        title,
        deviceId,
        reason,
        onWordOf,
        createdBy: scope.actor.personId,
        createdAt: services.now(),
      })
      .onConflictDoNothing()
      .returning();
    if (!rule) {
      const [known] = await transaction.select().from(suppressionRules).where(eq(suppressionRules.id, id));
      refuseUnlessSame(known, { organisationId, title, deviceId, reason, onWordOf });
    } else {
      await applyRule(services, transaction, rule);
      await audit(transaction, scope.actor.personId, "suppress findings", `organisation:${organisationId}`, {
        title,
        reason,
        onWordOf,
      });
    }
    return "Suppressed. The customer sees the rule and on whose word it was made.";
  });
}

type Suppressed = Pick<typeof suppressionRules.$inferSelect, "organisationId" | "title" | "deviceId">;

/**
 * Refuses a second active rule for the same findings: ending one of them would change nothing. Concurrent callers wait.
 * @throws Failure conflict
 */
async function refuseTwin(transaction: Transaction, { id, ...rule }: Suppressed & { id: string }): Promise<void> {
  await takeTurn(transaction, rule);
  const others = and(standingFor(rule), ne(suppressionRules.id, id));
  if ((await transaction.$count(suppressionRules, others)) > 0)
    throw new Failure("conflict", "There is already a rule for exactly this. End it first to give another reason.");
}

const takeTurn = (transaction: Transaction, { organisationId }: Suppressed) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`suppress ${organisationId}`}, 0))`);

/** The active rules for exactly these findings: several where they were made before duplicates were refused. */
const standingFor = ({ organisationId, title, deviceId }: Suppressed) =>
  and(
    eq(suppressionRules.organisationId, organisationId),
    eq(suppressionRules.title, title),
    deviceId === null ? isNull(suppressionRules.deviceId) : eq(suppressionRules.deviceId, deviceId),
    isNull(suppressionRules.endedAt),
  );

const appliedMax = 5000;

async function applyRule(
  { now }: Services,
  transaction: Transaction,
  rule: typeof suppressionRules.$inferSelect,
): Promise<void> {
  const open = await transaction
    .select({ id: engineFindings.id, organisationId: engineFindings.organisationId })
    .from(engineFindings)
    .where(
      and(
        eq(engineFindings.organisationId, rule.organisationId),
        eq(engineFindings.title, rule.title),
        eq(engineFindings.fate, "open"),
        isNull(engineFindings.decided),
        rule.deviceId === null ? undefined : eq(engineFindings.deviceId, rule.deviceId),
      ),
    )
    .orderBy(engineFindings.id)
    .limit(appliedMax)
    .for("update", { skipLocked: true });
  if (open.length > 0)
    await decide(transaction, now(), open, {
      fate: "suppressed",
      ruleId: rule.id,
      reason: rule.reason,
      personId: null,
    });
}

/** Applies the active rules to findings that have arrived since. */
export async function applyRules(services: Services): Promise<void> {
  await doEach<{ id: string }>(
    services,
    "a rule was not applied to findings",
    (after) =>
      services.database
        .select({ id: suppressionRules.id })
        .from(suppressionRules)
        .where(
          and(
            isNull(suppressionRules.endedAt),
            sql`exists (select from engine_findings where engine_findings.organisation_id = ${suppressionRules.organisationId}
              and engine_findings.title = ${suppressionRules.title} and engine_findings.fate = 'open' and engine_findings.decided is null)`,
            after && gt(suppressionRules.id, after.id),
          ),
        )
        .orderBy(asc(suppressionRules.id))
        .limit(pageOfJob),
    ({ id }) =>
      services.database.transaction(async (transaction) => {
        // The row lock makes whoever ends the rule wait; a rule that has just ended is not found.
        const [rule] = await transaction
          .select()
          .from(suppressionRules)
          .where(and(eq(suppressionRules.id, id), isNull(suppressionRules.endedAt)))
          .for("update");
        if (rule) await applyRule(services, transaction, rule);
      }),
  );
}

/**
 * Ends a rule and its duplicates: suppressed findings stay suppressed, later ones are open.
 * @throws Failure not_found
 */
export async function endRule(services: Services, { actor }: Scope<"any">, id: string): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const [rule] = await transaction.select().from(suppressionRules).where(eq(suppressionRules.id, id));
    if (!rule) throw notFound("This rule");
    await takeTurn(transaction, rule);
    // A repeated call must not end a newer rule for the same findings.
    const standing = await transaction.select().from(suppressionRules).where(standingFor(rule));
    if (standing.some((each) => each.id === id)) {
      await transaction
        .update(suppressionRules)
        .set({ endedAt: services.now(), endedBy: actor.personId })
        .where(standingFor(rule));
      await audit(transaction, actor.personId, "end suppression", `organisation:${rule.organisationId}`, {
        title: rule.title,
      });
    }
    return "Ended. New findings will be open again.";
  });
}
