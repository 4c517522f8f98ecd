import type { PgColumn } from "drizzle-orm/pg-core";
import { inArray, type SQL, sql } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";
import type { Database, Transaction } from "../database/database.ts";
import { engineBindings, incidentFacts, incidents } from "../database/schema/index.ts";
import type { FactRow } from "./facts.ts";

/** Until then what happened before the end of a span may be told, to count in it: what is told later counts in the next one. */
export const toldBy = (end: Date): Date => later(end, { hours: limits.reportGraceHours });

/** Whether something counts in a span, by when it happened and when it was told: of spans that follow each other it is in one. */
export function isToldIn(happenedAt: PgColumn, toldAt: PgColumn, from: Date, to: Date): SQL {
  const counted = sql`greatest(${happenedAt}, ${toldAt} - make_interval(hours => ${limits.reportGraceHours}))`;
  return sql`(${counted} >= ${from.toISOString()}::timestamptz and ${counted} < ${to.toISOString()}::timestamptz)`;
}

/** Which incidents something was told of too late for a span, as a condition on `incidents`. */
export const wasToldAfter = (end: Date): SQL =>
  sql`exists (select from ${incidentFacts} where ${incidentFacts.incidentId} = ${incidents.id}
    and ${incidentFacts.recordedAt} >= ${toldBy(end).toISOString()}::timestamptz)`;

/**
 * What had been told of an incident by an instant. What an engine that was just bound tells of the time before counts as told
 * at once: the years before are no news of this month. Since when its engine is bound is null where it has none.
 */
export function factsToldBy(told: Date, facts: readonly FactRow[], boundAt: Date | null): FactRow[] {
  const isBoundAnew = boundAt !== null && facts.some(({ recordedAt }) => recordedAt < boundAt);
  const isOld = ({ by, occurredAt }: FactRow) =>
    by === "engine" && !isBoundAnew && (boundAt === null || occurredAt < boundAt);
  return facts.filter((fact) => isOld(fact) || fact.recordedAt < told);
}

/** Since when the engine of an incident is bound; null where it has none. */
export async function readBoundAt(
  database: Database | Transaction,
  rows: readonly { bindingId: string | null }[],
): Promise<(row: { bindingId: string | null }) => Date | null> {
  const ids = [...new Set(rows.flatMap(({ bindingId }) => bindingId ?? []))];
  const bound = await database
    .select({ id: engineBindings.id, at: engineBindings.connectedAt })
    .from(engineBindings)
    .where(inArray(engineBindings.id, ids));
  const atOf = new Map(bound.map(({ id, at }) => [id, at]));
  return ({ bindingId }) => atOf.get(bindingId ?? "") ?? null;
}
